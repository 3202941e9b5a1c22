import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { expectPage } from '../../support/page.js';
import { OAuth1Client } from '../microblog/oauth1-client.js';
import { OAuth2Client } from '../microblog/oauth2-client.js';
import { get, post, reasonOf, responseParameters } from '../requests.js';
import { ShortVideoClient } from '../short-video/client.js';
import { ClassicClient } from '../social-network/classic-client.js';
import { VkIdClient } from '../social-network/vk-id-client.js';

describe("The sandbox's pages", () => {
  let sandbox: Sandbox;

  before(async () => {
    sandbox = await startSandbox();
  });

  after(() => sandbox.close());

  describe('the consent page', () => {
    it('is a form without JavaScript that posts to its own URL', async () => {
      const { status, headers, text } = await get(new ShortVideoClient(sandbox).authorization());
      expect(status).to.equal(200);
      expect(headers.get('content-type')).to.equal('text/html; charset=utf-8');
      expectPage(text).toHave('<form method="post">');
      expectPage(text).toLack(/<script|javascript:|\son[a-z]+=/i);
      expectPage(text).toHave('<html lang="en">', 'width=device-width');
    });

    it('allows no scripts, no other resources and no framing', async () => {
      const { headers } = await get(new ShortVideoClient(sandbox).authorization());
      expect(headers.get('content-security-policy')).to.match(
        /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; img-src 'self'; form-action http: https:; base-uri 'none'; frame-ancestors 'none'$/,
      );
      expect(headers.get('referrer-policy')).to.equal('no-referrer');
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
    });

    it('names the application, and lists every person with picture and name; the first one is selected', async () => {
      const { text } = await get(new OAuth2Client(sandbox).authorization());
      expectPage(text).toHave('<h1>Sandbox application asks to log you in</h1>');
      expect(text.match(/<input type="radio" name="person"/g)).to.have.length(9);
      expectPage(text).toHave('<input type="radio" name="person" value="alice" required checked>');
      expectPage(text).toHave('<img class="picture" src="/pictures/anna.svg" alt="" width="40" height="40">');
      expectPage(text).toHave(
        '<span><bdi>Анна Примерова</bdi><small>@anna_primerova, anna@example.com</small></span>',
      );
      expectPage(text).toHave('<button name="decision" value="allow">Allow</button>');
      expectPage(text).toHave('<button name="decision" value="deny">Deny</button>');
    });

    it('shows the scopes of short-video ticked, with the basic one disabled', async () => {
      const scope = 'user.info.basic,user.info.stats';
      const { text } = await get(new ShortVideoClient(sandbox).authorization({ scope }));
      expectPage(text).toHave(
        '<input type="checkbox" name="scope" value="user.info.basic" checked disabled>',
      );
      expectPage(text).toHave('<input type="checkbox" name="scope" value="user.info.stats" checked>');
    });

    it('lists the scopes of the other networks', async () => {
      const microblog = await get(
        new OAuth2Client(sandbox).authorization({ scope: 'tweet.read users.read' }),
      );
      expectPage(microblog.text).toHave(
        '<ul><li><code>tweet.read</code></li><li><code>users.read</code></li></ul>',
      );
      const vkId = await get(new VkIdClient(sandbox).authorization({ scope: 'email' }));
      expectPage(vkId.text).toHave('<ul><li><code>email</code></li></ul>');
      const classic = await get(new ClassicClient(sandbox).authorization({ scope: '4194304' }));
      expectPage(classic.text).toHave('<ul><li><code>email</code></li></ul>');
    });

    it('says so when no scope is requested', async () => {
      const oauth1 = new OAuth1Client(sandbox);
      const { token } = await oauth1.requestToken();
      expectPage((await get(oauth1.authorization(token))).text).toHave('Nothing beyond who you are.');
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
      [{ person: 'nobody', decision: 'allow' }, 'the sandbox knows nobody of that name'],
    ] as const) {
      it(`rejects the form ${JSON.stringify(form)}`, async () => {
        expect((await post(new VkIdClient(sandbox).authorization(), form)).status).to.equal(400);
        expect(reasonOf(sandbox)).to.equal(reason);
      });
    }

    it('validates the request again when the form is posted', async () => {
      const form = { person: 'alice', decision: 'allow' };
      expect((await post(new VkIdClient(sandbox).authorization({ scope: 'unknown' }), form)).status).to.equal(
        400,
      );
    });

    it('is skipped with auto=allow, for the person in the URL or the first one', async () => {
      const client = new ClassicClient(sandbox);
      expect((await client.exchange(await client.code({ person: 'ned' }))).json).to.include({
        user_id: 12345678,
      });
      expect((await client.exchange(await client.code())).json).to.include({ user_id: 1000000001 });
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
      const other = await startSandbox({ people: [{ ...alice, displayName }] });
      const { text } = await get(new ClassicClient(other).authorization());
      expectPage(text).toHave('&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;&#38;&#39;');
      expectPage(text).toLack('<script>');
      expectPage((await get(`${other.url}/pictures/alice.svg`)).text).toLack('<</text>');
      await other.close();
    });
  });

  it('include a root page with credentials, people and URLs', async () => {
    const { status, text } = await get(`${sandbox.url}/`);
    expect(status).to.equal(200);
    expectPage(text).toHave(
      '<code>sbawsandboxkey0001</code>, secret <code>short-video-sandbox-client-secret</code>',
    );
    expectPage(text).toHave('<code>51000002</code>, no secret', 'vk-id-sandbox-service-token');
    expectPage(text).toHave('Анна Примерова', '<code>anna</code>');
    expectPage(text).toHave(`<code>${sandbox.url}/microblog/2/users/me</code>`);
  });

  describe('the pictures', () => {
    it('are drawn for people who have one, in the requested size', async () => {
      const { status, headers, text } = await get(`${sandbox.url}/pictures/anna.svg?size=50`);
      expect(status).to.equal(200);
      expect(headers.get('content-type')).to.equal('image/svg+xml; charset=utf-8');
      expectPage(text).toHave('width="50" height="50"', '>А</text>');
    });

    it('are 200 pixels wide without a size, or with an invalid one', async () => {
      for (const query of ['', '?size=0', '?size=100000', '?size="><x']) {
        expectPage((await get(`${sandbox.url}/pictures/anna.svg${query}`)).text).toHave(
          'width="200" height="200"',
        );
      }
    });

    for (const file of ['hanako.svg', 'nobody.svg', 'alice.png', '..%2F..%2Fpackage.json']) {
      it(`do not exist as ${file}`, async () => {
        expect((await get(`${sandbox.url}/pictures/${file}`)).status).to.equal(404);
      });
    }

    it('have a placeholder for people without one', async () => {
      const { status, headers } = await get(`${sandbox.url}/images/camera_b.gif`);
      expect(status).to.equal(200);
      expect(headers.get('content-type')).to.equal('image/gif');
    });
  });
});
