import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { expect } from 'chai';
import { type Contract, describeEach, isOAuth2 } from '../contract/harness.js';
import type { OAuth2Subject, Subject } from '../contract/strategies.js';
import { Browser } from '../support/browser.js';
import { allow, start } from '../support/journey.js';
import { type HostileScene, hostileScene } from './hostile-network.js';

const hasPKCE = (subject: Subject): subject is OAuth2Subject =>
  isOAuth2(subject) && subject.challenge !== 'none';
const rejectsPKCE = (subject: Subject): subject is OAuth2Subject =>
  isOAuth2(subject) && subject.challenge === 'none';

describeEach(
  'redirect_uri in the token request',
  (contract) => {
    const { provider } = contract.subject;

    it('C14: redirect_uri repeats the authorization request when the callback request has another port', async () => {
      const scene = await hostileScene(contract);
      const browser = new Browser();
      const authorization = await start(browser, scene.app, provider);
      const started = new URL(authorization).searchParams.get('redirect_uri');
      const callback = await allow(browser, authorization);
      const cookie = browser.cookieHeader(scene.app.url);
      expect(await statusOf(callback, { cookie, host: '127.0.0.1:8080' })).to.equal(200);
      expect(sentRedirectURI(scene)).to.equal(started);
      expect(started).to.equal(`${scene.app.url}/api/auth/callback/${provider}`);
    });

    it('C14: redirect_uri is the callbackURL that the application passed for this login', async () => {
      const callbackURL = 'https://app.example/this/login';
      const usual = { callbackURL: 'https://app.example/usual' };
      const scene = await hostileScene(contract, usual, undefined, { start: { callbackURL } });
      const browser = new Browser();
      const { search } = new URL(await allow(browser, await start(browser, scene.app, provider)));
      const page = await browser.get(`${scene.app.url}/api/auth/callback/${provider}${search}`);
      expect(page.status).to.equal(200);
      expect(sentRedirectURI(scene)).to.equal(callbackURL);
    });
  },
  isOAuth2,
);

describeEach(
  'PKCE',
  (contract) => {
    const { subject } = contract;

    it('C15: the challenge is the SHA-256 of the posted verifier', async () => {
      const { challenge, method, verifier } = await pkceOf(contract);
      const encoding = subject.challenge as 'hex' | 'base64url';
      expect(method).to.equal('S256');
      expect(challenge).to.equal(createHash('sha256').update(verifier).digest(encoding));
    });

    it('C16: the verifier has 43 base64url characters and is never reused', async () => {
      const scene = await hostileScene(contract);
      for (let count = 0; count < 10; count += 1) expect((await scene.attempt()).status).to.equal(200);
      const verifiers = scene.seenAt('tokenURL').map(({ form }) => form.get('code_verifier') ?? '');
      expect(verifiers).to.have.length(10);
      for (const verifier of verifiers) expect(verifier).to.match(/^[A-Za-z0-9_-]{43}$/);
      expect(new Set(verifiers).size).to.equal(10);
    });

    it('C15, C16: the verifier is neither the state nor derived from it', async () => {
      const { state, challenge, verifier } = await pkceOf(contract);
      expect(verifier).to.not.equal(state);
      for (const encoding of ['hex', 'base64url'] as const) {
        const digest = createHash('sha256').update(state).digest(encoding);
        expect([verifier, challenge]).to.not.include(digest);
      }
    });
  },
  hasPKCE,
);

describeEach(
  'a network that rejects PKCE',
  (contract) => {
    it('C15: a network that rejects PKCE gets neither a challenge nor a verifier', async () => {
      const { challenge, method, verifier } = await pkceOf(contract);
      expect([challenge, method, verifier]).to.deep.equal(['', '', '']);
    });
  },
  rejectsPKCE,
);

describeEach(
  'the option pkce',
  ({ sandbox, strategy }) => {
    it('C15: the option pkce rejects plain and false', async () => {
      const world = await sandbox();
      for (const pkce of ['plain', false]) {
        expect(() => strategy(world, { pkce })).to.throw(TypeError, /option pkce /);
      }
    });
  },
  isOAuth2,
);

/** The PKCE parameters of a login, from its authorization request and its token request; '' where there is none. */
async function pkceOf(contract: Contract) {
  const scene = await hostileScene(contract);
  const browser = new Browser();
  const authorization = await start(browser, scene.app, contract.subject.provider);
  expect((await browser.get(await allow(browser, authorization))).status).to.equal(200);
  const { searchParams } = new URL(authorization);
  const form = scene.seenAt('tokenURL')[0]?.form;
  return {
    state: searchParams.get('state') ?? '',
    challenge: searchParams.get('code_challenge') ?? '',
    method: searchParams.get('code_challenge_method') ?? '',
    verifier: form?.get('code_verifier') ?? '',
  };
}

function sentRedirectURI(scene: HostileScene): string | null | undefined {
  return scene.seenAt('tokenURL')[0]?.form.get('redirect_uri');
}

/** Sends a GET with a custom Host header, which fetch does not allow. */
function statusOf(url: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { headers, agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    })
      .on('error', reject)
      .end();
  });
}
