import { expect } from 'chai';
import { type Belief, PEOPLE } from '../../../sandbox/lib/index.js';
import { microblog } from '../../../sandbox/lib/microblog/index.js';
import { NETWORKS } from '../../../sandbox/lib/networks.js';
import { ruleAnchor } from '../../../sandbox/lib/pages/error-page.js';
import { shortVideo } from '../../../sandbox/lib/short-video/index.js';
import { SHORT_VIDEO_SCOPES } from '../../../sandbox/lib/short-video/record.js';
import { expectPage } from '../../support/page.js';
import { ClassicClient, OAuth1Client, OAuth2Client, ShortVideoClient, VkIdClient } from '../clients.js';
import { eachSandbox, get, post, reasonOf, responseParameters, withSandbox } from '../requests.js';

const VK_ID_SCOPES =
  'vkid.personal_info email phone groups market friends video photos docs notes stats stories notifications';

describe("The sandbox's pages", () => {
  const sandbox = eachSandbox();

  describe('the consent page', () => {
    it('is a form that posts to its own URL, and allows no scripts, no other resources and no framing', async () => {
      const { status, headers, text } = await get(new ShortVideoClient(sandbox).authorization());
      expect(status).to.equal(200);
      expect(headers['content-type']).to.equal('text/html; charset=utf-8');
      expectPage(text).toHave('<form method="post">', '<html lang="en">', 'width=device-width');
      expectPage(text).toLack(/<script|javascript:|\son[a-z]+=/i);
      expect(headers['content-security-policy']).to.match(
        /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; img-src 'self'; form-action http: https:; base-uri 'none'; frame-ancestors 'none'$/,
      );
      expect(headers['referrer-policy']).to.equal('no-referrer');
      expect(headers['x-content-type-options']).to.equal('nosniff');
    });

    it('names the application, has the first person at hand, and the others behind "someone else"', async () => {
      const { text } = await get(new OAuth2Client(sandbox).authorization());
      const [shown = '', folded = ''] = text.split('<details><summary>Someone else</summary>');
      expectPage(shown).toHave(
        '<h1>Sandbox application asks to log you in</h1>',
        '<input type="radio" name="person" value="alice" required checked>',
      );
      expect(shown.match(/name="person"/g)).to.have.length(1);
      expect(folded.match(/<input type="radio" name="person"/g)).to.have.length(8);
      expectPage(folded).toHave(
        '<img class="picture" src="/pictures/anna.svg" alt="" width="40" height="40">',
        '<span><bdi>Анна Примерова</bdi><small>@anna_primerova, anna@example.com</small></span>',
        '<span class="picture" aria-hidden="true">BB</span>',
        '>花</span>',
        '<button class="button primary" name="decision" value="allow">Allow</button>',
        '<button class="button" name="decision" value="deny">Deny</button>',
      );
    });

    it('shows the scopes of short-video ticked, with the basic one disabled', async () => {
      const scope = 'user.info.basic,user.info.stats';
      const { text } = await get(new ShortVideoClient(sandbox).authorization({ scope }));
      expectPage(text).toHave(
        '<input type="checkbox" name="scope" value="user.info.basic" checked disabled>',
        '<input type="checkbox" name="scope" value="user.info.stats" checked>',
      );
    });

    it('has at hand whom the application expects, and says what OAuth 1.0a hands over, without scopes', async () => {
      const oauth1 = new OAuth1Client(sandbox);
      const { token } = await oauth1.requestToken();
      const { text } = await get(`${oauth1.authorization(token)}&screen_name=hanako`);
      const [shown = ''] = text.split('<details>');
      expectPage(shown).toHave('value="hanako" required checked', 'hanako@example.com');
      expectPage(shown).toLack('value="alice"');
      expectPage(text).toHave(
        '<li>Your name, picture, description and location</li>',
        'Your e-mail address, if the application may ask for it',
      );
    });

    it('says that an account is banned or deleted, only at the network where it is', async () => {
      const vkId = await get(new VkIdClient(sandbox).authorization());
      expectPage(vkId.text).toHave('>banned at VK</span>', '>deleted at VK</span>');
      const classic = await get(new ClassicClient(sandbox).authorization());
      expectPage(classic.text).toHave('>banned at VK</span>');
      for (const client of [new OAuth2Client(sandbox), new ShortVideoClient(sandbox)])
        expectPage((await get(client.authorization())).text).toLack('banned at', 'deleted at');
    });

    it('says each scope in words, with its name beside', async () => {
      const oauth2 = await get(new OAuth2Client(sandbox).authorization({ scope: 'tweet.read users.email' }));
      expectPage(oauth2.text).toHave(
        '<li><span>Your e-mail address <small><code>users.email</code></small></span></li>',
        '<code>tweet.read</code>',
      );
      const vkId = await get(new VkIdClient(sandbox).authorization({ scope: 'phone' }));
      expectPage(vkId.text).toHave('Your phone number <small><code>phone</code>');
      const classic = await get(new ClassicClient(sandbox).authorization({ scope: '4194304' }));
      expectPage(classic.text).toHave(
        'Your e-mail address <small><code>email</code>',
        'Your user ID, name and picture',
      );
    });

    it('has words for every scope that a network knows', async () => {
      const requests = [
        [new OAuth2Client(sandbox), Object.keys(microblog.appearance.scopes).join(' ')],
        [new ShortVideoClient(sandbox), Object.keys(shortVideo.appearance.scopes).join(',')],
        [new VkIdClient(sandbox), VK_ID_SCOPES],
        [new ClassicClient(sandbox), '140492287'],
      ] as const;
      for (const [client, scope] of requests) {
        const { status, text } = await get(client.authorization({ scope }));
        expect(status, scope).to.equal(200);
        expectPage(text).toLack('A permission of the network');
      }
      expect(Object.keys(shortVideo.appearance.scopes).sort()).to.deep.equal([...SHORT_VIDEO_SCOPES].sort());
    });

    it('logs in the selected person', async () => {
      const client = new ClassicClient(sandbox);
      const form = { person: 'anna', decision: 'allow' };
      const { code = '' } = responseParameters(await post(client.authorization(), form));
      expect((await client.exchange(code)).json).to.include({ user_id: 743784474 });
    });

    it('redirects back when the user declines', async () => {
      const form = { person: 'anna', decision: 'deny' };
      const parameters = responseParameters(await post(new ClassicClient(sandbox).authorization(), form));
      expect(parameters).to.include({ error: 'access_denied' });
    });

    for (const [form, reason] of [
      [{ person: 'alice' }, 'the decision is neither "allow" nor "deny"'],
      [{ person: 'alice', decision: 'perhaps' }, 'the decision is neither "allow" nor "deny"'],
      [
        { person: 'nobody', decision: 'allow' },
        `the sandbox knows nobody of that name: it has ${PEOPLE.map(({ id }) => id).join(', ')}`,
      ],
    ] as const) {
      it(`rejects the form ${JSON.stringify(form)}`, async () => {
        expect((await post(new VkIdClient(sandbox).authorization(), form)).status).to.equal(400);
        expect(reasonOf(sandbox)).to.equal(reason);
      });
    }

    it('validates the request again when the form is posted', async () => {
      const url = new VkIdClient(sandbox).authorization({ scope: 'unknown' });
      expect((await post(url, { person: 'alice', decision: 'allow' })).status).to.equal(400);
    });

    it('is skipped with auto=allow, for the person in the URL or the first one', async () => {
      const client = new ClassicClient(sandbox);
      const userOf = async (changes = {}) => (await client.exchange(await client.code(changes))).json;
      expect(await userOf({ person: 'ned' })).to.include({ user_id: 12345678 });
      expect(await userOf()).to.include({ user_id: 1000000001 });
    });

    for (const query of [{ auto: 'perhaps' }, { auto: '' }, { auto: 'allow', person: 'nobody' }]) {
      it(`is not skipped with ${JSON.stringify(query)}`, async () => {
        expect((await get(new VkIdClient(sandbox).authorization(query))).status).to.equal(400);
      });
    }

    it('escapes the names of people', async () => {
      const [alice] = sandbox.people;
      if (!alice) throw new Error('There is no first person');
      const displayName = `<script>alert("1")</script>&'`;
      await withSandbox({ people: [{ ...alice, displayName }] }, async (other) => {
        const { text } = await get(new ClassicClient(other).authorization());
        expectPage(text).toHave('&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;&#38;&#39;');
        expectPage(text).toLack('<script>');
        expectPage((await get(`${other.url}/pictures/alice.svg`)).text).toLack('<</text>');
      });
    });
  });

  describe('the error pages', () => {
    const navigation = { 'Sec-Fetch-Dest': 'document' };
    const errors: Readonly<Record<string, () => string>> = {
      TikTok: () => new ShortVideoClient(sandbox).authorization({ client_key: 'other' }),
      X: () => new OAuth2Client(sandbox).authorization({ scope: 'unknown' }),
      'X with OAuth 1.0a': () => `${sandbox.url}/microblog/oauth/authenticate?oauth_token=unknown`,
      VK: () => new VkIdClient(sandbox).authorization({ code_challenge: 'short' }),
      'the classic protocol of VK': () => new ClassicClient(sandbox).authorization({ client_id: 'other' }),
    };

    for (const [name, urlOf] of Object.entries(errors)) {
      it(`of ${name} say what was received and expected, and link to the console and to the rule in the guide`, async () => {
        const { text } = await get(urlOf(), navigation);
        const { refused = '', belief } = sandbox.requests().at(-1) ?? {};
        const escaped = (part = '') => part.replace(/["']/g, (quote) => `&#${quote.charCodeAt(0)};`);
        expectPage(text).toHave(`<dt>Received</dt><dd>${escaped(refused)}</dd>`);
        expectPage(text).toHave(`<dt>Expected</dt><dd>${escaped(belief?.says)}</dd>`);
        expectPage(text).toHave('<a class="button" href="/">Open the console</a>');
        const [, anchor = 'none'] = /href="\/guide#([\w-]+)"/.exec(text) ?? [];
        expectPage((await get(`${sandbox.url}/guide`)).text).toHave(`id="${anchor}"`);
      });
    }

    it('show the JSON of a network that has no page to a person only', async () => {
      const url = new ClassicClient(sandbox).authorization({ client_id: 'other' });
      const program = await get(url);
      expect(program.headers['content-type']).to.include('application/json');
      const person = await get(url, navigation);
      expect(person.status).to.equal(program.status);
      expectPage(person.text).toHave('&#34;error&#34;:&#34;invalid_client&#34;');
    });

    it('exist for a path that no endpoint has', async () => {
      const { status, text } = await get(`${sandbox.url}/nothing/<b>`, navigation);
      expect(status).to.equal(404);
      expectPage(text).toHave('Open the console');
      expectPage(text).toLack('<b>');
    });
  });

  describe('the guide', () => {
    it('has every rule of every network once, with its source', async () => {
      const { text } = await get(`${sandbox.url}/guide`);
      const anchors = [...text.matchAll(/ id="(rule-[0-9a-f]{12})"/g)].map(([, anchor]) => anchor);
      expect(new Set(anchors).size).to.equal(anchors.length);
      const beliefs = NETWORKS.flatMap((network) => Object.values<Belief>(network.beliefs));
      for (const belief of beliefs) expect(anchors).to.include(ruleAnchor(belief));
      expectPage(text).toHave(
        '<a href="https://developers.tiktok.com/doc/login-kit-web"',
        '<a href="/">Console</a>',
      );
    });
  });

  describe('the pictures', () => {
    it('are drawn for people who have one, in the requested size', async () => {
      const { status, headers, text } = await get(`${sandbox.url}/pictures/anna.svg?size=50`);
      expect(status).to.equal(200);
      expect(headers['content-type']).to.equal('image/svg+xml; charset=utf-8');
      expectPage(text).toHave('width="50" height="50"', '>А</text>');
    });

    it('are 200 pixels wide without a size, or with an invalid one', async () => {
      for (const query of ['', '?size=0', '?size=100000', '?size=%22><x']) {
        const { text } = await get(`${sandbox.url}/pictures/anna.svg${query}`);
        expectPage(text).toHave('width="200" height="200"');
      }
    });

    for (const file of ['hanako.svg', 'nobody.svg', 'hanako_normal.png', '..%2F..%2Fpackage.json']) {
      it(`do not exist as ${file}`, async () => {
        expect((await get(`${sandbox.url}/pictures/${file}`)).status).to.equal(404);
      });
    }

    it('of X are 48 pixels wide as _normal, and 400 without it', async () => {
      expectPage((await get(`${sandbox.url}/pictures/anna_normal.png`)).text).toHave('width="48"');
      expectPage((await get(`${sandbox.url}/pictures/anna.png`)).text).toHave('width="400"');
    });

    it('have an icon for the tab', async () => {
      for (const name of ['favicon.svg', 'favicon.ico'])
        expect((await get(`${sandbox.url}/${name}`)).headers['content-type']).to.match(/^image\/svg/);
    });

    it('have a placeholder for people without one', async () => {
      const { status, headers } = await get(`${sandbox.url}/images/camera_b.gif`);
      expect(status).to.equal(200);
      expect(headers['content-type']).to.equal('image/gif');
    });
  });
});
