import OAuth2Strategy = require('passport-oauth2');

import { expect } from 'chai';
import {
  type MicroblogOAuth1Record,
  MicroblogOAuth1Strategy,
  MicroblogOAuth2Strategy,
  type MicroblogRecord,
  MicroblogStrategy,
  type Profile,
} from '../../lib/index.js';
import microblog, { type MicroblogOAuth1Params } from '../../lib/microblog/index.js';
import { playLogin } from '../support/attempt.js';
import { closesAfterEach } from '../support/cleanup.js';
import { realSockets } from '../support/real-sockets.js';
import { rejectionOf } from '../support/thrown.js';
import { verifyProfile } from '../support/verification.js';
import { microblogNetwork, oauth1OptionsAt, optionsAt, playOAuth1Login } from './network.js';

const OAuthStrategy = require('passport-oauth1') as new () => object;

type Done<P> = (error?: unknown, profile?: Profile<P>) => void;

/** Overrides every method of OAuth 2.0 that an application may, and calls the original each time. */
class Own2 extends MicroblogStrategy {
  readonly called: string[] = [];

  override userProfile(token: string, done: Done<MicroblogRecord>): void {
    this.called.push('userProfile');
    super.userProfile(token, (error, profile) => done(error, profile && { ...profile, displayName: 'Own' }));
  }
  override authorizationParams(options: object): object {
    this.called.push('authorizationParams');
    return { ...super.authorizationParams(options), own: (options as { own: string }).own };
  }
  override tokenParams(options: object): object {
    this.called.push('tokenParams');
    return { ...super.tokenParams(options), own: 'token' };
  }
  override parseErrorResponse(body: string, status: number): Error {
    this.called.push('parseErrorResponse');
    return super.parseErrorResponse(body, status) ?? new RangeError(`own reading of ${status}`);
  }
}

/** The same for OAuth 1.0a. */
class Own1 extends MicroblogOAuth1Strategy {
  readonly called: string[] = [];

  override userProfile(
    token: string,
    secret: string,
    params: Partial<MicroblogOAuth1Params>,
    done: Done<MicroblogOAuth1Record>,
  ): void {
    this.called.push('userProfile');
    super.userProfile(token, secret, params, (error, profile) =>
      done(error, profile && { ...profile, displayName: 'Own' }),
    );
  }
  override requestTokenParams(options: object): object {
    this.called.push('requestTokenParams');
    return { ...super.requestTokenParams(options), own: 'request' };
  }
  override userAuthorizationParams(options: object): object {
    this.called.push('userAuthorizationParams');
    return { ...super.userAuthorizationParams(options), own: 'authorization' };
  }
}

const own2 = (url: string) => new Own2({ ...optionsAt(url), userFields: 'verified' } as never, verifyProfile);
const own1 = (url: string) => new Own1(oauth1OptionsAt(url) as never, verifyProfile);

describe('MicroblogStrategy', () => {
  const options2 = { clientID: 'a', clientSecret: 'b' };
  const options1 = { ...options2, version: '1.0' } as const;

  const made = (options: object) => [
    new MicroblogStrategy(options as never, verifyProfile),
    microblog(options as never, verifyProfile),
  ];

  it('is an OAuth2Strategy without a version and with 2.0, and an OAuthStrategy with 1.0', () => {
    for (const strategy of [options2, { ...options2, version: '2.0' }].flatMap(made)) {
      expect(strategy).to.be.instanceOf(OAuth2Strategy).and.not.instanceOf(OAuthStrategy);
      expect(strategy).to.be.instanceOf(MicroblogOAuth2Strategy).and.instanceOf(MicroblogStrategy);
      expect('_oauth' in strategy).to.equal(false);
    }
    for (const strategy of made(options1)) {
      expect(strategy).to.be.instanceOf(OAuthStrategy).and.not.instanceOf(OAuth2Strategy);
      expect(strategy).to.be.instanceOf(MicroblogOAuth1Strategy);
      expect('_oauth2' in strategy).to.equal(false);
    }
  });

  it('makes a strategy of version 1.0 through a Proxy of the class, as monitoring tools use', () => {
    const Watched = new Proxy(MicroblogStrategy, {});
    expect(new Watched(options1, verifyProfile)).to.be.instanceOf(MicroblogOAuth1Strategy);
  });

  it('can be extended for OAuth 2.0', () => {
    class Extended extends MicroblogStrategy {
      constructor(options: object) {
        super({ ...options2, ...options }, verifyProfile);
      }
    }
    expect(new Extended({})).to.be.instanceOf(MicroblogOAuth2Strategy);
    expect(() => new Extended({ version: '1.0' })).to.throw(
      TypeError,
      "Extended: a subclass of MicroblogStrategy speaks OAuth 2.0. For version: '1.0' extend MicroblogOAuth1Strategy.",
    );
  });
});

