import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { expect } from 'chai';
import { type Contract, describeEach, isOAuth2 } from '../contract/harness.js';
import type { Subject } from '../contract/strategies.js';
import { Browser } from '../support/browser.js';
import { allow, start } from '../support/journey.js';
import { type HostileScene, hostileScene } from './hostile-network.js';

/** How each network wants the code challenge to be written; the classic protocol refuses PKCE. */
const CHALLENGES: Readonly<Record<string, 'hex' | 'base64url' | 'none'>> = {
  'short-video': 'hex',
  microblog: 'base64url',
  'social-network': 'none',
  'social-network 2.1': 'base64url',
};
const challengeOf = ({ provider, version }: Subject) =>
  CHALLENGES[version === undefined ? provider : `${provider} ${version}`];
const hasPKCE = (subject: Subject) => isOAuth2(subject) && challengeOf(subject) !== 'none';
const hasNone = (subject: Subject) => isOAuth2(subject) && !hasPKCE(subject);

describeEach(
  'redirect_uri at the exchange',
  (contract) => {
    const { provider } = contract.subject;

    it('C14: is the one of the start when the callback names another host', async () => {
      const scene = await hostileScene(contract);
      const browser = new Browser();
      const authorization = await start(browser, scene.app, provider);
      const started = new URL(authorization).searchParams.get('redirect_uri');
      const callback = await allow(browser, authorization);
      const cookie = browser.cookieHeader(scene.app.url);
      expect(await statusOf(callback, { cookie, host: 'another.example:8080' })).to.equal(200);
      expect(exchanged(scene)).to.equal(started);
      expect(started).to.equal(`${scene.app.url}/api/auth/callback/${provider}`);
    });

    it('C14: is the one that the application gave for this login alone', async () => {
      const callbackURL = 'https://app.example/this/login';
      const usual = { callbackURL: 'https://app.example/usual' };
      const scene = await hostileScene(contract, usual, undefined, { start: { callbackURL } });
      const browser = new Browser();
      const { search } = new URL(await allow(browser, await start(browser, scene.app, provider)));
      const page = await browser.get(`${scene.app.url}/api/auth/callback/${provider}${search}`);
      expect(page.status).to.equal(200);
      expect(exchanged(scene)).to.equal(callbackURL);
    });
  },
  isOAuth2,
);

describeEach(
  'proof of the code exchange',
  (contract) => {
    const { subject } = contract;

    it('C15: the challenge is the SHA-256 of the verifier that is posted', async () => {
      const { challenge, method, verifier } = await proofOf(contract);
      const encoding = challengeOf(subject) as 'hex' | 'base64url';
      expect(method).to.equal('S256');
      expect(challenge).to.equal(createHash('sha256').update(verifier).digest(encoding));
    });

    it('C16: the verifier has 43 characters of base64url, is never in an address, and never comes twice', async () => {
      const scene = await hostileScene(contract);
      for (let count = 0; count < 10; count += 1) expect((await scene.attempt()).status).to.equal(200);
      const verifiers = scene.seenAt('tokenURL').map(({ form }) => form.get('code_verifier') ?? '');
      expect(verifiers).to.have.length(10);
      for (const verifier of verifiers) expect(verifier).to.match(/^[A-Za-z0-9_-]{43}$/);
      expect(new Set(verifiers).size).to.equal(10);
    });

    it('C15, C16: the verifier is neither the state nor made from it', async () => {
      const { state, challenge, verifier } = await proofOf(contract);
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
  'a network that refuses PKCE',
  (contract) => {
    it('C15: is sent neither a challenge nor a verifier', async () => {
      const { challenge, method, verifier } = await proofOf(contract);
      expect([challenge, method, verifier]).to.deep.equal(['', '', '']);
    });
  },
  hasNone,
);

describeEach(
  'options against PKCE',
  ({ sandbox, strategy }) => {
    it('C15: neither plain nor false is taken', async () => {
      const world = await sandbox();
      for (const pkce of ['plain', false]) {
        expect(() => strategy(world, { pkce })).to.throw(TypeError, /option pkce /);
      }
    });
  },
  isOAuth2,
);

/** What a login says of its verifier, at its start and at the exchange; empty where it says nothing. */
async function proofOf(contract: Contract) {
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

function exchanged(scene: HostileScene): string | null | undefined {
  return scene.seenAt('tokenURL')[0]?.form.get('redirect_uri');
}

/** Asks with a Host header of its own, which fetch does not send. */
function statusOf(address: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(address, { headers, agent: false }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode));
    })
      .on('error', reject)
      .end();
  });
}
