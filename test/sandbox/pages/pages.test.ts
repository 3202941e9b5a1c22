import { expect } from 'chai';
import { type Belief, PEOPLE } from '../../../sandbox/lib/index.js';
import { microblog } from '../../../sandbox/lib/microblog/index.js';
import { NETWORKS } from '../../../sandbox/lib/networks.js';
import { ruleAnchor } from '../../../sandbox/lib/pages/error-page.js';
import { TRIALS } from '../../../sandbox/lib/server/pages.js';
import { shortVideo } from '../../../sandbox/lib/short-video/index.js';
import { Browser } from '../../support/browser.js';
import { expectPage } from '../../support/page.js';
import { eachSandbox } from '../../support/sandbox.js';
import { ClassicClient, OAuth1Client, OAuth2Client, ShortVideoClient, VkIdClient } from '../clients.js';
import {
  bearer,
  type Fields,
  get,
  post,
  REDIRECT_URI,
  reasonOf,
  rows,
  VERIFIER,
  withSandbox,
} from '../requests.js';

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
      expect(folded.match(/<input type="radio" name="person"/g)).to.have.length(PEOPLE.length - 1);
      expectPage(folded).toHave('src="/pictures/anna.svg" alt=""', '<bdi>Анна Примерова</bdi>', '>花</span>');
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

    it('lists every scope that a network knows', async () => {
      const requests = [
        [new OAuth2Client(sandbox), microblog.appearance.scopes.join(' ')],
        [new ShortVideoClient(sandbox), shortVideo.appearance.scopes.join(',')],
        [new VkIdClient(sandbox), VK_ID_SCOPES],
        [new ClassicClient(sandbox), '140492287'],
      ] as const;
      for (const [client, scope] of requests) {
        const { status, text } = await get(client.authorization({ scope }));
        expect(status, scope).to.equal(200);
        for (const name of scope.split(/[ ,]/).filter((part) => /\D/.test(part)))
          expectPage(text).toHave(`<code>${name}</code>`);
      }
    });

    for (const [form = '', reason] of rows(`
      person=alice                  | the decision is neither "allow" nor "deny"
      person=alice&decision=perhaps | the decision is neither "allow" nor "deny"
      person=nobody&decision=allow  | the sandbox knows nobody of that name: it has ${PEOPLE.map(({ id }) => id).join(', ')}`)) {
      it(`rejects the form ${form}`, async () => {
        const url = new VkIdClient(sandbox).authorization();
        expect((await post(url, Object.fromEntries(new URLSearchParams(form)))).status).to.equal(400);
        expect(reasonOf(sandbox)).to.equal(reason);
      });
    }

    it('is not skipped with an empty auto', async () => {
      expect((await get(new VkIdClient(sandbox).authorization({ auto: '' }))).status).to.equal(400);
    });

    it('escapes the names of people', async () => {
      const displayName = `<script>alert("1")</script>&'`;
      const people = PEOPLE.slice(0, 1).map((alice) => ({ ...alice, displayName }));
      await withSandbox({ people }, async (other) => {
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

    for (const file of ['hanako.svg', 'nobody.svg', 'hanako_normal.png', '..%2F..%2Fpackage.json']) {
      it(`do not exist as ${file}`, async () => {
        expect((await get(`${sandbox.url}/pictures/${file}`)).status).to.equal(404);
      });
    }
  });
});

