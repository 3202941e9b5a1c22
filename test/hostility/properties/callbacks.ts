import {
  type Addressed,
  type CallbackRun,
  type HostHeader,
  type HostRun,
  type PendingKeys,
  parsedQuery,
  RESPONSE_NAMES,
  searchOf,
  seenParameters,
} from '../generators/callbacks.js';
import { Application, Browser, type Ending, verifyAnyone } from '../world/application.js';
import type { FakeNetwork } from '../world/network.js';
import { secretsOfLoginShown, shownBy } from '../world/secrets.js';
import {
  callbackQuery,
  denialQuery,
  keyOf,
  ownerOf,
  SUBJECTS,
  type Subject,
  strategyOf,
  textOf,
  user,
} from '../world/subjects.js';
import { expectNoSecrets, Violation, type World } from '../world/world.js';
import { expectUser } from './interleavings.js';
import { expectProviderError } from './responses.js';

import express = require('express');

const DEADLINE = 3_000;
/** A browser keeps eight pending logins, and each request may start one. */
const MAX_PENDING = 8;
/** The request of a browser that opens the page. */
const HONEST = { parser: 'extended', headers: {}, method: 'GET', place: 'query' } as const;

export function checksOfCallbacks(
  world: World<FakeNetwork>,
  subject: Subject,
  kind: 'callbacks' | 'methods' | 'foreign',
) {
  const { network, agent, figures } = world;
  let userIDs: string[] = [];
  const verify = verifyAnyone((_token, id) => userIDs.push(id));
  const isOther = (one: Subject) => one !== subject && one.oauth1 === (kind === 'foreign' && !subject.oauth1);
  const other = SUBJECTS.find(isOther) as Subject;
  const strategies = [subject, other].map((one) =>
    strategyOf(one, network.url, verify, { timeout: DEADLINE, agent }),
  );
  const application = new Application(strategies);

  const visit = async (
    browser: Browser,
    { title }: Subject,
    search: string,
    { parser, headers, method, place }: Omit<CallbackRun, 'parameters' | 'tail'> = HONEST,
    through?: string[],
  ): Promise<Ending> => {
    network.startRun();
    userIDs = [];
    const inURL = place === 'body' ? '' : search;
    const query = parsedQuery(inURL, parser);
    const body = place === 'query' ? undefined : parsedQuery(search, 'extended');
    const request = { url: `/callback?${inURL}`, browser, method, headers };
    return application.run(title, {
      ...request,
      ...(through && { through }),
      ...(body && { body }),
      ...(query && { query }),
    });
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
    const requests = isResponse ? network.requests().length : calls();
    expect(isOwnState || requests === 0, 'the network gets a request', 'wrongUsers');
    const isRefused = outcome === 'failure' && [400, 403, 405].includes(ending.status ?? 0);
    expect(isOwnState || !isResponse || isRefused, `a foreign response ends in ${outcome} ${ending.status}`);
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

  const checkHonest = async (browser: Browser, one: Subject, key: string, through?: string[]) => {
    const ending = await visit(browser, one, textOf(callbackQuery(one, key, 1)), HONEST, through);
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
    // One route can belong to several protocols.
    const both = kind === 'foreign' ? [subject.title, other.title] : undefined;
    await checkHonest(victim, other, otherState, both);
    await checkHonest(victim, subject, state, both?.reverse());
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

/** Whether a query has any parameter of an authorization response, of this network or another one. */
function hasResponseParameter({ parameters }: Subject, seen: ReadonlyMap<string, unknown>): boolean {
  const names = [...RESPONSE_NAMES, ...parameters];
  return [...seen.keys()].some((name) => names.includes(name.split('[', 1)[0] ?? ''));
}

const TRUSTING = express().set('trust proxy', true);

/** Checks logins that begin and end under some host, of which every header may be somebody else's. */
export function checksOfHosts(world: World<FakeNetwork>, subject: Subject) {
  const { network, agent, figures } = world;
  const expect = (isExpected: boolean, problem: string, fault: Violation['fault'] = 'wrongOutcomes') => {
    if (!isExpected) throw new Violation(fault, problem);
  };

  return async ({ given, trust, baseURL, callbackURL, ...run }: HostRun): Promise<void> => {
    const options = { baseURL, callbackURL, proxy: trust === 'strategy', timeout: DEADLINE, agent };
    const application = new Application([strategyOf(subject, network.url, verifyAnyone(), options)]);
    const browser = new Browser();
    const visit = (
      url: string,
      { host, forwarded, protocol, forwardedProtocol }: Addressed,
      more?: object,
    ) => {
      const proxy = { 'x-forwarded-host': forwarded?.text, 'x-forwarded-proto': forwardedProtocol };
      const headers = { host: host?.text, ...proxy };
      const known: HostHeader | undefined = forwarded ?? host;
      const hostname = trust === 'framework' && { hostname: known?.name ?? known?.text };
      const app = trust === 'Express' && { app: TRUSTING };
      network.startRun();
      return application.run(subject.title, { url, browser, headers, protocol, ...hostname, ...app }, more);
    };
    const wanted = given ?? callbackURL;
    const begun = addressOf(trust, run.start);
    const base = URL.canParse(wanted) ? wanted : baseURL;
    const from = base ?? (begun && `${begun.protocol}://${begun.text}`);
    const expected = from !== undefined && URL.canParse(from) ? new URL(wanted, from).href : undefined;
    figures.hosts += 1;

    const start = await visit('/login', run.start, given === undefined ? {} : { callbackURL: given });
    if (expected === undefined) {
      expect(isFailure(start, 400, 'malformed_request'), `a start ends in ${shownBy(start)}`);
      expect(network.requests().length + browser.pendingLogins() === 0, 'a failed start leaves something');
      return world.settle(application.secondOutcomes);
    }
    expect(start.kind === 'redirect', `a login does not start: ${shownBy(start)}`);
    const signed = /oauth_callback="([^"]*)"/.exec(network.requests()[0]?.head ?? '')?.[1] ?? '';
    const sent = new URL(start.location).searchParams.get('redirect_uri') ?? decodeURIComponent(signed);
    expect(sent === expected, `the redirect URI is ${sent} instead of ${expected}`);

    const returned = run.callback ?? run.start;
    const ended = addressOf(trust, returned);
    const isConfigured = URL.canParse(callbackURL) || baseURL !== undefined;
    const endedAt = ended && `${ended.protocol}://${ended.text}`;
    const isSame = URL.canParse(endedAt ?? '') && new URL(endedAt ?? '').origin === new URL(expected).origin;
    // What only the start was given belongs to its own host and port.
    const isThere = (base !== undefined && isConfigured) || isSame;
    const query = callbackQuery(subject, keyOf(start.location) ?? '', 1);
    const ending = await visit(`/callback?${textOf(query)}`, returned);
    const [exchange] = network.requests();
    if (isThere) {
      expectUser(figures, { subject, owner: 1 }, ending);
      const repeated = subject.oauth1 ? expected : exchange?.form.get('redirect_uri');
      expect(repeated === expected, `the redirect URI is repeated as ${repeated}`);
    } else {
      expect(isFailure(ending, 403, 'unknown_login'), `under another host: ${shownBy(ending)}`, 'wrongUsers');
      expect(exchange === undefined, 'a login under another host costs a request');
    }
    await world.settle(application.secondOutcomes);
  };
}

function isFailure({ kind, status, info }: Ending, expected: number, code: string): boolean {
  return kind === 'failure' && status === expected && (info as { code?: string }).code === code;
}

/** Where a request arrived, as far as whoever is trusted says; `undefined` if its host is missing or malformed. */
function addressOf(trust: HostRun['trust'], { host, forwarded, ...request }: Addressed) {
  // A framework that reports its own host has not said whom it trusts.
  const isTelling = host?.name !== undefined && host.name !== (forwarded?.name ?? forwarded?.text);
  const isTrusted = trust === 'Express' || trust === 'strategy' || (trust === 'framework' && isTelling);
  const { text, name } = (isTrusted ? forwarded : undefined) ?? host ?? {};
  const protocol = (trust === 'strategy' ? request.forwardedProtocol : undefined) ?? request.protocol;
  return name === undefined ? undefined : { protocol, text, name };
}

/** Whether each parameter came once, as a non-empty string of bounded length. */
function isWellFormed(seen: ReadonlyMap<string, unknown>): boolean {
  return [...seen].every(
    ([name, value]) =>
      !name.includes('[') && typeof value === 'string' && value !== '' && value.length <= LONGEST_VALUE,
  );
}
