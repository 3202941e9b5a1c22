import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../lib/sandbox/index.js';
import { OAuth1Client } from '../microblog/oauth1-client.js';
import { OAuth2Client } from '../microblog/oauth2-client.js';
import { callbackOf, get, post, reasonOf } from '../requests.js';
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
    it('is a form without JavaScript that comes back to its own address', async () => {
      const { status, headers, text } = await get(new ShortVideoClient(sandbox).authorization());
      expect(status).to.equal(200);
      expect(headers.get('content-type')).to.equal('text/html; charset=utf-8');
      expect(text)
        .to.include('<form method="post">')
        .and.not.match(/<script|javascript:|\son[a-z]+=/i);
      expect(text).to.include('<html lang="en">').and.to.include('width=device-width');
    });

    it('lets nothing run, load or frame it', async () => {
      const { headers } = await get(new ShortVideoClient(sandbox).authorization());
      expect(headers.get('content-security-policy')).to.match(
        /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; img-src 'self'; form-action http: https:; base-uri 'none'; frame-ancestors 'none'$/,
      );
      expect(headers.get('referrer-policy')).to.equal('no-referrer');
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
    });

    it('names the application and offers every person with picture and name, the first one chosen', async () => {
      const { text } = await get(new OAuth2Client(sandbox).authorization());
      expect(text).to.include('<h1>Sandbox application asks to log you in</h1>');
      expect(text.match(/<input type="radio" name="person"/g)).to.have.length(9);
      expect(text).to.include('<input type="radio" name="person" value="alice" required checked>');
      expect(text).to.include('<img class="picture" src="/pictures/anna.svg" alt="" width="40" height="40">');
      expect(text).to.include(
        '<span><bdi>Анна Примерова</bdi><small>@anna_primerova, anna@example.com</small></span>',
      );
      expect(text).to.include('<button name="decision" value="allow">Allow</button>');
      expect(text).to.include('<button name="decision" value="deny">Deny</button>');
    });

    it('shows the scopes of short-video ticked, and the basic one fixed', async () => {
      const scope = 'user.info.basic,user.info.stats';
      const { text } = await get(new ShortVideoClient(sandbox).authorization({ scope }));
      expect(text).to.include(
        '<input type="checkbox" name="scope" value="user.info.basic" checked disabled>',
      );
      expect(text).to.include('<input type="checkbox" name="scope" value="user.info.stats" checked>');
    });

    it('lists the scopes of the other networks', async () => {
      const microblog = await get(
        new OAuth2Client(sandbox).authorization({ scope: 'tweet.read users.read' }),
      );
      expect(microblog.text).to.include(
        '<ul><li><code>tweet.read</code></li><li><code>users.read</code></li></ul>',
      );
      const vkId = await get(new VkIdClient(sandbox).authorization({ scope: 'email' }));
      expect(vkId.text).to.include('<ul><li><code>email</code></li></ul>');
      const classic = await get(new ClassicClient(sandbox).authorization({ scope: '4194304' }));
      expect(classic.text).to.include('<ul><li><code>email</code></li></ul>');
    });

    it('says so when nothing is asked for', async () => {
      const oauth1 = new OAuth1Client(sandbox);
      const { token } = await oauth1.requestToken();
      expect((await get(oauth1.authorization(token))).text).to.include('Nothing beyond who you are.');
    });

    it('logs in whoever was chosen', async () => {
      const client = new ClassicClient(sandbox);
      const form = { person: 'anna', decision: 'allow' };
      const { code = '' } = callbackOf(await post(client.authorization(), form));
      expect((await client.exchange(code)).json).to.include({ user_id: 743784474 });
    });

    it('sends the browser back when the person says no', async () => {
      const form = { person: 'anna', decision: 'deny' };
      const callback = callbackOf(await post(new ClassicClient(sandbox).authorization(), form));
      expect(callback).to.include({ error: 'access_denied' });
    });

    for (const [form, reason] of [
      [{ person: 'alice' }, 'the decision is neither "allow" nor "deny"'],
      [{ person: 'alice', decision: 'perhaps' }, 'the decision is neither "allow" nor "deny"'],
      [{ person: 'nobody', decision: 'allow' }, 'the sandbox knows nobody of that name'],
    ] as const) {
      it(`refuses the answer ${JSON.stringify(form)}`, async () => {
        expect((await post(new VkIdClient(sandbox).authorization(), form)).status).to.equal(400);
        expect(reasonOf(sandbox)).to.equal(reason);
      });
    }

    it('judges the request again when the answer comes', async () => {
      const form = { person: 'alice', decision: 'allow' };
      expect((await post(new VkIdClient(sandbox).authorization({ state: 'short' }), form)).status).to.equal(
        400,
      );
    });

    it('answers at once for the person that the address names, or the first one', async () => {
      const client = new ClassicClient(sandbox);
      expect((await client.exchange(await client.code({ person: 'ned' }))).json).to.include({
        user_id: 12345678,
      });
      expect((await client.exchange(await client.code())).json).to.include({ user_id: 1000000001 });
    });

    for (const query of [{ auto: 'perhaps' }, { auto: '' }, { auto: 'allow', person: 'nobody' }]) {
      it(`does not answer at once for ${JSON.stringify(query)}`, async () => {
        expect((await get(new VkIdClient(sandbox).authorization(query))).status).to.equal(400);
      });
    }

    it('escapes whatever people are called', async () => {
      const [alice] = sandbox.people;
      if (!alice) throw new Error('There is no first person');
      const displayName = `<script>alert("1")</script>&'`;
      const other = await startSandbox({ people: [{ ...alice, displayName }] });
      const { text } = await get(new ClassicClient(other).authorization());
      expect(text).to.include('&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;&#38;&#39;');
      expect(text).not.to.include('<script>');
      expect((await get(`${other.url}/pictures/alice.svg`)).text).not.to.include('<</text>');
      await other.close();
    });
  });

  it('begin with a list of credentials, people and addresses', async () => {
    const { status, text } = await get(`${sandbox.url}/`);
    expect(status).to.equal(200);
    expect(text).to.include(
      '<code>sbawsandboxkey0001</code>, secret <code>short-video-sandbox-client-secret</code>',
    );
    expect(text).to.include('<code>51000002</code>, no secret').and.to.include('vk-id-sandbox-service-token');
    expect(text).to.include('Анна Примерова').and.to.include('<code>anna</code>');
    expect(text).to.include(`<code>${sandbox.url}/microblog/2/users/me</code>`);
  });

  describe('the pictures', () => {
    it('are drawn for those who have one, in the size that was asked for', async () => {
      const { status, headers, text } = await get(`${sandbox.url}/pictures/anna.svg?size=50`);
      expect(status).to.equal(200);
      expect(headers.get('content-type')).to.equal('image/svg+xml; charset=utf-8');
      expect(text).to.include('width="50" height="50"').and.to.include('>А</text>');
    });

    it('are 200 pixels wide without a size, or with a senseless one', async () => {
      for (const query of ['', '?size=0', '?size=100000', '?size="><x']) {
        expect((await get(`${sandbox.url}/pictures/anna.svg${query}`)).text).to.include(
          'width="200" height="200"',
        );
      }
    });

    for (const file of ['hanako.svg', 'nobody.svg', 'alice.png', '..%2F..%2Fpackage.json']) {
      it(`do not exist as ${file}`, async () => {
        expect((await get(`${sandbox.url}/pictures/${file}`)).status).to.equal(404);
      });
    }

    it('have a placeholder for those without one', async () => {
      const { status, headers } = await get(`${sandbox.url}/images/camera_b.gif`);
      expect(status).to.equal(200);
      expect(headers.get('content-type')).to.equal('image/gif');
    });
  });
});