describe('a subclass of a microblog strategy', () => {
  realSockets();
  const close = closesAfterEach();

  it('can override every method of OAuth 2.0 and call the original', async () => {
    const server = close(await microblogNetwork());
    const own = own2(server.url);
    const { authorization, ending } = await playLogin(own, { code: 'c' }, { own: 'authorization' });
    expect(authorization.searchParams.get('own')).to.equal('authorization');
    expect(authorization.searchParams.get('user.fields')).to.equal('verified');
    expect(server.requests[0]?.form.get('own')).to.equal('token');
    expect(ending.user).to.include({ displayName: 'Own', username: 'anna' });
    expect(own.called).to.deep.equal(['authorizationParams', 'tokenParams', 'userProfile']);
  });

  it('can override every method of OAuth 1.0a and call the original', async () => {
    const server = close(await microblogNetwork());
    const own = own1(server.url);
    const { start, ending } = await playOAuth1Login(own, { accessType: 'read', forceLogin: true });
    expect(server.requests[0]?.body).to.equal('x_auth_access_type=read&own=request');
    expect(start.redirect).to.include('force_login=true&own=authorization');
    expect(ending.user).to.include({ displayName: 'Own', username: 'anna' });
    expect(own.called).to.deep.equal(['requestTokenParams', 'userAuthorizationParams', 'userProfile']);
  });

  it('can make its own errors of a refresh', async () => {
    const server = close(await microblogNetwork({ '/token': { status: 400, body: { error: 'x' } } }));
    const error = await rejectionOf(own2(server.url).refresh('a-refresh-token'));
    expect(error).to.be.instanceOf(RangeError).and.to.have.property('message', 'own reading of 400');
  });

  it("S3: an overridden userProfile still rejects another user's record", async () => {
    const server = close(await microblogNetwork({ '/credentials': { body: { id_str: '7' } } }));
    const { ending } = await playOAuth1Login(own1(server.url));
    expect(ending.error).to.include({ code: 'identifier_mismatch' });
  });

  it('userProfile can be called with a token of the application', async () => {
    const server = close(await microblogNetwork());
    const strategy = new MicroblogOAuth2Strategy(optionsAt(server.url) as never, verifyProfile);
    const profile = await new Promise((resolve, reject) => {
      strategy.userProfile('a-token', (error, found) => (error ? reject(error) : resolve(found)));
    });
    expect(profile).to.include({ username: 'anna', provider: 'microblog' });
    expect(server.requests[0]?.headers.authorization).to.equal('Bearer a-token');
  });

  it('a method assigned to the strategy itself overrides as well', async () => {
    const server = close(await microblogNetwork());
    const strategy = new MicroblogOAuth2Strategy(optionsAt(server.url) as never, verifyProfile);
    Object.assign(strategy, {
      userProfile: (_token: string, done: (error: null, profile: object) => void) =>
        done(null, { id: 'own' }),
    });
    const { ending } = await playLogin(strategy);
    expect(ending.user).to.deep.equal({ id: 'own' });
  });
});
