import { readFileSync } from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { AssertionError, expect } from 'chai';
import { ProviderError, type RefusedError } from '../lib/index.js';
import { classOf } from './contract/strategies.js';
import { Browser } from './support/browser.js';
import { type Ending, loginApp } from './support/login-app.js';
import { realSockets } from './support/real-sockets.js';
import { network, type Reply, type SeenRequest } from './support/server.js';
import { verifyProfile } from './support/verification.js';

/** An answer of a network, and what a login has to make of it: see answers/README.md. */
interface Answer {
  readonly id: string;
  readonly step: 'callback' | 'lookup' | 'profile' | 'request_token' | 'token';
  /** @default 200 */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly gzip?: boolean;
  /** The query of an authorization response. */
  readonly callback?: string;
  /** Members of the usual token answer that are others; `null`: absent. */
  readonly token?: Readonly<Record<string, unknown>>;
  /** Whether the network answers a request for the identifier alone. */
  readonly echoOpenId?: boolean;
  readonly options?: object;
  readonly expect: Expected;
}

/** One of `user`, `failure`, `error` and `oneOf`; texts that name a pattern are regular expressions. */
interface Expected {
  readonly user?: ExpectedUser;
  readonly failure?: { readonly code: string; readonly status?: number };
  readonly error?: ExpectedError;
  readonly oneOf?: readonly Expected[];
  /** The code and the device ID in the token request. */
  readonly codeSent?: string;
  readonly deviceSent?: string;
}

/** `null`: the profile has no such member. */
interface ExpectedUser {
  readonly id?: string;
  readonly displayName?: string;
  readonly username?: string | null;
  readonly name?: object;
  readonly gender?: string | null;
  readonly emails?: readonly object[] | null;
  readonly photos?: readonly string[] | null;
  readonly photosInclude?: string;
  readonly photosNot?: string;
  /** A pattern. */
  readonly profileUrl?: string | null;
  /** Path in `_json` -> value. */
  readonly json?: Readonly<Record<string, unknown>>;
  readonly note?: string;
}

interface ExpectedError {
  readonly class?: string;
  readonly code?: readonly string[];
  readonly status?: number;
  readonly networkCode?: string;
  readonly networkMessage?: string;
  readonly networkMessageIncludes?: string;
  /** Patterns for the message, without the network's own words. */
  readonly hint?: string;
  readonly notHint?: string;
  readonly retry?: boolean;
  /** Seconds: least and most. */
  readonly retryAfter?: readonly [number, number];
  readonly accessTokenSpent?: boolean;
  readonly userURL?: string | null;
  readonly noSecrets?: readonly string[];
}

/** A network whose answers are the usual ones but for one. */
interface Plan {
  /** Of its class. */
  readonly name: string;
  /** Option of an address -> the path at the network, which is also the step. */
  readonly addresses: Readonly<Record<string, string>>;
  readonly credentials: object;
  /** The parameters of an authorization response, as `Answer.callback`. */
  readonly callback: string;
  /** The member of a record, and of the token answer, that identifies the user, and the usual user. */
  readonly identifier: readonly [inRecord: string, inTokens: string, usual: string];
  readonly tokens: Readonly<Record<string, unknown>>;
  readonly profile: (id: string) => object;
}

const OAUTH1_FORM = { 'content-type': 'text/html;charset=utf-8' };
const STANDARD = { authorizationURL: 'authorize', tokenURL: 'token', profileURL: 'profile' };
const CREDENTIALS = { clientID: 'CLIENT-ID', clientSecret: 'CLIENT-SECRET-OF-THE-APPLICATION' };
const BEARER = { access_token: 'GOOD-ACCESS-TOKEN', expires_in: 7_200 };

