import { expect } from 'chai';
import { ProviderError } from '../../lib/index.js';
import { startSandbox } from '../../sandbox/lib/index.js';
import { playLogin } from '../support/attempt.js';
import { closesAfterEach } from '../support/cleanup.js';
import { logIn } from '../support/journey.js';
import { loginApp } from '../support/login-app.js';
import { realSockets } from '../support/real-sockets.js';
import type { Reply, SeenRequest } from '../support/server.js';
import {
  microblogNetwork,
  microblogStrategy,
  oauth1OptionsAt,
  optionsAt,
  playOAuth1Login,
  TOKEN_ANSWER,
  USER,
} from './network.js';

const EXPANSION = { userFields: 'verified', expansions: 'pinned_post_id', postFields: 'created_at' };
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
const asksForPosts = ({ query }: SeenRequest) =>
  ['expansions', 'tweet.fields', 'post.fields'].some((name) => query.has(name));
const asksForEmail = ({ query }: SeenRequest) =>
  query.get('user.fields')?.includes('confirmed_email') ?? false;

describe('microblog: fields that the network refuses', () => {
  realSockets();
  const close = closesAfterEach();

  async function played(
    options: object,
    answer: (request: SeenRequest) => Reply,
    scope: string | null = BASIC,
  ) {
    const token = { body: { ...TOKEN_ANSWER, scope: scope ?? undefined } };
    const server = close(await microblogNetwork({ '/token': token, '/profile': answer }));
    const strategy = microblogStrategy({ ...optionsAt(server.url), ...options });
    const { ending } = await playLogin(strategy);
    const lookups = server.requests.filter(({ path }) => path === '/profile').map(queryOf);
    return { ending, lookups };
  }

  it('both vocabularies can be requested, and the posts of both are in includes.tweets', async () => {
    const posts = [{ id: '7', text: 'Good morning' }];
    const { ending, lookups } = await played(
      { ...EXPANSION, postFields: ['created_at', 'lang'], tweetFields: 'text' },
      () => ({ body: { data: { ...USER, pinned_post_id: '7' }, includes: { posts } } }),
    );
    expect(lookups).to.deep.equal([
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

  for (const [option, names] of [
    ['expansions', 'pinned_post_id'],
    ['tweetFields', 'created_at'],
    ['postFields', 'created_at'],
  ] as const) {
    it(`${option} refused with 400 cost the posts, not the login`, async () => {
      const { ending, lookups } = await played({ userFields: 'verified', [option]: names }, (request) =>
        asksForPosts(request) ? INVALID : { body: { data: USER } },
      );
      expect(ending.user).to.include({ id: USER.id, username: 'anna' });
      expect(lookups).to.have.length(2);
      expect(lookups[1]).to.deep.equal({ 'user.fields': 'verified' });
    });
  }

  it('the e-mail address comes even if the posts are refused', async () => {
    const data = { ...USER, confirmed_email: 'anna@example.com' };
    const { ending, lookups } = await played(
      { ...EXPANSION, includeEmail: true },
      (request) => (asksForPosts(request) ? INVALID : { body: { data } }),
      GRANTED,
    );
    expect(ending.user).to.deep.include({ emails: [{ value: 'anna@example.com', verified: true }] });
    expect(lookups.map((query) => query['user.fields'])).to.deep.equal([
      'verified,confirmed_email',
      'verified,confirmed_email',
    ]);
  });

  it('the posts come even if the e-mail field is refused with 403', async () => {
    const { ending, lookups } = await played(
      { ...EXPANSION, includeEmail: true },
      (request) =>
        asksForEmail(request)
          ? { status: 403, body: { title: 'Forbidden' } }
          : { body: { data: USER, includes: { posts: [{ id: '7', text: 'x' }] } } },
      GRANTED,
    );
    expect(ending.user).to.have.nested.property('_json.includes.tweets[0].id', '7');
    expect(lookups).to.have.length(2);
  });

  it('if both are refused, the user logs in without both', async () => {
    const { ending, lookups } = await played(
      { ...EXPANSION, includeEmail: true },
      (request) => (asksForPosts(request) || asksForEmail(request) ? INVALID : { body: { data: USER } }),
      GRANTED,
    );
    expect(ending.user).to.include({ id: USER.id });
    expect(lookups).to.have.length(3);
    expect(lookups[2]).to.deep.equal({ 'user.fields': 'verified' });
  });

  it('a lookup that is refused without the posts, too, fails the login and is not repeated again', async () => {
    const { ending, lookups } = await played(EXPANSION, () => INVALID);
    expect(ending.error).to.include({ name: 'RefusedError', networkCode: 'invalid-request' });
    expect(lookups).to.have.length(2);
  });

  it('a 400 is not repeated if the application asks for no posts', async () => {
    const { ending, lookups } = await played({ userFields: 'pinned_post_id' }, () => INVALID);
    expect(ending.error).to.include({ name: 'RefusedError', networkStatus: 400 });
    expect(lookups).to.have.length(1);
  });

  for (const status of [401, 402, 403, 404, 429, 500, 503]) {
    it(`a lookup with expansions that is refused with ${status} is not repeated`, async () => {
      const { ending, lookups } = await played(EXPANSION, () => ({ status, body: { title: 'No' } }));
      expect(ending.error).to.include({ name: 'RefusedError', networkStatus: status });
      expect(lookups).to.have.length(1);
    });
  }

  /** The granted scope, the statuses of the lookups, and whether each asks for the address. */
  type Lookups = readonly [
    title: string,
    string | null,
    statuses: readonly number[],
    asks: readonly boolean[],
  ];
  const logins: readonly Lookups[] = [
    ['the e-mail field is requested if its scope was granted', GRANTED, [200], [true]],
    ['the e-mail field is not requested if its scope was not granted', BASIC, [200], [false]],
    ['the e-mail field is requested if nobody says what was granted', null, [200], [true]],
    ...[400, 403].flatMap((code): Lookups[] => [
      [
        `a lookup that gets ${code} is repeated without the e-mail field`,
        GRANTED,
        [code, 200],
        [true, false],
      ],
      [`a lookup that gets ${code} without the field, too, fails`, GRANTED, [code, code], [true, false]],
      [`a lookup without the field is not repeated after ${code}`, BASIC, [code], [false]],
    ]),
    ...[401, 402, 404, 429, 500, 503].map(
      (code): Lookups => [`a lookup with the field is not repeated after ${code}`, GRANTED, [code], [true]],
    ),
  ];
  for (const [title, scope, statuses, asks] of logins) {
    it(title, async () => {
      const left = [...statuses];
      const { ending, lookups } = await played(
        { includeEmail: true },
        () => {
          const status = left.shift() ?? 410;
          return { status, body: status === 200 ? { data: USER } : { title: 'Forbidden' } };
        },
        scope,
      );
      expect(lookups.map((query) => query['user.fields']?.includes('confirmed_email'))).to.deep.equal(asks);
      const last = statuses.at(-1);
      if (last === 200) expect(ending.user).to.include({ id: USER.id }).and.not.have.property('emails');
      else expect(ending.error).to.be.instanceOf(ProviderError).and.include({ networkStatus: last });
    });
  }

  it('OAuth 1.0a: a refused expansion costs the users lookup its posts, not the login', async () => {
    const server = close(
      await microblogNetwork({
        '/credentials': { status: 403, body: { errors: [{ code: 453, message: 'No access' }] } },
        '/lookup': (request) =>
          asksForPosts(request) ? INVALID : { body: { data: { ...USER, verified: true } } },
      }),
    );
    const { ending } = await playOAuth1Login(
      microblogStrategy({ ...oauth1OptionsAt(server.url), ...EXPANSION }),
    );
    expect(ending.user).to.have.nested.property('_json.data.verified', true);
    expect(server.requests.filter(({ path }) => path === '/lookup').map(queryOf)).to.deep.equal([
      { x: '1', 'user.fields': 'verified', expansions: 'pinned_post_id', 'post.fields': 'created_at' },
      { x: '1', 'user.fields': 'verified' },
    ]);
  });

  for (const expansion of ['pinned_tweet_id', 'pinned_post_id']) {
    for (const strict of [false, true]) {
      it(`${expansion} logs in at ${strict ? 'a strict' : 'the'} sandbox`, async () => {
        const sandbox = close(await startSandbox({ strict }));
        const strategy = microblogStrategy({ ...sandbox.options('microblog'), expansions: expansion });
        const page = await logIn(close(await loginApp(strategy)), 'microblog');
        expect(page.json.user).to.include({ id: '2244994945' });
        const lookups = sandbox.requests().filter(({ endpoint }) => endpoint === 'users lookup');
        expect(lookups.map(({ status }) => status)).to.deep.equal(strict ? [400, 200] : [200]);
      });
    }
  }
});