describe("The sandbox's console", () => {
  const sandbox = eachSandbox();

  const read = async (path = '/') => (await get(`${sandbox.url}${path}`)).text;
  /** The lines of the list, without times. */
  const requestsIn = (text: string) =>
    [
      ...text.matchAll(
        /<summary><time datetime="[^"]+">\d\d:\d\d:\d\d<\/time><span>(.*)<\/span><span class="badge (.*)<\/span><\/summary>/g,
      ),
    ].map(([, request, status]) => `${request} ${status}`);

  it('C50: says how a login comes back in another browser: its consent page keeps nothing in the one that opened it', async () => {
    expectPage(await read()).toHave('open the address of its consent page in a private window');
    for (const client of [new OAuth2Client(sandbox), new VkIdClient(sandbox)]) {
      const [opened, other] = [new Browser(), new Browser()];
      const url = client.authorization();
      expectPage((await opened.get(url)).text).toHave('Allow');
      const { location } = await other.post(url, { person: 'anna', decision: 'allow' });
      expect(new URL(location).searchParams.has('code')).to.equal(true);
      expect([...opened.cookies(), ...other.cookies()]).to.deep.equal([]);
    }
  });

  it('lists the latest requests, newest first, with the reasons for error responses', async () => {
    await get(`${sandbox.url}/short-video/v2/auth/authorize/`);
    sandbox.fault({ endpoint: 'users lookup', fault: { kind: 'redirect' } });
    await get(`${sandbox.url}/microblog/2/users/me`);
    await get(`${sandbox.url}/microblog/nothing`);
    expect(requestsIn(await read())).to.deep.equal([
      'X, unknown <code>GET</code><small>refused: no endpoint has this path</small> refused">404',
      'X, users lookup <code>GET</code><small>fault: redirect</small> refused">302',
      'TikTok, authorization <code>GET</code><small>refused: client_key is missing</small> refused">400',
    ]);
  });

  it('lists 25 requests, folds all but 8, and counts the others', async () => {
    for (let index = 0; index < 27; index += 1) await get(`${sandbox.url}/microblog/2/users/me`);
    const text = await read();
    expect(requestsIn(text)).to.have.length(25);
    const [unfolded = ''] = text.split('<details id="earlier"><summary>Earlier requests');
    expect(requestsIn(unfolded)).to.have.length(8);
    expectPage(text).toHave('And 2 more.');
  });

  it('lists the active faults, and how many requests are left to each', async () => {
    sandbox.fault({ network: 'social-network', version: '2.1', endpoint: 'token', fault: { kind: 'hang' } });
    sandbox.fault({ endpoint: 'users lookup', fault: { kind: 'malformed' }, times: 2 });
    await get(`${sandbox.url}/microblog/2/users/me`);
    expectPage(await read()).toHave(
      '<span>every network, users lookup: <code>malformed</code>, 1 more</span>',
      '<span>VK 2.1, token: <code>hang</code>, until removed</span>',
    );
  });

  it('has the requests of a login together, under application and person, each with what was sent, checked and answered', async () => {
    const { accessToken } = await new OAuth2Client(sandbox).tokens({ person: 'anna' });
    await get(`${sandbox.url}/microblog/2/users/me`, bearer(accessToken));
    await get(new ClassicClient(sandbox).authorization({ auto: 'deny' }));
    await get(`${sandbox.url}/microblog/2/users/me`, bearer('another-network-token'));
    const text = await read();
    const [, declined = '', login = ''] = text.split('<li class="login">');
    expectPage(declined).toHave('<p><strong>Sandbox application</strong>, <bdi>declined</bdi></p>');
    expectPage(login).toHave('<p><strong>Sandbox application</strong>, <bdi>Анна Примерова</bdi></p>');
    const names = [...login.matchAll(/<span>X, ([a-z ]+) </g)].map(([, name]) => name);
    expect(names).to.deep.equal(['authorization', 'token', 'users lookup']);
    expectPage(login).toHave(
      'Authorization: Basic ***',
      'code: ***',
      `redirect_uri: ${REDIRECT_URI}`,
      `curl -i -X POST &#39;${sandbox.url}/microblog/2/oauth2/token&#39;`,
      '--data-urlencode &#39;code_verifier=***&#39;',
      '&#34;access_token&#34;:&#34;***&#34;',
      /<span class="badge good">kept<\/span> <a href="\/guide#rule-[0-9a-f]{12}">A code belongs to one client/,
      'Location: http://127.0.0.1:3000/callback?state=xyz&#38;code=***',
    );
    expectPage(text).toLack(accessToken, 'another-network-token', VERIFIER);
    expectPage(text).toHave(/badge refused">refused<\/span> <a [^>]+>The users lookup needs a valid/);
  });

  it('masks a secret wherever it is sent, and lets no control character into the log', async () => {
    const { clientSecret } = sandbox.options('microblog');
    await get(new OAuth2Client(sandbox).authorization({ redirect_uri: `\u001b[2J ${clientSecret}` }));
    expect(reasonOf(sandbox)).to.equal('redirect_uri is no absolute http or https address: �[2J ***');
    const oauth1 = new OAuth1Client(sandbox);
    const { token, tokenSecret } = await oauth1.accessToken();
    await oauth1.verifyCredentials({ token, tokenSecret });
    const vkId = new VkIdClient(sandbox);
    const tokens = await vkId.tokens();
    await vkId.userInfo({ access_token: tokens.access_token });
    await get(sandbox.options('microblog').profileURL, { Authorization: 'another-secret' });
    const [requests = ''] = (await read()).split('<section id="try"');
    expectPage(requests).toHave('X, verify credentials', 'VK, profile', 'oauth_token=***');
    expectPage(requests).toLack(clientSecret, token, tokenSecret, ...Object.values(tokens), 'another-secret');
  });

  describe('adds and removes faults by a form', () => {
    const rule = { endpoint: 'microblog@2.0/token', kind: 'hang', value: '503', times: '2' };
    const own = { 'Sec-Fetch-Site': 'same-origin' };
    const send = (fields: Fields, headers: Fields) => post(`${sandbox.url}/faults`, fields, headers);

    it('of its own', async () => {
      expect((await send(rule, own)).status).to.equal(303);
      expect((await send(rule, { Origin: sandbox.url })).status).to.equal(303);
      expectPage(await read()).toHave('X 2.0, token: <code>hang</code>, 2 more', 'name="remove" value="1"');
      for (const remove of ['1', '2']) await send({ remove }, own);
      expectPage(await read()).toLack('Active faults');
    });

    it('that says what is wrong with it', async () => {
      const { status, text } = await send({ ...rule, kind: 'delay', value: '<b>' }, own);
      expect(status).to.equal(400);
      expectPage(text).toHave('milliseconds of &#34;delay&#34; must be an integer');
    });

    for (const headers of [
      {},
      { Origin: 'http://evil.example' },
      { Origin: 'null' },
      { Origin: 'http://127.0.0.1:3000', 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'none' },
    ]) {
      it(`but not for another page: ${JSON.stringify(headers)}`, async () => {
        expect((await send(rule, headers)).status).to.equal(403);
        expectPage(await read()).toLack('Active faults');
      });
    }
  });

  it('allows its own script and requests, and no inline script', async () => {
    const { headers, text } = await get(sandbox.url);
    expect(headers['content-security-policy']).to.match(
      /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; img-src 'self'; form-action http: https:; base-uri 'none'; frame-ancestors 'none'; script-src 'self'; connect-src 'self'$/,
    );
    expect(text.match(/<script[^>]*>/g)).to.deep.equal(['<script src="/console.js" defer>']);
    const script = await get(`${sandbox.url}/console.js`);
    expect(script.headers['content-type']).to.equal('text/javascript; charset=utf-8');
  });

  it('escapes what people and requests are called', async () => {
    const people = PEOPLE.slice(0, 1).map((alice) => ({ ...alice, displayName: '<i>', description: '<u>' }));
    await withSandbox({ people }, async ({ url }) => {
      await get(`${url}/microblog/<b>`);
      expectPage((await get(url)).text).toLack('<i>', '<u>', '<b>');
    });
  });
});

