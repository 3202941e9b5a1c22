import { inspect } from 'node:util';
import { expect } from 'chai';
import { MicroblogStrategy, type RefusedError } from '../../../lib/index.js';
import { attempt, fakeRequest, playLogin } from '../../support/attempt.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { realSockets } from '../../support/real-sockets.js';
import { network, type SeenRequest } from '../../support/server.js';
import { rejectionOf } from '../../support/thrown.js';

/** All of it is percent-encoded, so the header is not the base64 of the secret itself. */
const CLIENT_SECRET = 'ключ:/+=&?#% secret'.replace(' ', '');
const HEADER = 'header-value-0123456789';

/** An error message in which a network echoes a part of the request. */
type Echo = (request: SeenRequest) => string;

const credentials: Echo = ({ headers }) => (headers.authorization ?? '').replace('Basic ', '');
const ECHOES: Readonly<Record<string, Echo>> = {
  'the Basic credentials': (request) => `not ${credentials(request)}`,
  'the Basic credentials in base64url': (request) =>
    `not ${Buffer.from(credentials(request), 'base64').toString('base64url')}`,
  'the Basic credentials decoded': (request) =>
    `not ${Buffer.from(credentials(request), 'base64').toString()}`,
  'the custom header': ({ headers }) => `not ${String(headers['x-app'])}`,
};

describe('echoed credentials', () => {
  realSockets();
  const close = closesAfterEach();

  async function echoing(echo: Echo, options: object = {}) {
    const echoed: string[] = [];
    const server = close(
      await network((request) => {
        echoed.push(echo(request).replace('not ', ''));
        return { status: 400, body: { error: 'invalid_request', error_description: echo(request) } };
      }),
    );
    const urls = { tokenURL: `${server.url}/token`, revocationURL: `${server.url}/revoke` };
    const strategy = new MicroblogStrategy(
      {
        clientID: 'the-client',
        clientSecret: CLIENT_SECRET,
        customHeaders: { 'X-App': HEADER },
        authorizationURL: `${server.url}/authorize`,
        ...urls,
        ...options,
      },
      () => undefined,
    );
    return { strategy, echoed };
  }

  function expectHidden(error: unknown, echoed: readonly string[]) {
    expect(error).to.include({ name: 'RefusedError', networkCode: 'invalid_request' });
    expect(echoed).to.have.length(1);
    expect((error as RefusedError).networkMessage).to.match(/^not (Basic )?\S{0,4}\[redacted\]\S{0,4}$/);
    const shown = inspect(error, { depth: 9, showHidden: true });
    expect(shown).to.not.include(echoed[0]?.slice(4, 20));
    expect(shown).to.not.include(CLIENT_SECRET);
  }

  for (const [title, echo] of Object.entries(ECHOES)) {
    it(`S1: ${title}, echoed in an error response to the token request, are not shown`, async () => {
      const { strategy, echoed } = await echoing(echo);
      expectHidden((await playLogin(strategy)).ending.error, echoed);
    });

    it(`S1: ${title}, echoed in an error response to a revocation, are not shown`, async () => {
      const { strategy, echoed } = await echoing(echo);
      expectHidden(await rejectionOf(strategy.revoke('the-access-token')), echoed);
    });
  }

  it('S1: OAuth 1.0a: the custom header, echoed by the request token endpoint, is not shown', async () => {
    const errors = ({ headers }: SeenRequest) => [{ code: 1, message: `not ${String(headers['x-app'])}` }];
    const server = close(await network((request) => ({ status: 400, body: { errors: errors(request) } })));
    const options = { version: '1.0', clientID: 'the-client', clientSecret: CLIENT_SECRET } as const;
    const strategy = new MicroblogStrategy(
      { ...options, requestTokenURL: server.url, customHeaders: { 'X-App': 'correct-horse-battery' } },
      () => undefined,
    );
    const { error } = await attempt(strategy, fakeRequest('/login', {}));
    expect(error).to.include({ name: 'RefusedError', networkMessage: 'not [redacted]' });
  });

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
