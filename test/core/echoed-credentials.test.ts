import { inspect } from 'node:util';
import { expect } from 'chai';
import { MicroblogStrategy, type RefusedError } from '../../lib/index.js';
import { attempt, fakeRequest } from '../support/attempt.js';
import { closesAfterEach } from '../support/cleanup.js';
import { playLogin } from '../support/oauth2-login.js';
import { realSockets } from '../support/real-sockets.js';
import { network, type SeenRequest } from '../support/server.js';
import { rejectionOf } from '../support/thrown.js';

/** Everything in it percent-encodes, so what is sent is not the base64 of the secret itself. */
const CLIENT_SECRET = 'ключ:/+=&?#% secret'.replace(' ', '');
const HEADER = 'header-value-0123456789';

/** What a network knows of a request, in the words that it chooses. */
type Words = (request: SeenRequest) => string;

const credentials: Words = ({ headers }) => (headers.authorization ?? '').replace('Basic ', '');
const WORDS: Readonly<Record<string, Words>> = {
  'the Basic credentials': (request) => `not ${credentials(request)}`,
  'the Basic credentials in base64url': (request) =>
    `not ${Buffer.from(credentials(request), 'base64').toString('base64url')}`,
  'the Basic credentials decoded': (request) =>
    `not ${Buffer.from(credentials(request), 'base64').toString()}`,
  'the custom header': ({ headers }) => `not ${String(headers['x-app'])}`,
};

describe('echoes of a client’s credentials', () => {
  realSockets();
  const close = closesAfterEach();

  async function echoing(words: Words, options: object = {}) {
    const said: string[] = [];
    const server = close(
      await network((request) => {
        said.push(words(request).replace('not ', ''));
        return { status: 400, body: { error: 'invalid_request', error_description: words(request) } };
      }),
    );
    const addresses = { tokenURL: `${server.url}/token`, revocationURL: `${server.url}/revoke` };
    const strategy = new MicroblogStrategy(
      {
        clientID: 'the-client',
        clientSecret: CLIENT_SECRET,
        customHeaders: { 'X-App': HEADER },
        authorizationURL: `${server.url}/authorize`,
        ...addresses,
        ...options,
      },
      () => undefined,
    );
    return { strategy, said };
  }

  function expectHidden(error: unknown, said: readonly string[]) {
    expect(error).to.include({ name: 'RefusedError', networkCode: 'invalid_request' });
    expect(said).to.have.length(1);
    expect((error as RefusedError).networkMessage).to.match(/^not (Basic )?\S{0,4}\[redacted\]\S{0,4}$/);
    const shown = inspect(error, { depth: 9, showHidden: true });
    expect(shown).to.not.include(said[0]?.slice(4, 20));
    expect(shown).to.not.include(CLIENT_SECRET);
  }

  for (const [title, words] of Object.entries(WORDS)) {
    it(`S1: ${title}, echoed at the token step, are not shown`, async () => {
      const { strategy, said } = await echoing(words);
      expectHidden((await playLogin(strategy)).ending.error, said);
    });

    it(`S1: ${title}, echoed at a revocation, are not shown`, async () => {
      const { strategy, said } = await echoing(words);
      expectHidden(await rejectionOf(strategy.revoke('the-access-token')), said);
    });
  }

  it('S1: the state, echoed by the token endpoint, is not shown', async () => {
    let state = '';
    const { strategy } = await echoing(() => `not ${state}`);
    const session = {};
    const { redirect = '' } = await attempt(strategy, fakeRequest('/login', session));
    state = new URL(redirect).searchParams.get('state') ?? '';
    expect(state).to.have.length(43);
    const callback = `/callback?code=the-code&state=${state}`;
    const { error } = await attempt(strategy, fakeRequest(callback, session));
    expect(error).to.include({ name: 'RefusedError', networkMessage: 'not [redacted]' });
    expect(inspect(error, { depth: 9, showHidden: true })).to.not.include(state);
  });
});
