import { expect } from 'chai';
import { RefusedError, SocialNetworkStrategy } from '../../../../lib/index.js';
import { exposed, shownBy } from '../../../contract/eavesdropper.js';
import { rejectionOf } from '../../../support/thrown.js';
import { describeEach, type RefreshSubject, tokenRequests } from './accounts.js';

interface AuthTokenRefresh {
  use(strategy: object): void;
  use(name: string, strategy: object): void;
  has(name: string): boolean;
  requestNewAccessToken(
    name: string,
    refreshToken: string,
    params: object,
    done: (error: unknown, accessToken?: string, refreshToken?: string, response?: object) => void,
  ): void;
}

// The package has no types.
const { AuthTokenRefresh } = require('passport-oauth2-refresh') as {
  AuthTokenRefresh: new () => AuthTokenRefresh;
};

const TOKENS = { access_token: 'NEW', token_type: 'bearer' };

interface Refreshed {
  readonly accessToken: string | undefined;
  readonly refreshToken: string | undefined;
  readonly response: object | undefined;
}

/** Refreshes through the package. @throws The error that it calls back with. */
function refreshThrough(
  strategy: object,
  name: string,
  refreshToken: string,
  params: object = {},
): Promise<Refreshed> {
  const refresh = new AuthTokenRefresh();
  refresh.use(name, strategy);
  return new Promise((resolve, reject) => {
    refresh.requestNewAccessToken(name, refreshToken, params, (error, accessToken, next, response) => {
      if (error) reject(error as Error);
      else resolve({ accessToken, refreshToken: next, response });
    });
  });
}

/** The parameter that an application must add: only VK ID needs one, its device ID. */
function extra({ device }: RefreshSubject, deviceID: unknown = device): object {
  return device === undefined ? {} : { device_id: deviceID };
}

describeEach('passport-oauth2-refresh', ({ subject, sandbox, account, played }) => {
  it('gives new tokens of the same user', async () => {
    const world = await sandbox();
    const user = await account(world);
    const before = tokenRequests(world);

    const { accessToken, refreshToken, response } = await refreshThrough(
      user.strategy,
      subject.provider,
      user.refreshToken,
      extra(subject, user.params.device_id),
    );

    expect(await user.whose(accessToken)).to.equal(user.id);
    expect(refreshToken).to.be.a('string').that.is.not.oneOf([user.refreshToken, accessToken]);
    expect(response).to.include({ access_token: accessToken, refresh_token: refreshToken });
    expect(tokenRequests(world) - before).to.equal(1);
    expect(world.requests().filter(({ refused }) => refused !== undefined)).to.deep.equal([]);
  });

  it('calls back with the network’s error, which says to log in again and shows no token', async () => {
    const user = await account(await sandbox());
    await user.refresh();
    const params = extra(subject, user.params.device_id);

    const refreshing = refreshThrough(user.strategy, subject.provider, user.refreshToken, params);
    const error = (await rejectionOf(refreshing)) as RefusedError;
    expect(error).to.be.instanceOf(RefusedError);
    const { step, networkCode, networkMessage } = error;
    expect({ step, networkCode, networkMessage }).to.deep.equal({ step: 'refresh', ...subject.spent });
    expect(error.message).to.include('log in again');
    expect(exposed(shownBy(error), new Map([[user.refreshToken, 'the token']]))).to.deep.equal([]);
  });

  it('sends the same request as the strategy’s own refresh', async () => {
    const { strategy, refresh, network } = await played({ body: TOKENS });
    await refresh('OLD');
    await refreshThrough(strategy, 'any', 'OLD', extra(subject));
    const [own, theirs] = network.requests.map(({ form, headers }) => {
      // VK ID's state is random in every request, and a refresh does not require it.
      form.delete('state');
      return { form: Object.fromEntries(form), authorization: headers.authorization };
    });
    expect(theirs).to.deep.equal(own);
  });
});

describe('passport-oauth2-refresh', () => {
  it('works with two strategies of one network under their own names', () => {
    const refresh = new AuthTokenRefresh();
    for (const name of ['first', 'second']) {
      const options = { clientID: '1', clientSecret: 'SECRET', version: '2.1', name } as const;
      refresh.use(new SocialNetworkStrategy(options, () => undefined));
    }
    const names = ['first', 'second', 'social-network'].filter((name) => refresh.has(name));
    expect(names).to.deep.equal(['first', 'second']);
  });
});