const PLANS: Readonly<Record<string, Plan>> = {
  tiktok: {
    name: 'ShortVideoStrategy',
    addresses: STANDARD,
    credentials: CREDENTIALS,
    callback: 'code=GOOD-CODE&scopes=user.info.basic&state={state}',
    identifier: ['open_id', 'open_id', '-000good'],
    tokens: {
      ...BEARER,
      refresh_token: 'GOOD-REFRESH-TOKEN',
      refresh_expires_in: 15_552_000,
      scope: 'user.info.basic',
      token_type: 'Bearer',
    },
    profile: (open_id) => ({
      data: { user: { open_id, display_name: 'Good Answer' } },
      error: { code: 'ok', message: '', log_id: '20240829190020' },
    }),
  },
  x: {
    name: 'MicroblogStrategy',
    addresses: STANDARD,
    credentials: CREDENTIALS,
    callback: 'code=GOOD-CODE&state={state}',
    identifier: ['id', '', '2244994940'],
    tokens: { ...BEARER, token_type: 'bearer', scope: 'tweet.read users.read' },
    profile: (id) => ({ data: { id, name: 'Good Answer', username: 'good_answer' } }),
  },
  x10a: {
    name: 'MicroblogStrategy',
    addresses: {
      requestTokenURL: 'request_token',
      userAuthorizationURL: 'authorize',
      accessTokenURL: 'token',
      profileURL: 'profile',
      lookupURL: 'lookup',
    },
    credentials: { version: '1.0', consumerKey: 'KEY', consumerSecret: 'SECRET-OF-THE-APPLICATION' },
    callback: 'oauth_token={oauth_token}&oauth_verifier=GOOD-VERIFIER',
    identifier: ['id', 'user_id', '2244994940'],
    tokens: { oauth_token: 'GOOD-TOKEN', oauth_token_secret: 'GOOD-TOKEN-SECRET' },
    profile: (id) => ({ id_str: id, name: 'Good Answer', screen_name: 'good_answer' }),
  },
  vk: {
    name: 'SocialNetworkStrategy',
    addresses: STANDARD,
    credentials: CREDENTIALS,
    callback: 'code=GOOD-CODE&state={state}',
    identifier: ['id', 'user_id', '1000'],
    tokens: BEARER,
    profile: (id) => ({ response: [{ id: Number(id), first_name: 'Good', last_name: 'Answer' }] }),
  },
  vkid: {
    name: 'SocialNetworkStrategy',
    addresses: { ...STANDARD, lookupURL: 'lookup' },
    credentials: { ...CREDENTIALS, version: '2.1' },
    callback: 'code=GOOD-CODE&device_id=GOOD-DEVICE&type=code_v2&state={state}',
    identifier: ['user_id', 'user_id', '1234567890'],
    tokens: { ...BEARER, refresh_token: 'GOOD-REFRESH-TOKEN', state: '{state}', scope: 'vkid.personal_info' },
    profile: (user_id) => ({ user: { user_id, first_name: 'Good', last_name: 'Answer' } }),
  },
};

/** Answers that come out otherwise than the list expects, with the reason. */
const JUDGED_OTHERWISE: Readonly<Record<string, { readonly reason: string; readonly photos: null }>> = {
  'x10a-verify-19-digits': {
    reason: 'Its picture is what the network shows for an account without one, and that is no photo.',
    photos: null,
  },
};

describe('answers of the networks', () => {
  const close = realSockets();
  for (const [name, plan] of Object.entries(PLANS)) {
    for (const answer of answersOf(name)) {
      it(`${answer.id}: ${outcomeOf(answer.expect)}`, async () => {
        const { ending, sent } = await play(answer, plan, close);
        const { user } = answer.expect;
        const judged = JUDGED_OTHERWISE[answer.id];
        const expected = user && judged ? { user: { ...user, photos: judged.photos } } : answer.expect;
        expectEnding(ending, expected);
        const { codeSent, deviceSent } = answer.expect;
        if (codeSent !== undefined) expect(sent?.form.get('code')).to.equal(codeSent);
        if (deviceSent !== undefined) expect(sent?.form.get('device_id')).to.equal(deviceSent);
      });
    }
  }
});

function answersOf(name: string): Answer[] {
  return JSON.parse(readFileSync(path.join(__dirname, 'answers', `${name}.json`), 'utf8')) as Answer[];
}

