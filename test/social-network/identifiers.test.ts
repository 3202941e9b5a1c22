import { inspect } from 'node:util';
import { expect } from 'chai';
import { MicroblogStrategy, ShortVideoStrategy, SocialNetworkStrategy } from '../../lib/index.js';
import { playLogin } from '../support/attempt.js';
import { closesAfterEach } from '../support/cleanup.js';
import type { NamedStrategy } from '../support/login-app.js';
import { realSockets } from '../support/real-sockets.js';
import { network, type Reply } from '../support/server.js';

type Done = (error: unknown, user: object) => void;

const verifyProfile = (_token: string, _refresh: unknown, profile: object, done: Done) => done(null, profile);

/** A simulated network with these responses to the token request and the profile request. */
const played = (token: Reply, profile: Reply) => network(({ path }) => (path === '/token' ? token : profile));

const urlOptions = (url: string) => ({
  authorizationURL: `${url}/authorize`,
  tokenURL: `${url}/token`,
  profileURL: `${url}/profile`,
});

const VERSIONS = {
  'classic OAuth 2.0': {
    make: (url: string): NamedStrategy =>
      new SocialNetworkStrategy(
        { clientID: '1', clientSecret: 'the-key', ...urlOptions(url) },
        verifyProfile,
      ),
    profile: { response: [{ id: 7, first_name: 'Ivan', last_name: 'Ivanov' }] },
  },
  'VK ID': {
    make: (url: string): NamedStrategy =>
      new SocialNetworkStrategy(
        { clientID: '1', clientSecret: 'the-key', version: '2.1', ...urlOptions(url) },
        verifyProfile,
      ),
    profile: { user: { user_id: '7', first_name: 'Ivan', last_name: 'Ivanov' } },
  },
};

for (const [title, { make, profile }] of Object.entries(VERSIONS)) {
  describe(`the user_id of the token response, ${title}`, () => {
    realSockets();
    const close = closesAfterEach();

    async function endingWith(userID: string) {
      const token = { body: `{"access_token":"the-token","token_type":"bearer","user_id":${userID}}` };
      const server = close(await played(token, { body: profile }));
      const { ending } = await playLogin(make(server.url), { code: 'the-code', device_id: 'the-device' });
      return ending;
    }

    for (const userID of [
      '{}',
      '[1]',
      '[7]',
      '"abc"',
      '"01"',
      '"07"',
      '0',
      '-1',
      '-7',
      '1.5',
      'true',
      '""',
      '8',
    ]) {
      it(`S3: user_id ${userID} is identifier_mismatch`, async () => {
        const { error, user } = await endingWith(userID);
        expect(user).to.equal(undefined);
        expect(error).to.include({ name: 'MalformedError', code: 'identifier_mismatch', step: 'profile' });
      });
    }

    for (const userID of ['7', '"7"', 'null']) {
      it(`user_id ${userID} logs in the user of the record`, async () => {
        expect((await endingWith(userID)).user).to.include({ id: '7', displayName: 'Ivan Ivanov' });
      });
    }
  });
}

describe('an ID with half a character', () => {
  realSockets();
  const close = closesAfterEach();
  const HALF = '"half-\\ud83d"';
  const TOKEN = '"access_token":"the-token","token_type":"bearer","expires_in":60';

  it('S3: an ID with half a character is identifier_missing at the short-video network', async () => {
    const token = { body: `{${TOKEN},"open_id":${HALF},"scope":"user.info.basic"}` };
    const record = { body: `{"data":{"user":{"open_id":${HALF}}},"error":{"code":"ok"}}` };
    const { url } = close(await played(token, record));
    const options = { clientID: 'the-key', clientSecret: 'the-secret', ...urlOptions(url) };
    const { ending } = await playLogin(new ShortVideoStrategy(options, verifyProfile));
    expect(ending.error).to.include({ name: 'MalformedError', code: 'identifier_missing', status: 502 });
  });

  it('S3: an ID with half a character is identifier_missing at the microblog network', async () => {
    const { url } = close(
      await played({ body: `{${TOKEN}}` }, { body: `{"data":{"id":${HALF},"name":"A","username":"a"}}` }),
    );
    const { ending } = await playLogin(
      new MicroblogStrategy(
        { clientID: 'the-client', clientSecret: 'the-secret', ...urlOptions(url) },
        verifyProfile,
      ),
    );
    expect(ending.error).to.include({ name: 'MalformedError', code: 'identifier_missing', status: 502 });
  });

  it('S3: an ID with half a character is identifier_missing if the option profile returns it', async () => {
    const { make } = VERSIONS['classic OAuth 2.0'];
    const { profile } = VERSIONS['classic OAuth 2.0'];
    const { url } = close(await played({ body: `{${TOKEN}}` }, { body: profile }));
    const strategy = make(url);
    expect((await playLogin(strategy)).ending.user).to.include({ id: '7' });
    const own = new SocialNetworkStrategy(
      {
        clientID: '1',
        clientSecret: 'the-key',
        ...urlOptions(url),
        profile: () => ({ id: 'half-\ud83d', displayName: '' }),
      },
      verifyProfile,
    );
    expect((await playLogin(own)).ending.error).to.include({ code: 'identifier_missing' });
  });
});

describe('a VK ID strategy', () => {
  it('S2: a VK ID strategy never shows its service token', () => {
    const strategy = new SocialNetworkStrategy(
      { clientID: 'the-client', version: '2.1', serviceToken: 'service-token-0123456789' },
      verifyProfile,
    );
    for (const showHidden of [true, false]) {
      for (const customInspect of [true, false]) {
        const shown = inspect(strategy, { depth: Number.POSITIVE_INFINITY, showHidden, customInspect });
        expect(shown).to.not.include('service-token-0123456789');
      }
    }
    expect(JSON.stringify(strategy)).to.not.include('service-token-0123456789');
  });
});
