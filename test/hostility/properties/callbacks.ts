import { isLoginResponse } from '../../../lib/index.js';
import {
  type CallbackRun,
  type PendingKeys,
  parsedQuery,
  searchOf,
  seenParameters,
} from '../generators/callbacks.js';
import { Application, Browser, type Ending, verifyAnyone } from '../world/application.js';
import type { FakeNetwork } from '../world/network.js';
import { secretsOfLoginShown, shownBy } from '../world/secrets.js';
import {
  callbackQuery,
  denialQuery,
  ownerOf,
  SUBJECTS,
  type Subject,
  strategyOf,
  textOf,
  user,
} from '../world/subjects.js';
import { expectNoSecrets, Violation, type World } from '../world/world.js';
import { expectProviderError } from './responses.js';

const DEADLINE = 3_000;
/** A browser keeps eight pending logins, and each request may start one. */
const MAX_PENDING = 8;
/** The request of a browser that opens the page. */
const HONEST = { parser: 'extended', headers: {}, method: 'GET', place: 'query' } as const;

export function checksOfCallbacks(
  world: World<FakeNetwork>,
  subject: Subject,
  kind: 'callbacks' | 'methods',
) {
  const { network, agent, figures } = world;
  let userIDs: string[] = [];
  const verify = verifyAnyone((_token, id) => userIDs.push(id));
  const other = SUBJECTS.find((one) => one !== subject && !one.oauth1) as Subject;
  const strategies = [subject, other].map((one) =>
    strategyOf(one, network.url, verify, { timeout: DEADLINE, agent }),
  );
  const application = new Application(strategies);

  const visit = async (
    browser: Browser,
    { title }: Subject,
    search: string,
    { parser, headers, method, place }: Omit<CallbackRun, 'parameters' | 'tail'> = HONEST,
  ): Promise<Ending> => {
    network.startRun();
    userIDs = [];
    const inURL = place === 'body' ? '' : search;
    const query = parsedQuery(inURL, parser);
    const body = place === 'query' ? undefined : parsedQuery(search, 'extended');
    const request = { url: `/callback?${inURL}`, browser, method, headers };
    return application.run(title, { ...request, ...(body && { body }), ...(query && { query }) });
  };

  const start = (browser: Browser, { title }: Subject) => application.start(title, browser);

  const calls = () => network.requests().filter(({ path }) => !path.endsWith('/request-token')).length;

  const checkCallback = async (
    browser: Browser,
    callback: CallbackRun,
    keys: PendingKeys,
  ): Promise<boolean> => {
    const search = searchOf(callback, keys);
    const inURL = callback.place === 'body' ? '' : search;
    const seen = seenParameters(inURL, parsedQuery(inURL, callback.parser));
    const before = browser.pendingLogins();
    const ending = await visit(browser, subject, search, callback);
    const after = browser.pendingLogins();
    figures[kind] += 1;
    if (kind === 'methods') checkNothingUsed(ending, callback.method, after - before, seen);
    const { state, code } = readResponse(subject, seen);
    const isOwnState = state === keys.state;
    const { kind: outcome, error, info } = ending;
    const expect = (isExpected: boolean, problem: string, fault: Violation['fault'] = 'wrongOutcomes') => {
      if (!isExpected) throw new Violation(fault, `${problem}, for ${search} (${JSON.stringify(keys)})`);
    };
    // Another user's code in `error` may be shown. This login's own state and verifier may not.
    if (outcome !== 'redirect') {
      const shown = secretsOfLoginShown(shownBy([error, info]), [keys.state, ...network.fresh()]);
      expectNoSecrets(`the outcome for ${search}`, shown);
    }
    const isResponse = hasResponseParameter(subject, seen);
    expect(outcome !== 'redirect' || !isResponse, 'an authorization response starts a login');
    expect(outcome !== 'passed', 'the request passes');
    const [verified, ...more] = userIDs;
    expect(more.length === 0, 'verify was called twice');
    const isRightUser = isOwnState && code !== undefined && verified === user(ownerOf(code) ?? 0).id;
    expect(verified === undefined || isRightUser, `${verified} logs in`, 'wrongUsers');
    if (verified !== undefined) figures.logins += 1;
    const isVerified = verified !== undefined;
    expect(
      (outcome === 'success') === isVerified,
      `verify was called: ${isVerified}, the outcome: ${outcome}`,
    );
    expect(isOwnState || calls() === 0, 'the network gets a request', 'wrongUsers');
    expect(isOwnState || outcome !== 'error', `a forged callback causes an error: ${String(error)}`);
    if (outcome === 'error') expectProviderError(error);
    const isUntouched = isOwnState || outcome === 'redirect' || after === before;
    expect(isUntouched, 'a forged callback changes the pending logins');
    return isVerified || after < before;
  };

  const checkNothingUsed = (
    { kind: outcome, status, info, error }: Ending,
    method: string,
    added: number,
    seen: ReadonlyMap<string, unknown>,
  ) => {
    const { code } = (info ?? {}) as { code?: string };
    if (calls() > 0) throw new Violation('wrongOutcomes', 'the network gets a request');
    if (userIDs.length > 0) throw new Violation('wrongUsers', `${userIDs[0]} logs in`);
    // A form of the application starts a login, or there is no room for it beside the cookies; its fields are not read.
    if (method === 'POST' && (outcome === 'redirect' || code === 'no_room')) return;
    if (added !== 0) throw new Violation('wrongOutcomes', `${-added} pending logins are used up`);
    const found = `${outcome} ${status ?? ''} ${code ?? shownBy(error)}`;
    const isResponse = hasResponseParameter(subject, seen);
    const expected = isResponse ? 'failure 405 method_not_allowed' : 'failure 403 not_a_navigation';
    const isMalformed = found === 'failure 400 malformed_response' && !isWellFormed(seen);
    if (found !== expected && !isMalformed) throw new Violation('wrongOutcomes', `the outcome is ${found}`);
  };

  const checkHonest = async (browser: Browser, one: Subject, key: string) => {
    const ending = await visit(browser, one, textOf(callbackQuery(one, key, 1)));
    if (ending.kind === 'success' && userIDs[0] === user(1).id) figures.logins += 1;
    else if ((ending.error as { code?: string } | undefined)?.code === 'timeout') figures.late += 1;
    else throw new Violation('wrongOutcomes', `an honest login of ${one.title} ends in ${shownBy(ending)}`);
  };

  return async (callbacks: readonly CallbackRun[]): Promise<void> => {
    const [victim, stranger] = [new Browser(), new Browser()];
    const strangerState = await start(stranger, subject);
    const otherState = await start(victim, other);
    const usedState = await start(victim, subject);
    await visit(victim, subject, textOf(denialQuery(subject, usedState)));
    let state = await start(victim, subject);
    for (const callback of callbacks) {
      if (victim.pendingLogins() >= MAX_PENDING) break;
      const keys = { state, strangerState, otherState, usedState };
      if (await checkCallback(victim, callback, keys)) state = await start(victim, subject);
    }
    await checkHonest(victim, other, otherState);
    await checkHonest(victim, subject, state);
    await checkHonest(stranger, subject, strangerState);
    await world.settle(application.secondOutcomes);
  };
}

