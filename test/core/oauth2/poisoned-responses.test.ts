import { expect } from 'chai';
import type { JSONObject } from '../../../lib/core/http/index.js';
import { assembleProfile, type MappedProfile } from '../../../lib/core/profile.js';
import { ShortVideoStrategy, SocialNetworkStrategy } from '../../../lib/index.js';
import { readLookup } from '../../../lib/microblog/responses.js';
import { playLogin } from '../../support/attempt.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { realSockets } from '../../support/real-sockets.js';
import { network } from '../../support/server.js';

const POISON = '"__proto__":{"id":"another","refresh_token":"another","scope":"another"}';
const CLIENT = { clientID: 'the-client', clientSecret: 'the-client-secret' };

/** A copy of a response must keep the property, and must not get it as its prototype. */
function expectOwnProperty(copy: object, name: string): void {
  expect(Object.getPrototypeOf(copy), name).to.not.have.property('refresh_token');
  expect(Object.keys(copy), name).to.include('__proto__');
  expect((copy as { scope?: unknown }).scope, name).to.not.equal('another');
}

describe('a property __proto__ in a response', () => {
  realSockets();
  const close = closesAfterEach();

  it('S3: is a property like any other of a mapped record and of a profile', () => {
    const lookup = readLookup(
      JSON.parse(`{${POISON},"data":{${POISON},"name":"A"},"includes":{${POISON}}}`) as JSONObject,
    );
    for (const [name, copy] of Object.entries({
      lookup,
      data: lookup.data,
      includes: lookup.includes ?? {},
    })) {
      expectOwnProperty(copy, name);
    }
    const mapped = JSON.parse(`{${POISON},"id":"1","displayName":"A"}`) as MappedProfile;
    const profile = assembleProfile(
      'network',
      () => mapped,
      {},
      '{}',
      () => mapped,
    );
    expectOwnProperty(profile, 'profile');
    expect(profile.id).to.equal('1');
  });

  it('S3: is a property like any other of a login’s params and record', async () => {
    const server = close(
      await network(({ path }) => ({
        body:
          path === '/token'
            ? `{${POISON},"access_token":"the-token","user_id":7}`
            : `{${POISON},"user":{"user_id":"7","first_name":"Anna"}}`,
      })),
    );
    const given: Record<string, object> = {};
    const strategy = new SocialNetworkStrategy(
      {
        clientID: 'the-client',
        clientSecret: 'SECRET',
        version: '2.1',
        passParamsToCallback: true,
        authorizationURL: `${server.url}/authorize`,
        tokenURL: `${server.url}/token`,
        profileURL: `${server.url}/profile`,
      },
      (_token, refreshToken, params, profile, done) => {
        Object.assign(given, { params, record: profile._json });
        done(null, { id: profile.id, refreshToken });
      },
    );
    const { ending } = await playLogin(strategy, { code: 'the-code', device_id: 'the-device' });
    expect(ending.user).to.deep.equal({ id: '7', refreshToken: undefined });
    expect(given.params).to.include({ device_id: 'the-device' });
    for (const [name, copy] of Object.entries(given)) expectOwnProperty(copy, name);
  });

  it('S3: is a property like any other of refreshed tokens', async () => {
    const { url } = close(
      await network(() => ({ body: `{${POISON},"access_token":"the-token","token_type":"bearer"}` })),
    );
    const strategy = new ShortVideoStrategy({ ...CLIENT, tokenURL: `${url}/token` }, () => {});
    const tokens = await strategy.refresh('the-refresh-token');
    expect(tokens).to.deep.include({ refreshToken: 'the-refresh-token', scope: [] });
    expectOwnProperty(tokens.params, 'params');
  });
});
