import { inspect } from 'node:util';
import { expect } from 'chai';
import { ProviderError, type RefusedError } from '../lib/index.js';
import { classOf } from './contract/strategies.js';
import { bodyText, endpointsAt, type Step, type Subject, subjectCalled } from './hostility/world/subjects.js';
import {
  type Answer,
  answersOf,
  type Expected,
  type ExpectedError,
  type ExpectedUser,
} from './support/answers.js';
import { attempt, fakeRequest } from './support/attempt.js';
import type { Ending } from './support/login-app.js';
import { realSockets } from './support/real-sockets.js';
import { network, type Reply, type SeenRequest } from './support/server.js';
import { verifyProfile } from './support/verification.js';

/** A network whose answers are those of an honest one but for one. */
interface Plan {
  readonly subject: Subject;
  readonly credentials: object;
  /** The parameters of an authorization response, as `Answer.callback`. */
  readonly callback: string;
  /** The member of a record, and of the token answer, that identifies the user, and the usual user. */
  readonly identifier: readonly [inRecord: string, inTokens: string, usual: string];
}

const CREDENTIALS = { clientID: 'CLIENT-ID', clientSecret: 'CLIENT-SECRET-OF-THE-APPLICATION' };
const CONSUMER = { version: '1.0', consumerKey: 'KEY', consumerSecret: 'SECRET-OF-THE-APPLICATION' };
const CODE = 'code=GOOD-CODE&state={state}';

const PLANS: Readonly<Record<string, Plan>> = {
  tiktok: {
    subject: subjectCalled('short-video'),
    credentials: CREDENTIALS,
    callback: `${CODE}&scopes=user.info.basic`,
    identifier: ['open_id', 'open_id', '-000good'],
  },
  x: {
    subject: subjectCalled('microblog'),
    credentials: CREDENTIALS,
    callback: CODE,
    identifier: ['id', '', '2244994940'],
  },
  x10a: {
    subject: subjectCalled('microblog-1-0'),
    credentials: CONSUMER,
    callback: 'oauth_token={oauth_token}&oauth_verifier=GOOD-VERIFIER',
    identifier: ['id', 'user_id', '2244994940'],
  },
  vk: {
    subject: subjectCalled('social-network'),
    credentials: CREDENTIALS,
    callback: CODE,
    identifier: ['id', 'user_id', '1000'],
  },
  vkid: {
    subject: subjectCalled('vk-id'),
    credentials: { ...CREDENTIALS, version: '2.1' },
    callback: `${CODE}&device_id=GOOD-DEVICE&type=code_v2`,
    identifier: ['user_id', 'user_id', '1234567890'],
  },
};

describe('answers of the networks', () => {
  const close = realSockets();
  for (const [name, plan] of Object.entries(PLANS)) {
    for (const answer of answersOf(name)) {
      it(`${answer.id}: ${outcomeOf(answer.expect)}`, async () => {
        expectEnding(await play(answer, plan, close), answer.expect);
      });
    }
  }
});

function outcomeOf({ user, failure, error }: Expected): string {
  if (user) return `logs ${user.id} in`;
  if (failure) return `fails with ${failure.code}`;
  return `ends in ${[error?.class ?? 'an error', error?.networkCode].filter(Boolean).join(' ')}`;
}

/** Runs a whole login in which the network gives this answer. */
async function play(answer: Answer, plan: Plan, close: ReturnType<typeof realSockets>): Promise<Ending> {
  const server = close(await network((request) => replyTo(request, answer, plan)));
  const { subject, credentials } = plan;
  const options = { ...endpointsAt(server.url, subject), ...credentials, ...answer.options };
  const strategy = new (classOf({ name: subject.className }))(options, verifyProfile);
  const cookies = {};
  const { redirect, ...start } = await attempt(strategy, fakeRequest('/login', cookies));
  const query = filled(answer.callback ?? plan.callback, new URL(redirect ?? server.url).searchParams);
  return redirect ? attempt(strategy, fakeRequest(`/callback?${query}`, cookies)) : start;
}

