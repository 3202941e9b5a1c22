import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { type Program, programsOf, Visitor } from '../programs.js';

const SIGN_IN = '/api/auth/signin/microblog';

describe('The guide to mobile applications', function () {
  this.timeout(30_000);
  const { sandbox, start, write } = programsOf('docs/single-page-and-mobile.md');
  let server: Program;

  beforeEach(async () => {
    server = await start('mobile.mjs');
  });

  const newVerifier = () => randomBytes(32).toString('base64url');
  const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

  /** Logs in in the system's browser. @returns The address with which the browser calls the app. */
  async function browse(verifier: string, choices?: string): Promise<URL> {
    const browser = new Visitor(server.url);
    const consent = await browser.start(`${SIGN_IN}?challenge=${challengeOf(verifier)}`);
    const { location } = await browser.open(await browser.consent(consent, choices));
    return new URL(location);
  }

  async function fetchToken(code: string | null, verifier: unknown): Promise<Response> {
    return fetch(`${server.url}/api/auth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code, verifier }),
    });
  }

  it('has an app that gets a token for the login that it began, and none if the user declines', async () => {
    const own = (code: string) => code.replace('https://api.shop.example', server.url);
    const { logIn } = require(write('app-login.ts', own)) as {
      readonly logIn: (phone: object) => Promise<string | undefined>;
    };
    const phone = (choices: string) => ({
      openAuthSessionAsync: async (start: string) => {
        const browser = new Visitor(server.url);
        const consent = await browser.start(start);
        const { location } = await browser.open(await browser.consent(consent, choices));
        expect(location).to.match(/^com\.example\.shop:\/login\?(code=[\w-]{43}|error=access_denied)$/);
        return { type: 'success', url: location };
      },
      getRandomBytes: randomBytes,
      sha256: async (text: string) => createHash('sha256').update(text).digest('base64'),
    });
    const token = await logIn(phone('auto=allow&person=alice'));
    const me = await fetch(`${server.url}/api/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(await me.json()).to.deep.equal({ id: 'microblog:2244994945', name: 'Alice Example' });
    expect(await logIn(phone('auto=deny'))).to.equal(undefined);
  });

  for (const [what, first, status] of [
    ['a code after an attempt with another verifier', newVerifier(), 400],
    ['a code that was used', undefined, 200],
  ] as const) {
    it(`gives no token for ${what}, an unknown code, and no code`, async () => {
      const verifier = newVerifier();
      const code = (await browse(verifier)).searchParams.get('code');
      expect((await fetchToken(code, first ?? verifier)).status).to.equal(status);
      expect((await fetchToken(code, verifier)).status).to.equal(400);
      expect((await fetchToken('CODE', verifier)).status).to.equal(400);
      expect((await fetchToken(null, undefined)).status).to.equal(400);
    });
  }

  it('gives no token for a login that began without a challenge', async () => {
    expect((await new Visitor(server.url).open(SIGN_IN)).status).to.equal(400);
    const browser = new Visitor(server.url);
    const consent = await browser.start('/api/auth/callback/microblog');
    const { location } = await browser.open(await browser.consent(consent));
    expect((await fetchToken(new URL(location).searchParams.get('code'), undefined)).status).to.equal(400);
  });

  it('tells the app that the user declined, or that the network failed', async () => {
    const declined = await browse(newVerifier(), 'auto=deny');
    expect(declined.href).to.equal('com.example.shop:/login?error=access_denied');
    sandbox().fault({ network: 'microblog', endpoint: 'token', fault: { kind: 'rate-limit' } });
    const failed = await browse(newVerifier());
    expect(failed.href).to.equal('com.example.shop:/login?error=rate_limited');
  });

  it('ends with unknown_login if the callback arrives in another browser', async () => {
    const [one, other] = [new Visitor(server.url), new Visitor(server.url)];
    const consent = await one.start(`${SIGN_IN}?challenge=${challengeOf(newVerifier())}`);
    const { location } = await other.open(await one.consent(consent));
    expect(location).to.equal('com.example.shop:/login?error=unknown_login');
  });

  it('knows nobody without a token', async () => {
    for (const authorization of ['', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.']) {
      const me = await fetch(`${server.url}/api/me`, { headers: { authorization } });
      expect(me.status).to.equal(401);
    }
  });
});
