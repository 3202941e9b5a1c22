import { expect } from 'chai';
import type { AnySandboxOptions, Sandbox } from '../../sandbox/lib/index.js';
import { describeEach, isOAuth2, verifyPerson } from '../contract/harness.js';
import { classOf, type OAuth2Subject, type Subject } from '../contract/strategies.js';
import { Browser } from '../support/browser.js';
import { allow, callbackOf, start } from '../support/journey.js';
import type { AnyFunction } from '../support/verification.js';
import { hostileScene } from './hostile-network.js';

const hasPKCE = (subject: Subject): subject is OAuth2Subject =>
  isOAuth2(subject) && subject.challenge !== 'none';

describeEach(
  'redirect_uri in the token request',
  (contract) => {
    it('C14: redirect_uri is the callbackURL that the application passed for this login', async () => {
      const callbackURL = 'https://app.example/this/login';
      const options = { callbackURL: 'https://app.example/usual' };
      const scene = await hostileScene(contract, options, undefined, { start: { callbackURL } });
      const browser = new Browser();
      const { provider } = contract.subject;
      const { search } = new URL(await callbackOf(browser, scene.app, provider));
      const page = await browser.get(`${scene.app.url}/api/auth/callback/${provider}${search}`);
      expect(page.status).to.equal(200);
      expect(scene.seenAt('tokenURL')[0]?.form.get('redirect_uri')).to.equal(callbackURL);
    });
  },
  isOAuth2,
);

describeEach(
  'PKCE',
  (contract) => {
    it('C16: the verifier has 43 base64url characters and is never reused', async () => {
      const scene = await hostileScene(contract);
      for (let count = 0; count < 4; count += 1) expect((await scene.attempt()).status).to.equal(200);
      const verifiers = scene.seenAt('tokenURL').map(({ form }) => form.get('code_verifier') ?? '');
      expect(new Set(verifiers).size).to.equal(4);
      for (const verifier of verifiers) expect(verifier).to.match(/^[A-Za-z0-9_-]{43}$/);
    });
  },
  hasPKCE,
);

describeEach(
  'the exact token request',
  (contract) => {
    const { subject } = contract;

    /** An undefined credential is a TypeError for a strategy; here it leaves out the sandbox's own credential. */
    const strategy = (world: Sandbox, options: object = {}, verify: AnyFunction = verifyPerson) => {
      const own: AnySandboxOptions = subject.options(world);
      const all = Object.entries({ ...own, ...options }).filter(([, value]) => value !== undefined);
      return new (classOf(subject))(Object.fromEntries(all), verify);
    };

    for (const { title, options, body, authorization } of subject.clients) {
      it(`T12: ${title}`, async () => {
        // A client that the sandbox does not know.
        const absent = { clientSecret: undefined, serviceToken: undefined };
        const scene = await hostileScene({ ...contract, strategy }, { ...absent, ...options });
        const browser = new Browser();
        const begun = await start(browser, scene.app, subject.provider);
        // The sandbox shows the consent page only for its own client.
        const { clientID } = subject.options(await contract.sandbox());
        const known = begun.replace('=the-id', `=${encodeURIComponent(clientID)}`);
        const callback = new URL(await allow(browser, known));
        await browser.get(callback.href);
        const [seen] = scene.seenAt('tokenURL');
        const values = {
          code: written(callback.searchParams.get('code')),
          redirect: written(new URL(begun).searchParams.get('redirect_uri')),
          verifier: written(seen?.form.get('code_verifier')),
          device: written(callback.searchParams.get('device_id')),
          state: written(callback.searchParams.get('state')),
        };
        expect([seen?.method, seen?.body]).to.deep.equal(['POST', body(values)]);
        expect(seen?.headers.authorization).to.equal(authorization);
        expect(seen?.headers['content-type']).to.equal('application/x-www-form-urlencoded');
      });
    }
  },
  isOAuth2,
);

/** A value in a form. URLSearchParams leaves `*` as it is and writes a space as `+`; RFC 3986 encodes both. */
function written(value: string | null | undefined): string {
  const [, encoded = ''] = new URLSearchParams([['', value ?? '']]).toString().split('=');
  return encoded.replaceAll('*', '%2A').replaceAll('+', '%20');
}