function outcomeOf({ user, failure, error, oneOf = [] }: Expected): string {
  if (user) return `logs ${user.id} in`;
  if (failure) return `fails with ${failure.code}`;
  if (error) return `ends in ${[error.class ?? 'an error', error.networkCode].filter(Boolean).join(' ')}`;
  return oneOf.map(outcomeOf).join(' or ');
}

/** Runs a whole login in which the network gives this answer. @returns Its ending, and the token request. */
async function play(
  answer: Answer,
  plan: Plan,
  close: ReturnType<typeof realSockets>,
): Promise<{ ending: Ending | undefined; sent: SeenRequest | undefined }> {
  const server = close(await network((request) => replyTo(request, answer, plan)));
  const addresses = Object.entries(plan.addresses).map(([option, step]) => [option, `${server.url}/${step}`]);
  const options = { ...Object.fromEntries(addresses), ...plan.credentials, ...answer.options };
  const strategy = new (classOf(plan))(options, verifyProfile);
  const app = close(await loginApp(strategy, { sessionless: true }));
  const browser = new Browser();
  const page = await browser.get(`${app.url}/login/${strategy.name}`);
  if (page.status === 302) {
    const { searchParams } = new URL(page.location);
    const query = filled(answer.callback ?? plan.callback, searchParams);
    await browser.get(`${app.url}/api/auth/callback/${strategy.name}?${query}`);
  }
  return { ending: app.endings[0], sent: server.requests.find(({ path: seen }) => seen === '/token') };
}

function replyTo(request: SeenRequest, answer: Answer, plan: Plan): Reply {
  const step = request.path.slice(1);
  const isEchoed = answer.echoOpenId === true && request.query.get('fields') === 'open_id';
  if (step !== answer.step || isEchoed) return usualReply(step, request, answer, plan);
  const { status = 200, body = '' } = answer;
  const headers = Object.entries(answer.headers ?? {}).map(([name, value]) => [name, filled(value)]);
  const text = filled(body, request.form);
  return {
    status,
    headers: { ...Object.fromEntries(headers), ...(answer.gzip && { 'content-encoding': 'gzip' }) },
    body: answer.gzip ? gzipSync(text) : text,
  };
}

function usualReply(
  step: string,
  { form }: SeenRequest,
  { body = '', ...answer }: Answer,
  plan: Plan,
): Reply {
  const [inRecord, inTokens, usual] = plan.identifier;
  const name = answer.step === 'token' ? inTokens : inRecord;
  const named = new RegExp(`(?<!\\w)${name}"?\\s*[:=]\\s*"?([\\w-]+)`).exec(body);
  const id = (name !== '' && named?.[1]) || usual;
  const isOAuth1 = 'oauth_token' in plan.tokens;
  if (step === 'request_token') return inForm({ ...plan.tokens, oauth_callback_confirmed: 'true' });
  if (step === 'lookup') {
    return {
      body: isOAuth1 ? { data: { id, name: 'Good Answer', username: 'good_answer' } } : { response: [] },
    };
  }
  if (step === 'profile') return { body: plan.profile(id) };
  const owner = inTokens === '' ? {} : { [inTokens]: isOAuth1 || inTokens === 'open_id' ? id : Number(id) };
  const tokens = { ...plan.tokens, ...owner, ...answer.token };
  if (isOAuth1) return inForm({ ...tokens, screen_name: 'good_answer' });
  const present = Object.entries(tokens).filter(([, value]) => value !== null);
  return { body: filled(JSON.stringify(Object.fromEntries(present)), form) };
}

function inForm(fields: Readonly<Record<string, unknown>>): Reply {
  const pairs = Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]);
  return { headers: OAUTH1_FORM, body: new URLSearchParams(pairs).toString() };
}

