import { expect } from 'chai';
import {
  MicroblogStrategy,
  RefusedError,
  ShortVideoStrategy,
  SocialNetworkStrategy,
} from '../../../lib/index.js';
import { playLogin } from '../../support/attempt.js';
import { closesAfterEach } from '../../support/cleanup.js';
import type { NamedStrategy } from '../../support/login-app.js';
import { keyedLogins } from '../../support/logins.js';
import { realSockets } from '../../support/real-sockets.js';
import { network } from '../../support/server.js';

type Done = (error: unknown, user: object) => void;
type URLs = Record<'clientID' | 'authorizationURL' | 'tokenURL' | 'profileURL', string>;
type Make = (options: URLs) => NamedStrategy;

const admit = (_token: string, _refresh: unknown, { id }: { id: string }, done: Done) => done(null, { id });
const TOKEN = { access_token: 'the-token', token_type: 'bearer', expires_in: 60 };

const clientSecret = 'the-secret';
const person = { first_name: 'Anna', last_name: 'A' };

const SUBJECTS: readonly [title: string, make: Make, token: object, profile: object][] = [
  [
    'short-video network',
    (options) => new ShortVideoStrategy({ ...options, clientSecret }, admit),
    { open_id: '7', scope: 'user.info.basic' },
    { data: { user: { open_id: '7', display_name: 'Anna' } } },
  ],
  [
    'microblog network',
    (options) => new MicroblogStrategy({ ...options, store: keyedLogins() }, admit),
    { scope: 'users.read tweet.read' },
    { data: { id: '7', name: 'Anna', username: 'anna' } },
  ],
  [
    'social network, classic',
    (options) => new SocialNetworkStrategy({ ...options, clientSecret }, admit),
    { user_id: 7 },
    { response: [{ id: 7, ...person }] },
  ],
  [
    'social network, VK ID',
    (options) => new SocialNetworkStrategy({ ...options, clientSecret, version: '2.1' }, admit),
    { user_id: 7 },
    { user: { user_id: '7', ...person } },
  ],
];

for (const [title, make, token, profile] of SUBJECTS) {
  describe(`errors with HTTP 200, ${title}`, () => {
    realSockets();
    const close = closesAfterEach();

    async function login(beside: { token?: object; profile?: object }) {
      const server = close(
        await network(({ path }) => ({
          body:
            path === '/token' ? { ...TOKEN, ...token, ...beside.token } : { ...profile, ...beside.profile },
        })),
      );
      const strategy = make({
        clientID: 'the-client',
        authorizationURL: `${server.url}/authorize`,
        tokenURL: `${server.url}/token`,
        profileURL: `${server.url}/profile`,
      });
      const { ending } = await playLogin(strategy, { code: 'the-code', device_id: 'the-device' });
      return { ...ending, requests: server.requests.map(({ path }) => path) };
    }

    for (const error of [5, true, ['x'], { code: 5 }, { unknown: 1 }, 'server_error']) {
      // Beside a record, the microblog network lists the fields that it could not read: no error response.
      const without = title.startsWith('microblog') ? { data: undefined } : {};
      it(`T8: error ${JSON.stringify(error)} beside a token, or with a record, is a RefusedError`, async () => {
        for (const [step, beside, paths] of [
          ['token', { token: { error } }, ['/token']],
          ['profile', { profile: { ...without, error } }, ['/token', '/profile']],
        ] as const) {
          const { error: refused, user, requests } = await login(beside);
          expect(user).to.equal(undefined);
          expect(refused).to.be.instanceOf(RefusedError);
          expect(refused).to.include({ step, code: 'refused', networkStatus: 200 });
          expect([...new Set(requests)]).to.deep.equal(paths);
        }
      });
    }

    for (const error of [null, '', false]) {
      it(`error ${JSON.stringify(error)} beside a token and a record is no error`, async () => {
        expect((await login({ token: { error }, profile: { error } })).user).to.deep.equal({ id: '7' });
      });
    }
  });
}
