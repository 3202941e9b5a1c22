import OAuth2Strategy = require('passport-oauth2');

import { expect } from 'chai';
import { MicroblogOAuth1Strategy, MicroblogOAuth2Strategy, MicroblogStrategy } from '../../lib/index.js';
import { closesAfterEach } from '../support/cleanup.js';
import { playLogin } from '../support/oauth2-login.js';
import { realSockets } from '../support/real-sockets.js';
import { rejectionOf } from '../support/thrown.js';
import { microblogNetwork, oauth1OptionsAt, optionsAt, playOAuth1Login, verifyProfile } from './network.js';

const PassportStrategy = require('passport-strategy') as new () => object;
const OAuthStrategy = require('passport-oauth1') as new () => object;

type Done = (error?: unknown, profile?: object) => void;

/** Replaces every hook of both versions, and asks the replaced one each time. */
class Own extends MicroblogStrategy<'1.0' | '2.0'> {
  readonly called: string[] = [];

  override userProfile(...args: unknown[]): unknown {
    this.called.push('userProfile');
    const done = args.at(-1) as Done;
    return super.userProfile(...args.slice(0, -1), (error: unknown, profile: object) =>
      done(error, profile && { ...profile, displayName: 'Own' }),
    );
  }
  override authorizationParams(options: object): object {
    this.called.push('authorizationParams');
    return { ...(super.authorizationParams(options) as object), own: (options as { own: string }).own };
  }
  override tokenParams(options: object): object {
    this.called.push('tokenParams');
    return { ...(super.tokenParams(options) as object), own: 'token' };
  }
  override requestTokenParams(options: object): object {
    this.called.push('requestTokenParams');
    return { ...(super.requestTokenParams(options) as object), own: 'request' };
  }
  override userAuthorizationParams(options: object): object {
    this.called.push('userAuthorizationParams');
    return { ...(super.userAuthorizationParams(options) as object), own: 'authorization' };
  }
  override parseErrorResponse(body: string, status: number): unknown {
    this.called.push('parseErrorResponse');
    return super.parseErrorResponse(body, status) ?? new RangeError(`own reading of ${status}`);
  }
}

describe('microblog: one class for both versions', () => {
  realSockets();
  const close = closesAfterEach();
  const options2 = { clientID: 'a', clientSecret: 'b' };
  const options1 = { ...options2, version: '1.0' } as const;

  it('is a Passport strategy, and of neither base class', () => {
    for (const strategy of [
      new MicroblogStrategy(options2, verifyProfile),
      new MicroblogStrategy(options1, verifyProfile),
    ]) {
      expect(strategy).to.be.instanceOf(PassportStrategy);
      expect(strategy).to.not.be.instanceOf(OAuth2Strategy);
      expect(strategy).to.not.be.instanceOf(OAuthStrategy);
    }
  });

  it('has the HTTP client of its version, and not that of the other', () => {
    const second = new MicroblogStrategy(options2, verifyProfile);
    expect([typeof second._oauth2, second._oauth]).to.deep.equal(['object', undefined]);
    const first = new MicroblogStrategy(options1, verifyProfile);
    expect([first._oauth2, typeof first._oauth]).to.deep.equal([undefined, 'object']);
  });

  it('the classes that do the work extend the base packages’ classes', () => {
    expect(new MicroblogOAuth2Strategy(options2, verifyProfile)).to.be.instanceOf(OAuth2Strategy);
    expect(new MicroblogOAuth1Strategy(options1, verifyProfile)).to.be.instanceOf(OAuthStrategy);
  });

  it('in 2.0, a subclass can override every hook and call super', async () => {
    const server = close(await microblogNetwork());
    const own = new Own({ ...optionsAt(server.url), userFields: 'verified' } as never, verifyProfile);
    const { authorization, ending } = await playLogin(own, { code: 'c' }, { own: 'authorization' });
    expect(authorization.searchParams.get('own')).to.equal('authorization');
    expect(authorization.searchParams.get('user.fields')).to.equal('verified');
    expect(server.requests[0]?.form.get('own')).to.equal('token');
    expect(ending.user).to.include({ displayName: 'Own', username: 'anna' });
    expect(own.called).to.deep.equal(['authorizationParams', 'tokenParams', 'userProfile']);
    expect(own).to.be.instanceOf(MicroblogStrategy);
  });

  it('in 1.0, a subclass can override every hook and call super', async () => {
    const server = close(await microblogNetwork());
    const own = new Own(oauth1OptionsAt(server.url) as never, verifyProfile);
    const { start, ending } = await playOAuth1Login(own, { accessType: 'read', forceLogin: true });
    expect(server.requests[0]?.body).to.equal('x_auth_access_type=read&own=request');
    expect(start.redirect).to.include('force_login=true&own=authorization');
    expect(ending.user).to.include({ displayName: 'Own', username: 'anna' });
    expect(own.called).to.deep.equal(['requestTokenParams', 'userAuthorizationParams', 'userProfile']);
  });

  it('in both versions, a subclass can make the errors', async () => {
    const errorResponse = { status: 400, body: { error: 'x' } };
    const server = close(await microblogNetwork({ '/token': errorResponse, '/access_token': errorResponse }));
    const second = await playLogin(new Own(optionsAt(server.url) as never, verifyProfile));
    const first = await playOAuth1Login(new Own(oauth1OptionsAt(server.url) as never, verifyProfile));
    for (const { error } of [second.ending, first.ending]) {
      expect(error).to.be.instanceOf(RangeError);
      expect((error as Error).message).to.equal('own reading of 400');
    }
  });

  it('in 2.0, a subclass can make the errors of a refresh too', async () => {
    const server = close(await microblogNetwork({ '/token': { status: 400, body: { error: 'x' } } }));
    const own = new Own(optionsAt(server.url) as never, verifyProfile);
    const error = await rejectionOf(own.refresh('a-refresh-token'));
    expect(error).to.be.instanceOf(RangeError).and.to.have.property('message', 'own reading of 400');
  });

  it('an overridden userProfile checks the user of its login: a record of another user is an error', async () => {
    const server = close(await microblogNetwork({ '/credentials': { body: { id_str: '7' } } }));
    const { ending } = await playOAuth1Login(new Own(oauth1OptionsAt(server.url) as never, verifyProfile));
    expect(ending.error).to.include({ code: 'identifier_mismatch' });
  });

  it('userProfile can be called with any token', async () => {
    const server = close(await microblogNetwork());
    const strategy = new MicroblogStrategy(optionsAt(server.url) as never, verifyProfile);
    const profile = await new Promise((resolve, reject) => {
      strategy.userProfile('a-token', (error: unknown, found: object) =>
        error ? reject(error) : resolve(found),
      );
    });
    expect(profile).to.include({ username: 'anna', provider: 'microblog' });
    expect(server.requests[0]?.headers.authorization).to.equal('Bearer a-token');
  });

  it('a method assigned to the instance overrides the hook too', async () => {
    const server = close(await microblogNetwork());
    const strategy = new MicroblogStrategy(optionsAt(server.url) as never, verifyProfile);
    Object.assign(strategy, { userProfile: (_token: string, done: Done) => done(null, { id: 'own' }) });
    const { ending } = await playLogin(strategy);
    expect(ending.user).to.deep.equal({ id: 'own' });
  });
});
