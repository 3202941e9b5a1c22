import { expect } from 'chai';
import { type LoginStore, MicroblogStrategy } from '../../lib/index.js';
import { grantedScopes } from '../../lib/microblog/index.js';
import { startSandbox } from '../../sandbox/lib/index.js';
import { closesAfterEach } from '../support/cleanup.js';
import { logIn } from '../support/journey.js';
import { loginApp } from '../support/login-app.js';
import { keyedLogins } from '../support/logins.js';
import { realSockets } from '../support/real-sockets.js';
import { network, type SeenRequest } from '../support/server.js';
import { rejectionOf } from '../support/thrown.js';

const RESPONSE = { body: { access_token: 'NEW', token_type: 'bearer' } };
const never = () => undefined;

/** A request's body and its client authentication. */
function clientRequest({ body, headers }: SeenRequest): { body: string; authorization: string | undefined } {
  return { body, authorization: headers.authorization };
}

describe('the refresh and revocation requests of microblog 2.0', () => {
  realSockets();
  const close = closesAfterEach();

  async function microblogRequests(credentials: {
    clientID: string;
    clientSecret?: string;
    store?: LoginStore;
  }) {
    const server = close(await network(() => RESPONSE));
    const urlOptions = { tokenURL: `${server.url}/token`, revocationURL: `${server.url}/revoke` };
    const strategy = new MicroblogStrategy({ ...credentials, ...urlOptions }, never);
    await strategy.refresh('REFRESH-TOKEN');
    await strategy.revoke('ACCESS-TOKEN');
    return server.requests.map(clientRequest);
  }

  it('a confidential client sends Basic credentials and no client_id in the body', async () => {
    expect(await microblogRequests({ clientID: 'CLIENT-ID', clientSecret: 'CLIENT-SECRET' })).to.deep.equal([
      {
        body: 'grant_type=refresh_token&refresh_token=REFRESH-TOKEN',
        authorization: 'Basic Q0xJRU5ULUlEOkNMSUVOVC1TRUNSRVQ=',
      },
      { body: 'token=ACCESS-TOKEN', authorization: 'Basic Q0xJRU5ULUlEOkNMSUVOVC1TRUNSRVQ=' },
    ]);
  });

  it('a public client sends client_id in the body and no credentials', async () => {
    expect(await microblogRequests({ clientID: 'CLIENT-ID', store: keyedLogins() })).to.deep.equal([
      {
        body: 'grant_type=refresh_token&refresh_token=REFRESH-TOKEN&client_id=CLIENT-ID',
        authorization: undefined,
      },
      { body: 'token=ACCESS-TOKEN&client_id=CLIENT-ID', authorization: undefined },
    ]);
  });

  for (const [secret, spelled] of [
    ['with-hyphen_and_underscore', 'with-hyphen_and_underscore'],
    ['dots.and~tildes', 'dots.and~tildes'],
    ['colon:plus+percent%', 'colon%3Aplus%2Bpercent%25'],
    ['ключ', '%D0%BA%D0%BB%D1%8E%D1%87'],
  ] as const) {
    it(`a client encodes the secret ${secret} as ${spelled}`, async () => {
      const [refresh] = await microblogRequests({ clientID: 'CLIENT-ID', clientSecret: secret });
      const [, credentials = ''] = refresh?.authorization?.split(' ') ?? [];
      expect(Buffer.from(credentials, 'base64').toString()).to.equal(`CLIENT-ID:${spelled}`);
    });
  }
});

describe('the tokens of microblog 2.0', () => {
  realSockets();
  const close = closesAfterEach();

  it('also accepts a refresh token, and ends the whole grant', async () => {
    const sandbox = close(await startSandbox());
    const kept: string[] = [];
    const strategy = new MicroblogStrategy(
      { ...sandbox.options('microblog'), scope: 'tweet.read users.read offline.access' },
      (accessToken, refreshToken, profile, done) => {
        kept.push(accessToken, refreshToken ?? '');
        done(null, { id: profile.id });
      },
    );
    await logIn(close(await loginApp(strategy)), 'microblog');
    const [, refreshToken = ''] = kept;

    await strategy.revoke(refreshToken);

    expect(await rejectionOf(strategy.refresh(refreshToken))).to.include({ networkCode: 'invalid_request' });
  });

  it('a login without the scope offline.access gets no refresh token', async () => {
    const sandbox = close(await startSandbox());
    const kept: (string | undefined)[] = [];
    const strategy = new MicroblogStrategy(
      sandbox.options('microblog'),
      (_accessToken, refreshToken, profile, done) => {
        kept.push(refreshToken);
        done(null, { id: profile.id });
      },
    );
    await logIn(close(await loginApp(strategy)), 'microblog');
    expect(kept).to.deep.equal([undefined]);
  });

  it('grantedScopes splits scope at spaces', () => {
    expect(grantedScopes({ scope: 'users.read tweet.read offline.access' })).to.deep.equal([
      'users.read',
      'tweet.read',
      'offline.access',
    ]);
  });

  for (const params of [{}, { scope: '' }, { scope: ' , ' }]) {
    it(`grantedScopes of ${JSON.stringify(params)} is an empty list`, () => {
      expect(grantedScopes(params)).to.deep.equal([]);
    });
  }
});
