import { expect } from 'chai';
import type { AnySandboxOptions } from '../../sandbox/lib/index.js';
import { type Contract, describeEach, isOAuth1, isOAuth2, verifyPerson } from '../contract/harness.js';
import { classOf } from '../contract/strategies.js';
import { Browser } from '../support/browser.js';
import { allow, start } from '../support/journey.js';
import type { TokenRequestValues } from '../support/network-definition.js';
import type { SeenRequest } from '../support/server.js';
import { hostileScene } from './hostile-network.js';

describeEach(
  'the exact token request',
  (contract) => {
    for (const { title, options, body, authorization } of contract.subject.clients) {
      it(`T12: ${title}`, async () => {
        const { seen, values } = await tokenRequest(contract, options);
        expect(seen.method).to.equal('POST');
        expect(seen.body).to.equal(body(values));
        expect(seen.headers.authorization).to.equal(authorization);
        expect(seen.headers['content-type']).to.equal('application/x-www-form-urlencoded');
      });
    }

    it('T12: an empty client secret is a TypeError', async () => {
      const world = await contract.sandbox();
      expect(() => contract.strategy(world, { clientSecret: '' })).to.throw(
        TypeError,
        /option clientSecret /,
      );
    });
  },
  isOAuth2,
);

describeEach(
  'the OAuth 1.0a token requests',
  (contract) => {
    it('T12: both token requests are signed and contain neither a secret nor a body', async () => {
      const scene = await hostileScene(contract);
      expect((await scene.attempt()).status).to.equal(200);
      const { clientSecret } = contract.subject.options(await contract.sandbox()) as { clientSecret: string };
      for (const endpoint of ['requestTokenURL', 'accessTokenURL'] as const) {
        const [seen] = scene.seenAt(endpoint);
        expect([seen?.method, seen?.body, seen?.url]).to.deep.equal(['POST', '', seen?.path]);
        expect(seen?.headers.authorization).to.match(/^OAuth /);
        expect(JSON.stringify(seen?.headers)).to.not.include(clientSecret);
      }
    });
  },
  isOAuth1,
);

/** Makes the token request of a client that the sandbox does not know. @returns The request and the values it must contain. */
async function tokenRequest(
  contract: Contract,
  options: Readonly<Record<string, unknown>>,
): Promise<{ seen: SeenRequest; values: TokenRequestValues }> {
  const { subject, sandbox } = contract;
  const { clientID } = subject.options(await sandbox());
  const absent = Object.fromEntries(['clientSecret', 'serviceToken'].map((name) => [name, undefined]));
  const scene = await hostileScene(
    { ...contract, strategy: withoutUndefined(contract) },
    { ...absent, ...options },
  );
  const browser = new Browser();
  const authorization = await start(browser, scene.app, subject.provider);
  const redirect = new URL(authorization).searchParams.get('redirect_uri') ?? '';
  // The sandbox shows the consent page only for its own client.
  const known = authorization.replace('=the-id', `=${encodeURIComponent(clientID)}`);
  const callback = new URL(await allow(browser, known));
  await browser.get(callback.href);
  const [seen] = scene.seenAt('tokenURL');
  if (!seen) throw new Error('there was no token request');
  // URLSearchParams leaves `*` as it is and writes a space as `+`; RFC 3986 encodes both.
  const written = (value: string | null | undefined) =>
    new URLSearchParams([['', value ?? '']])
      .toString()
      .slice(1)
      .replaceAll('*', '%2A')
      .replaceAll('+', '%20');
  const values = {
    code: written(callback.searchParams.get('code')),
    redirect: written(redirect),
    verifier: written(seen.form.get('code_verifier')),
    device: written(callback.searchParams.get('device_id')),
    state: written(callback.searchParams.get('state')),
  };
  return { seen, values };
}

/** An undefined credential is a TypeError for a strategy; here it leaves out the sandbox's own credential. */
function withoutUndefined({ subject }: Contract): Contract['strategy'] {
  return (world, options = {}, verify) => {
    const own: AnySandboxOptions = subject.options(world);
    const all = Object.entries({ ...own, ...options }).filter(([, value]) => value !== undefined);
    return new (classOf(subject))(Object.fromEntries(all), verify ?? verifyPerson);
  };
}