/** Fills `{name}` by the parameter of this name, and `{in:N}` by the time in N seconds, in seconds since the epoch. */
function filled(text: string, parameters = new URLSearchParams()): string {
  return text.replace(/\{(?:in:(\d+)|(\w+))\}/g, (all, seconds?: string, name = '') =>
    seconds === undefined
      ? (parameters.get(name) ?? all)
      : String(Math.round(Date.now() / 1_000) + Number(seconds)),
  );
}

function expectEnding(ending: Ending | undefined, expected: Expected): void {
  const { user, failure, error, oneOf } = expected;
  if (oneOf) {
    const problems = oneOf.map((one) => problemOf(() => expectEnding(ending, one)));
    if (!problems.includes(undefined)) throw problems[0];
  } else if (user) expectUser(ending, user);
  else if (failure) {
    expect(ending).to.have.nested.property('failure.code', failure.code);
    if (failure.status !== undefined) expect(ending).to.include({ status: failure.status });
  } else if (error) expectError(ending, error);
  else throw new Error('an answer expects a user, a failure or an error');
}

function problemOf(check: () => void): unknown {
  try {
    check();
    return undefined;
  } catch (problem) {
    if (problem instanceof AssertionError) return problem;
    throw problem;
  }
}

function expectUser(ending: Ending | undefined, expected: ExpectedUser): void {
  if (ending?.error) throw ending.error;
  const { photosInclude, photosNot, photos, profileUrl, json = {}, note: _note, ...exact } = expected;
  expect(ending).to.have.property('user');
  const user = ending?.user as Readonly<Record<string, unknown>>;
  const urls = (user.photos as { value: string }[] | undefined)?.map(({ value }) => value);
  for (const [member, value] of Object.entries({ ...exact, ...(photos === null && { photos }) })) {
    if (value === null) expect(user).to.not.have.property(member);
    else expect(user).to.have.deep.property(member, value);
  }
  if (photos) expect(urls).to.deep.equal(photos);
  if (photosInclude !== undefined) expect(urls).to.include(photosInclude);
  if (photosNot !== undefined) expect(urls?.filter((url) => url !== photosNot)).to.have.length(1);
  if (profileUrl === null) expect(user).to.not.have.property('profileUrl');
  else if (profileUrl !== undefined) expect(user.profileUrl).to.match(new RegExp(profileUrl));
  for (const [member, value] of Object.entries(json)) {
    expect(user._json).to.have.nested.property(member, value);
  }
}

function expectError(ending: Ending | undefined, expected: ExpectedError): void {
  expect(ending).to.have.property('error').that.is.instanceOf(ProviderError);
  const error = ending?.error as RefusedError;
  const { networkCode, networkMessage = '', message } = error;
  const { status, networkMessageIncludes = '', accessTokenSpent, noSecrets = [], retry } = expected;
  const said = networkMessage === '' ? `${networkCode}.` : `"${networkMessage}"`;
  const hint = message.includes(said) ? message.slice(message.indexOf(said) + said.length) : message;
  const exact = {
    name: expected.class,
    status,
    networkCode: expected.networkCode,
    networkMessage: expected.networkMessage,
    retryable: retry,
    accessTokenSpent,
  };
  for (const [member, value] of Object.entries(exact))
    if (value !== undefined) expect(error).to.have.property(member, value);
  if (expected.code) expect(error.code).to.be.oneOf([...expected.code]);
  expect(networkMessage).to.include(networkMessageIncludes);
  if (expected.hint !== undefined) expect(hint).to.match(new RegExp(expected.hint, 'i'));
  if (expected.notHint !== undefined) expect(hint).to.not.match(new RegExp(expected.notHint, 'i'));
  if (expected.userURL !== undefined) expect(error.userURL ?? null).to.equal(expected.userURL);
  if (expected.retryAfter) expect(error.retryAfter).to.be.within(...expected.retryAfter);
  const shown = inspect(error, { depth: 9, showHidden: true });
  for (const secret of noSecrets) expect(shown).to.not.include(secret);
  // Whatever is said, somebody knows what to do next, and the status says whether to try again.
  expect(hint.trim()).to.not.equal('');
  expect(error.status).to.equal(error.retryable ? 503 : 502);
}
