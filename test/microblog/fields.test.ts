import { expect } from 'chai';
import { ProviderError } from '../../lib/index.js';
import { realSockets } from '../support/real-sockets.js';
import type { Reply, SeenRequest } from '../support/server.js';
import { oauth1, oauth2, TOKEN_ANSWER, USER } from './network.js';

const POSTS = { expansions: 'pinned_post_id', postFields: 'created_at' };
const EMAIL = { includeEmail: true };
const BOTH = { ...POSTS, ...EMAIL };
const NO_POSTS = { posts: 400 };
const BASIC = 'tweet.read users.read';
const GRANTED = `${BASIC} users.email`;

/** As X reports a value that it does not know. */
const INVALID: Reply = {
  status: 400,
  body: {
    errors: [{ parameters: { expansions: ['pinned_post_id'] }, message: 'The value is not one of these' }],
    title: 'Invalid Request',
    detail: 'One or more parameters to your request was invalid.',
    type: 'https://api.twitter.com/2/problems/invalid-request',
  },
};

const queryOf = ({ query }: SeenRequest) => Object.fromEntries(query);
/** What a lookup asks for besides the fields of the user. */
function askedBy({ query }: SeenRequest): 'both' | 'posts' | 'email' | 'none' {
  const asksForPosts = ['expansions', 'tweet.fields', 'post.fields'].some((name) => query.has(name));
  const asksForEmail = query.get('user.fields')?.includes('confirmed_email') ?? false;
  if (asksForPosts) return asksForEmail ? 'both' : 'posts';
  return asksForEmail ? 'email' : 'none';
}

/** The statuses with which the network refuses some lookups, what each lookup of the login asks for, and the status of the last one. */
type Lookups = readonly [
  title: string,
  options: object,
  granted: string | null,
  refused: Readonly<Partial<Record<'posts' | 'email' | 'all', number>>>,
  asked: string,
  ending?: number,
];
const LOOKUPS: readonly Lookups[] = [
  ['refused expansions cost the posts', { expansions: 'pinned_post_id' }, BASIC, NO_POSTS, 'posts none'],
  ['refused tweetFields cost the posts', { tweetFields: 'text' }, BASIC, NO_POSTS, 'posts none'],
  ['refused postFields cost the posts', { postFields: 'text' }, BASIC, NO_POSTS, 'posts none'],
  ['a lookup that is refused without the posts, too, fails', POSTS, BASIC, { all: 400 }, 'posts none', 400],
  ...[401, 402, 403, 404, 429, 500, 503].map((all): Lookups => {
    return [`a lookup with posts is not repeated after ${all}`, POSTS, BASIC, { all }, 'posts', all];
  }),
  ['the address comes even if the posts are refused', BOTH, GRANTED, NO_POSTS, 'both email'],
  ['the posts come even if the e-mail field is refused', BOTH, GRANTED, { email: 403 }, 'both posts'],
  ['the user logs in without both', BOTH, GRANTED, { posts: 400, email: 400 }, 'both email none'],
  ['the e-mail field is not requested if its scope was not granted', EMAIL, BASIC, {}, 'none'],
  ['the e-mail field is requested if nobody says what was granted', EMAIL, null, {}, 'email'],
  ...[400, 403].flatMap((code): Lookups[] => [
    [`${code} is repeated without the e-mail field`, EMAIL, GRANTED, { email: code }, 'email none'],
    [`${code} without the field, too, fails the login`, EMAIL, GRANTED, { all: code }, 'email none', code],
    [`${code} without the field is not repeated`, EMAIL, BASIC, { all: code }, 'none', code],
  ]),
  ...[401, 402, 404, 429, 500, 503].map((all): Lookups => {
    return [`a lookup with the field is not repeated after ${all}`, EMAIL, GRANTED, { all }, 'email', all];
  }),
];

describe('microblog: fields that the network refuses', () => {
  const close = realSockets();

  const logInWith = oauth2.loggingIn(close);
  async function played(
    options: object,
    answer: (request: SeenRequest) => Reply,
    scope: string | null = BASIC,
  ) {
    const token = { body: { ...TOKEN_ANSWER, scope: scope ?? undefined } };
    const { ending, at } = await logInWith(options, { replies: { '/token': token, '/profile': answer } });
    return { ending, lookups: at('/profile') };
  }

  it('both vocabularies can be requested, and the posts of both are in includes.tweets', async () => {
    const posts = [{ id: '7', text: 'Good morning' }];
    const { ending, lookups } = await played(
      { userFields: 'verified', ...POSTS, postFields: ['created_at', 'lang'], tweetFields: 'text' },
      () => ({ body: { data: { ...USER, pinned_post_id: '7' }, includes: { posts } } }),
    );
    expect(lookups.map(queryOf)).to.deep.equal([
      {
        'user.fields': 'verified',
        expansions: 'pinned_post_id',
        'tweet.fields': 'text',
        'post.fields': 'created_at,lang',
      },
    ]);
    expect(ending.user).to.have.nested.property('_json.data.pinned_tweet_id', '7');
    expect(ending.user).to.have.nested.property('_json.includes.tweets').that.deep.equals(posts);
  });

  for (const [title, options, granted, refused, asked, expected = 200] of LOOKUPS) {
    it(title, async () => {
      const answer = (request: SeenRequest): Reply => {
        const wanted = askedBy(request);
        const has = (what: string) => wanted === 'both' || wanted === what;
        const status = refused.all || (has('posts') && refused.posts) || (has('email') && refused.email);
        if (status) return status === 400 ? INVALID : { status, body: { title: 'No' } };
        const email = has('email') && { confirmed_email: 'anna@example.com' };
        const posts = has('posts') && { includes: { posts: [{ id: '7', text: 'x' }] } };
        return { body: { data: { ...USER, ...email }, ...posts } };
      };
      const { ending, lookups } = await played({ userFields: 'verified', ...options }, answer, granted);
      expect(lookups.map(askedBy).join(' ')).to.equal(asked);
      for (const { query } of lookups) expect(query.get('user.fields')).to.match(/^verified\b/);
      if (expected !== 200) {
        expect(ending.error).to.be.instanceOf(ProviderError).and.include({ networkStatus: expected });
        return;
      }
      expect(ending.user).to.include({ id: USER.id, username: 'anna' });
      const { emails, _json } = ending.user as { emails?: unknown; _json: object };
      const isGiven = [emails !== undefined, 'includes' in _json];
      expect(isGiven).to.deep.equal([/(both|email)$/.test(asked), /(both|posts)$/.test(asked)]);
    });
  }

  it('OAuth 1.0a: a refused expansion costs the users lookup its posts, not the login', async () => {
    const replies = {
      '/credentials': { status: 403, body: { errors: [{ code: 453, message: 'No access' }] } },
      '/lookup': (request: SeenRequest) =>
        askedBy(request) === 'posts' ? INVALID : { body: { data: { ...USER, verified: true } } },
    };
    const { ending, at } = await oauth1.loggingIn(close)({ userFields: 'verified', ...POSTS }, { replies });
    expect(ending.user).to.have.nested.property('_json.data.verified', true);
    expect(at('/lookup').map(queryOf)).to.deep.equal([
      { x: '1', 'user.fields': 'verified', expansions: 'pinned_post_id', 'post.fields': 'created_at' },
      { x: '1', 'user.fields': 'verified' },
    ]);
  });
});