function replyTo(request: SeenRequest, answer: Answer, plan: Plan): Reply {
  const step = request.path.split('/').at(-1) as Step;
  if (step !== answer.step.replace('_', '-')) return usualReply(step, answer, plan);
  const { status = 200, body = '' } = answer;
  const headers = Object.entries(answer.headers ?? {}).map(([name, value]) => [name, filled(value)]);
  return { status, headers: Object.fromEntries(headers), body: filled(body, request.form) };
}

function usualReply(step: Step, { body = '', ...answer }: Answer, { subject, identifier }: Plan): Reply {
  const [inRecord, inTokens, usual] = identifier;
  const name = answer.step === 'token' ? inTokens : inRecord;
  const named = new RegExp(`(?<!\\w)${name}"?\\s*[:=]\\s*"?([\\w-]+)`).exec(body);
  const honest = bodyText(subject.honest[step]?.(0, (name !== '' && named?.[1]) || usual) ?? {});
  if (subject.oauth1 || step !== 'token') return { body: honest };
  const tokens = Object.entries({ ...(JSON.parse(honest) as object), ...answer.token });
  return { body: Object.fromEntries(tokens.filter(([, value]) => value !== null)) };
}

/** Fills `{name}` by the parameter of this name, and `{in:N}` by the time in N seconds, in seconds since the epoch. */
function filled(text: string, parameters = new URLSearchParams()): string {
  return text.replace(/\{(?:in:(\d+)|(\w+))\}/g, (all, seconds?: string, name = '') =>
    seconds === undefined
      ? (parameters.get(name) ?? all)
      : String(Math.round(Date.now() / 1_000) + Number(seconds)),
  );
}

function expectEnding(ending: Ending, expected: Expected): void {
  const { user, failure, error } = expected;
  if (user) expectUser(ending, user);
  else if (failure) {
    expect(ending).to.have.nested.property('failure.code', failure.code);
    if (failure.status !== undefined) expect(ending).to.include({ status: failure.status });
  } else if (error) expectError(ending, error);
  else throw new Error('an answer expects a user, a failure or an error');
}

function expectUser(ending: Ending, expected: ExpectedUser): void {
  if (ending.error) throw ending.error;
  const { photos, profileUrl, json = {}, ...exact } = expected;
  expect(ending).to.have.property('user');
  const user = ending.user as Readonly<Record<string, unknown>>;
  const urls = (user.photos as { value: string }[] | undefined)?.map(({ value }) => value);
  for (const [member, value] of Object.entries({ ...exact, ...(photos === null && { photos }) })) {
    if (value === null) expect(user).to.not.have.property(member);
    else expect(user).to.have.deep.property(member, value);
  }
  if (photos) expect(urls).to.deep.equal(photos);
  if (profileUrl === null) expect(user).to.not.have.property('profileUrl');
  else if (profileUrl !== undefined) expect(user.profileUrl).to.match(new RegExp(profileUrl));
  for (const [member, value] of Object.entries(json)) {
    expect(user._json).to.have.nested.property(member, value);
  }
}

function expectError(ending: Ending, expected: ExpectedError): void {
  expect(ending).to.have.property('error').that.is.instanceOf(ProviderError);
  const error = ending.error as RefusedError;
  const { networkCode, networkMessage = '', message } = error;
  const { status, accessTokenSpent, noSecrets = [], retry } = expected;
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
  if (expected.hint !== undefined) expect(hint).to.match(new RegExp(expected.hint, 'i'));
  if (expected.userURL !== undefined) expect(error.userURL ?? null).to.equal(expected.userURL);
  if (expected.retryAfter) expect(error.retryAfter).to.be.within(...expected.retryAfter);
  const shown = inspect(error, { depth: 9, showHidden: true });
  for (const secret of noSecrets) expect(shown).to.not.include(secret);
  // Whatever is said, somebody knows what to do next, and the status says whether to try again.
  expect(hint.trim()).to.not.equal('');
  expect(error.status).to.equal(error.retryable ? 503 : 502);
}
