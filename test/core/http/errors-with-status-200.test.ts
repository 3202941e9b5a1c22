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
interface Subject {
  readonly make: (options: {
    clientID: string;
    authorizationURL: string;
    tokenURL: string;
    profileURL: string;
  }) => NamedStrategy;
  readonly token: object;
  readonly profile: object;
}

const admit = (_token: string, _refresh: unknown, { id }: { id: string }, done: Done) => done(null, { id });
const TOKEN = { access_token: 'the-token', token_type: 'bearer', expires_in: 60 };

const SUBJECTS: Readonly<Record<string, Subject>> = {
  'short-video network': {
    make: (options) => new ShortVideoStrategy({ ...options, clientSecret: 'the-secret' }, admit),
    token: { ...TOKEN, open_id: '7', scope: 'user.info.basic' },
    profile: { data: { user: { open_id: '7', display_name: 'Anna' } } },
  },
  'microblog network': {
    make: (options) => new MicroblogStrategy({ ...options, store: keyedLogins() }, admit),
    token: { ...TOKEN, scope: 'users.read tweet.read' },
    profile: { data: { id: '7', name: 'Anna', username: 'anna' } },
  },
  'social network, classic': {
    make: (options) => new SocialNetworkStrategy({ ...options, clientSecret: 'the-secret' }, admit),
    token: { ...TOKEN, user_id: 7 },
    profile: { response: [{ id: 7, first_name: 'Anna', last_name: 'A' }] },
  },
  'social network, VK ID': {
    make: (options) =>
      new SocialNetworkStrategy({ ...options, clientSecret: 'the-secret', version: '2.1' }, admit),
    token: { ...TOKEN, user_id: 7 },
    profile: { user: { user_id: '7', first_name: 'Anna', last_name: 'A' } },
  },
};

for (const [title, { make, token, profile }] of Object.entries(SUBJECTS)) {
  describe(`errors with HTTP 200, ${title}`, () => {
    realSockets();
    const close = closesAfterEach();

    async function login(beside: { token?: object; profile?: object }) {
      const server = close(
        await network(({ path }) => ({
          body: path === '/token' ? { ...token, ...beside.token } : { ...profile, ...beside.profile },
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
      const shown = JSON.stringify(error);
      it(`T8: error ${shown} beside a token is a RefusedError, and no profile is requested`, async () => {
        const { error: refused, user, requests } = await login({ token: { error } });
        expect(user).to.equal(undefined);
        expect(refused).to.be.instanceOf(RefusedError);
        expect(refused).to.include({ step: 'token', code: 'refused', networkStatus: 200 });
        expect(requests).to.deep.equal(['/token']);
      });

      // Beside a record, the microblog network lists the fields that it could not read: no error response.
      const place = title.startsWith('microblog') ? 'in place of' : 'beside';
      it(`T8: error ${shown} ${place} a record is a RefusedError`, async () => {
        const without = place === 'beside' ? {} : { data: undefined };
        const { error: refused, user } = await login({ profile: { ...without, error } });
        expect(user).to.equal(undefined);
        expect(refused).to.be.instanceOf(RefusedError);
        expect(refused).to.include({ step: 'profile', code: 'refused', networkStatus: 200 });
      });
    }

    for (const error of [null, '', false]) {
      it(`error ${JSON.stringify(error)} beside a token and a record is no error`, async () => {
        expect((await login({ token: { error }, profile: { error } })).user).to.deep.equal({ id: '7' });
      });
    }
  });
}