describe('A login that is tried from the console', () => {
  const sandbox = eachSandbox({ strict: true });

  /** Begins a login, and lets the consent page answer itself. @returns Where the network redirects to. */
  async function consent(path: string, query: string, url = sandbox.url): Promise<string> {
    const start = await get(`${url}${path}`);
    const page = await get(`${start.headers.location}&${query}`);
    return page.headers.location ?? '';
  }

  for (const { path, client } of TRIALS.filter(({ isOneTap }) => !isOneTap)) {
    it(`shows the profile that an application gets: ${client.title}`, async () => {
      const { status, text } = await get(await consent(path, 'auto=allow&person=anna'));
      expect(status).to.equal(200);
      expectPage(text).toHave('What the application gets', /Анна|anna_primerova/);
      expect(sandbox.requests().filter(({ refused }) => refused !== undefined)).to.deep.equal([]);
    });
  }

  it('is calm when the person declines', async () => {
    const { status, text } = await get(await consent('/try/microblog/1', 'auto=deny'));
    expect(status).to.equal(200);
    expectPage(text).toHave('Login declined', 'Back to the console');
  });

  it('finishes once', async () => {
    const location = await consent('/try/microblog/1', 'auto=allow');
    await get(location);
    const { status, text } = await get(location);
    expect(status).to.equal(502);
    expectPage(text).toHave('The login is unknown');
  });

  for (const [fault, happened] of [
    [{ kind: 'hang' }, 'no response'],
    [{ kind: 'answer', status: 503 }, 'status 503'],
    [{ kind: 'malformed' }, 'status 200'],
  ] as const) {
    it(`says which request got ${happened} when the token endpoint has the fault ${fault.kind}`, async () => {
      sandbox.fault({ network: 'microblog', endpoint: 'token', fault });
      const { status, text } = await get(await consent('/try/microblog/1', 'auto=allow'));
      expect(status).to.equal(502);
      expectPage(text).toHave(`The token request got ${happened}. The console says why.`);
    });
  }
});
