import { expect } from 'chai';
import type { AnySandboxOptions } from '../../sandbox/lib/index.js';
import { type Contract, describeEach, isOAuth1, isOAuth2, verifyPerson } from '../contract/harness.js';
import { classOf } from '../contract/strategies.js';
import { Browser } from '../support/browser.js';
import { allow, start } from '../support/journey.js';
import type { SeenRequest } from '../support/server.js';
import { hostileScene } from './hostile-network.js';

/** The parts of a token request that differ from login to login, as encoded in the body. */
interface Values {
  readonly code: string;
  readonly redirect: string;
  readonly verifier: string;
  readonly device: string;
  readonly state: string;
}

/** A kind of client and its exact token request. */
interface Client {
  readonly title: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly body: (values: Values) => string;
  readonly authorization?: string;
}

const CODE = ({ code, redirect }: Values) =>
  `grant_type=authorization_code&code=${code}&redirect_uri=${redirect}`;
const WITH_VERIFIER = (values: Values) => `${CODE(values)}&code_verifier=${values.verifier}`;
const VK_ID = (values: Values) => `device_id=${values.device}&state=${values.state}&${WITH_VERIFIER(values)}`;

const CLIENTS: Readonly<Record<string, readonly Client[]>> = {
  'short-video': [
    {
      title: 'a client with a secret sends its ID and secret in the body, as client_key and client_secret',
      options: { clientID: 'the-id', clientSecret: 's&cret' },
      body: (values) => `${WITH_VERIFIER(values)}&client_key=the-id&client_secret=s%26cret`,
    },
  ],
  microblog: [
    {
      title: 'a client with a secret sends its ID and secret only in the Basic header',
      options: { clientID: 'the-id', clientSecret: 's:cr&t' },
      body: WITH_VERIFIER,
      authorization: `Basic ${Buffer.from('the-id:s%3Acr%26t').toString('base64')}`,
    },
    {
      title: 'a client without a secret sends its ID only in the body',
      options: { clientID: 'the-id' },
      body: (values) => `${WITH_VERIFIER(values)}&client_id=the-id`,
    },
  ],
  'social-network': [
    {
      title: 'a client with a secret sends its ID and secret in the body',
      options: { clientID: 'the-id', clientSecret: 's&cret' },
      body: (values) => `${CODE(values)}&client_id=the-id&client_secret=s%26cret`,
    },
  ],
  'social-network 2.1': [
    {
      title: 'a client without a service token sends only its ID',
      options: { version: '2.1', clientID: 'the-id' },
      body: (values) => `${VK_ID(values)}&client_id=the-id`,
    },
    {
      title: 'a client with a service token sends it in the body',
      options: { version: '2.1', clientID: 'the-id', serviceToken: 's&rvice' },
      body: (values) => `service_token=s%26rvice&${VK_ID(values)}&client_id=the-id`,
    },
  ],
};

describeEach(
  'the exact token request',
  (contract) => {
    const { provider, version } = contract.subject;
    const clients = CLIENTS[version === undefined ? provider : `${provider} ${version}`] ?? [];

    for (const { title, options, body, authorization } of clients) {
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
): Promise<{ seen: SeenRequest; values: Values }> {
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
