import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { OAuth2Client, ShortVideoClient, VkIdClient } from '../../sandbox/clients.js';
import { postJson } from '../../sandbox/requests.js';
import { opened } from '../../support/stand-in.js';
import { programsOf, Visitor } from '../programs.js';

const SIGN_IN = '/api/auth/signin/microblog';

describe('The guide to mobile applications', function () {
  this.timeout(30_000);
  const { sandbox, start, write } = programsOf('docs/single-page-and-mobile.md');
  const server = opened(() => start('mobile.mjs'));

  const newVerifier = () => randomBytes(32).toString('base64url');
  const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

  /** Logs in in the system's browser. @returns The address with which the browser calls the app. */
  async function browse(start: string, choices?: string): Promise<URL> {
    const browser = new Visitor(server.url);
    const consent = await browser.start(start);
    const { location } = await browser.open(await browser.consent(consent, choices));
    return new URL(location);
  }

  const startOf = (verifier: string) => `${SIGN_IN}?challenge=${challengeOf(verifier)}`;

  const fetchToken = (code: string | null, verifier: unknown) =>
    postJson(`${server.url}/api/auth/token`, { code, verifier });

  const me = (authorization: string) => new Visitor(server.url).open('/api/me', { authorization });

  it('has an app that gets a token for the login that it began, and none if the user declines', async () => {
    const own = (code: string) => code.replace('https://api.shop.example', server.url);
    const { logIn } = require(write('app-login.ts', own)) as {
      readonly logIn: (phone: object) => Promise<string | undefined>;
    };
    const phone = (choices: string) => ({
      openAuthSessionAsync: async (start: string) => {
        const { href: url } = await browse(start, choices);
        expect(url).to.match(/^com\.example\.shop:\/login\?(code=[\w-]{43}|error=access_denied)$/);
        return { type: 'success', url };
      },
      getRandomBytes: randomBytes,
      sha256: async (text: string) => createHash('sha256').update(text).digest('base64'),
    });
    const token = await logIn(phone('auto=allow&person=alice'));
    const { json } = await me(`Bearer ${token}`);
    expect(json).to.deep.equal({ id: 'microblog:2244994945', name: 'Alice Example' });
    expect(await logIn(phone('auto=deny'))).to.equal(undefined);
  });

  for (const [what, first, status] of [
    ['a code after an attempt with another verifier', newVerifier(), 400],
    ['a code that was used', undefined, 200],
  ] as const) {
    it(`gives no token for ${what}, an unknown code, and no code`, async () => {
      const verifier = newVerifier();
      const code = (await browse(startOf(verifier))).searchParams.get('code');
      expect((await fetchToken(code, first ?? verifier)).status).to.equal(status);
      expect((await fetchToken(code, verifier)).status).to.equal(400);
      expect((await fetchToken('CODE', verifier)).status).to.equal(400);
      expect((await fetchToken(null, undefined)).status).to.equal(400);
    });
  }

  it('gives no token for a login that began without a challenge', async () => {
    expect((await new Visitor(server.url).open(SIGN_IN)).status).to.equal(400);
    const code = (await browse('/api/auth/callback/microblog')).searchParams.get('code');
    expect((await fetchToken(code, undefined)).status).to.equal(400);
  });

  it('tells the app that the user declined, or that the network failed', async () => {
    const declined = await browse(startOf(newVerifier()), 'auto=deny');
    expect(declined.href).to.equal('com.example.shop:/login?error=access_denied');
    sandbox().fault({ network: 'microblog', endpoint: 'token', fault: { kind: 'rate-limit' } });
    const failed = await browse(startOf(newVerifier()));
    expect(failed.href).to.equal('com.example.shop:/login?error=rate_limited');
  });

  describe('with a network’s SDK', () => {
    const APP = 'https://shop.example/app/login';
    /** The network that an SDK speaks to, and alice's account. */
    const SDKS = {
      'short-video': [ShortVideoClient, /^short-video:[\w-]{36}$/],
      microblog: [OAuth2Client, /^microblog:2244994945$/],
      'social-network': [VkIdClient, /^social-network:1000000001$/],
    } as const;
    type Name = keyof typeof SDKS;

    /** The phone: its SDK opens the network with a challenge of its own. @returns What the app sends to the server. */
    async function phone(name: Name, codeVerifier = newVerifier()) {
      const encoding = name === 'short-video' ? 'hex' : 'base64url';
      const code_challenge = createHash('sha256').update(codeVerifier).digest(encoding);
      const client = new SDKS[name][0](sandbox());
      const response = await client.authorize({ redirect_uri: APP, code_challenge });
      const parameters = response.payload === undefined ? response : JSON.parse(response.payload);
      const { code, device_id: deviceID } = parameters as Record<string, string>;
      return { code, codeVerifier, deviceID };
    }

    async function send(name: Name, brought: object) {
      const { status, headers, json } = await postJson(`${server.url}/api/auth/sdk/${name}`, brought);
      expect(headers).not.to.have.property('set-cookie');
      return { status, ...(json as { token?: string; message?: string; code?: string }) };
    }

    for (const name of Object.keys(SDKS) as Name[]) {
      it(`C48: gets a token for a code of ${name}, once`, async () => {
        const brought = await phone(name);
        const { status, token } = await send(name, brought);
        expect(status).to.equal(200);
        expect((await me(`Bearer ${token}`)).json.id).to.match(SDKS[name][1]);
        expect(await send(name, brought)).to.include({ status: 403, code: 'used_login' });
      });

      it(`C48: gets none for a code of ${name} that is forged or of another login, with 403 and a sentence`, async () => {
        const own = await phone(name);
        const message = 'The network does not accept this code. Start the login again.';
        for (const code of ['FORGED', (await phone(name)).code])
          expect(await send(name, { ...own, code })).to.include({ status: 403, message });
        for (const incomplete of [{ ...own, codeVerifier: undefined }, {}, [], { code: 'a' }])
          expect(await send(name, incomplete)).to.include({ status: 400 });
      });
    }

    it('C48: is not asked for where to send the user: the redirect URI of the request counts for nothing', async () => {
      const brought = {
        ...(await phone('microblog')),
        redirectURI: 'https://evil.example/',
        withoutVerifier: true,
      };
      expect((await send('microblog', brought)).status).to.equal(200);
    });
  });

  it('knows nobody without a token', async () => {
    for (const authorization of ['', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.'])
      expect((await me(authorization)).status).to.equal(401);
  });
});
