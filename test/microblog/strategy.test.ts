import { expect } from 'chai';
import { MicroblogOAuth2Strategy, MicroblogStrategy } from '../../lib/microblog/index.js';
import { realSockets } from '../support/real-sockets.js';
import { mistakeOf } from '../support/thrown.js';
import { collectsWarnings } from '../support/warnings.js';
import { oauth2, TOKEN_ANSWER } from './network.js';

const CREDENTIALS = { clientID: 'the-client', clientSecret: 'the-secret' };

describe('microblog 2.0', () => {
  const close = realSockets();
  const warnings = collectsWarnings();
  const logIn = oauth2.loggingIn(close);

  it('the authorization request has userFields and expansions, and not tweetFields', async () => {
    const { authorization } = await logIn({
      userFields: ['description', 'verified'],
      expansions: 'pinned_tweet_id',
      tweetFields: 'created_at, text',
    });
    expect(authorization.searchParams.get('user.fields')).to.equal('description,verified');
    expect(authorization.searchParams.get('expansions')).to.equal('pinned_tweet_id');
    expect(authorization.searchParams.has('tweet.fields')).to.equal(false);
  });

  it('user.fields in the query of profileURL are those to request, unless userFields names others', async () => {
    for (const [more, requested] of [
      [{}, 'public_metrics,url'],
      [{ userFields: 'verified' }, 'verified'],
    ] as const) {
      const profileURL = '/profile?user.fields=public_metrics,url';
      const { at } = await logIn((url) => ({ ...more, profileURL: `${url}${profileURL}` }));
      expect(at('/profile')[0]?.query.get('user.fields')).to.equal(requested);
    }
  });

  it('includeEmail adds its scope once to the option scope, and to none given to authenticate', async () => {
    const scope = ['users.email', 'users.read', 'tweet.read'];
    const { authorization } = await logIn({ includeEmail: true, scope });
    expect(authorization.searchParams.get('scope')).to.equal('users.email users.read tweet.read');
    const start = { scope: scope.slice(1) };
    const { authorization: given } = await logIn({ includeEmail: true }, { start });
    expect(given.searchParams.get('scope')).to.equal('users.read tweet.read');
  });

  it('C23: the e-mail field is a TypeError without its scope, and is requested with it', async () => {
    const named = { userFields: 'confirmed_email verified' };
    const problem = /^MicroblogStrategy: option userFields names confirmed_email: set includeEmail: true/;
    expect(await mistakeOf(logIn(named))).to.match(problem);
    const scope = 'users.email users.read tweet.read';
    const replies = { '/token': { body: { ...TOKEN_ANSWER, scope } } };
    const { at } = await logIn({ ...named, scope }, { replies });
    expect(at('/profile')[0]?.query.get('user.fields')).to.equal('verified,confirmed_email');
  });

  it('the username is encoded in the URL of the profile', async () => {
    const replies = { '/profile': { body: { data: { id: '7', username: 'a b' } } } };
    const { ending } = await logIn({}, { replies });
    expect(ending.user).to.include({ profileUrl: 'https://x.com/a%20b' });
  });

  it('C23: a scope with which the network would not say who logs in is a TypeError', () => {
    for (const [scope, lacking] of [
      ['users.read', 'tweet.read'],
      ['tweet.read', 'users.read'],
      ['offline.access', 'tweet.read and users.read'],
    ] as const) {
      expect(() => new MicroblogOAuth2Strategy({ ...CREDENTIALS, scope }, () => {})).to.throw(
        TypeError,
        `MicroblogStrategy: option scope lacks ${lacking}, without which the network does not say who logs in`,
      );
    }
    expect(
      () =>
        new MicroblogOAuth2Strategy({ ...CREDENTIALS, scope: 'users.read', skipUserProfile: true }, () => {}),
    ).to.not.throw();
  });

  it('the same scope at another server is a warning, because that may have others', async () => {
    const make = (options: object) =>
      new MicroblogOAuth2Strategy({ ...CREDENTIALS, scope: 'openid', ...options }, () => {});
    for (const option of ['authorizationURL', 'tokenURL', 'profileURL'])
      make({ [option]: 'https://server.example/a' });
    const problem =
      'MicroblogStrategy: option scope lacks tweet.read and users.read, without which the network does not say who logs in.';
    expect(await warnings.texts()).to.deep.equal([problem, problem, problem]);
    expect(() => make({ profileURL: 'https://api.x.com/2/users/me' })).to.throw(TypeError, problem);
  });

  it('a scope that is empty or null means "left out" in both versions', () => {
    for (const scope of ['', null]) {
      for (const version of ['1.0', '2.0'])
        Reflect.construct(MicroblogStrategy, [{ ...CREDENTIALS, version, scope }, () => {}]);
    }
  });
});