const STANDARD = ['code', 'state', 'error', 'error_description', 'error_uri', 'iss'];
/** Longer values are rejected. */
const LONGEST_VALUE = 8_192;

function readResponse(
  { oauth1, title }: Subject,
  seen: ReadonlyMap<string, unknown>,
): { readonly state?: string | undefined; readonly code?: string | undefined } {
  const text = (name: string) => {
    const value = seen.get(name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  if (oauth1) return { state: text('oauth_token') ?? text('denied'), code: text('oauth_verifier') };
  const isFlat = [...STANDARD, 'device_id'].some((name) => name !== 'error_uri' && seen.has(name));
  const payload = text('payload');
  if (title !== 'vk-id' || isFlat || payload === undefined)
    return { state: text('state'), code: text('code') };
  try {
    const once: unknown = JSON.parse(payload);
    return { ...((typeof once === 'string' ? JSON.parse(once) : once) as { state?: string; code?: string }) };
  } catch {
    return {};
  }
}

/** Whether a query has any parameter of an authorization response. */
function hasResponseParameter({ parameters, oauth1 }: Subject, seen: ReadonlyMap<string, unknown>): boolean {
  const names = oauth1 ? parameters : [...STANDARD, ...parameters];
  const query = Object.fromEntries([...seen.keys()].map((name) => [name, '']));
  return isLoginResponse({ query }) || [...seen.keys()].some((name) => names.includes(name));
}

/** Whether each parameter came once, as a non-empty string of bounded length. */
function isWellFormed(seen: ReadonlyMap<string, unknown>): boolean {
  return [...seen].every(
    ([name, value]) =>
      !name.includes('[') && typeof value === 'string' && value !== '' && value.length <= LONGEST_VALUE,
  );
}
