import { parse } from 'node:querystring';
import fc from 'fast-check';
import { shownBy } from '../contract/eavesdropper.js';
import { Browser } from '../support/browser.js';
import { anyString, either, type Generated, just, mostly, one, words } from './arbitraries.js';
import { expectProviderError } from './responses.js';
import { Application, type Ending, verifyAnyone } from './world/application.js';
import { CANARIES, secretsOfLoginShown } from './world/secrets.js';
import {
  belongingTo,
  callbackQuery,
  denialQuery,
  idOf,
  ownerOf,
  SUBJECTS,
  type Subject,
  strategyOf,
  textOf,
} from './world/subjects.js';
import { expectNoSecrets, Violation, type World } from './world/world.js';

import express = require('express');

const extended = express().set('query parser', 'extended').get('query parser fn') as (text: string) => object;

/** How the framework parses queries; `undefined` for one that does not. */
const PARSERS = { extended, simple: parse, none: () => undefined, empty: () => ({}) };
type Parser = keyof typeof PARSERS;

/** The parameters as the strategy sees them. A repeated name has a list of values. */
function seenParameters(search: string, query: object | undefined): Map<string, unknown> {
  if (query !== undefined && Object.keys(query).length > 0) return new Map(Object.entries(query));
  const all = new URLSearchParams(search);
  const single = (values: string[]) => (values.length === 1 ? values[0] : values);
  return new Map([...new Set(all.keys())].map((name) => [name, single(all.getAll(name))]));
}

/** The keys (state or request token) of pending and used logins. */
const KEYS = ['state', 'strangerState', 'otherState', 'usedState'] as const;
type PendingKeys = Readonly<Record<(typeof KEYS)[number], string>>;

/** What stands for values of pending logins: `$state` and so on. */
const payloadOf = (state: string) =>
  JSON.stringify({ code: belongingTo(CANARIES.code, 7), state, device_id: 'd', type: 'code_v2' });
const PLACEHOLDERS: Readonly<Record<string, (keys: PendingKeys) => string>> = {
  ...Object.fromEntries(KEYS.map((key) => [key, (keys: PendingKeys) => keys[key]])),
  code: () => belongingTo(CANARIES.code, 7),
  verifier: () => belongingTo(CANARIES.verifier, 7),
  stateX: ({ state }) => `${state}X`,
  // Without a character in the middle. A prefix or suffix could match within other text.
  shorter: ({ state }) => state.slice(0, 6) + state.slice(7),
  upper: ({ state }) => state.toUpperCase(),
  payload: ({ state }) => payloadOf(state),
  payloadTwice: ({ state }) => JSON.stringify(payloadOf(state)),
  strangerPayload: ({ strangerState }) => payloadOf(strangerState),
};

const special = one(
  ...words('$state $state $code'),
  ...Object.keys(PLACEHOLDERS).map((name) => `$${name}`),
  '$state,$state',
  '$state ',
  ' $state',
  '$state\0',
);

const plain = fc.oneof(
  one(
    ...words('null undefined 0 [] {} access_denied server_error javascript:alert(1) https://evil.example'),
    '',
    '[object Object]',
    '{"code":1,"state":null}',
    '{"__proto__":{"state":"x"}}',
    '"{\\"code\\":\\"x\\"}"',
    '['.repeat(10_000),
    'x'.repeat(8_193),
    CANARIES.code,
  ),
  anyString(20),
  fc.string({ maxLength: 30 }),
);

const RESPONSE_NAMES = words(`
  code state error error_description error_uri iss scopes errCode error_type error_reason device_id
  payload ext_id oauth_token oauth_verifier denied
`);
/** VK ID's besides. */
const KNOWN = [...RESPONSE_NAMES, 'type', 'expires_in'];
const ODD_NAMES = words('__proto__ constructor toString State st%61te utm_source length');
const SUFFIXES = words('[] [0] [a] [a][b] [__proto__] %5B%5D [length] .x');

const name = fc
  .tuple(
    either(
      [8, one(...words('state code oauth_token oauth_verifier payload device_id'))],
      [4, one(...KNOWN)],
      [2, one(...ODD_NAMES, 'state ', 'sta\0te', '')],
      [1, fc.string({ maxLength: 8 })],
    ),
    mostly(6, '', one(...SUFFIXES, '[ ]')),
  )
  .map((parts) => parts.join(''));

const parameter = fc.record({
  name,
  value: either([3, special], [2, plain]),
  raw: mostly<boolean>(6, false, just(true)),
});

const HEADERS = words('host cookie referer x-forwarded-host x-forwarded-proto __proto__ origin');
const VALUES = ['', 'evil.example', 'a, b', 'pendingLogins=1; state=x', 'x'.repeat(9_000)];

const headers = mostly<Record<string, string>>(
  5,
  {},
  fc.dictionary(one(...HEADERS), fc.oneof(fc.string({ maxLength: 30 }), one(...VALUES)), {
    maxKeys: 3,
    noNullPrototype: true,
  }),
);

const response = (key: string) =>
  Object.entries({
    state: key,
    oauth_token: key,
    oauth_verifier: '$verifier',
    code: '$code',
    device_id: 'd',
  }).map(([known, value]) => ({ name: known, value, raw: false }));

const anyRequest = {
  parameters: either<readonly Generated<typeof parameter>[]>(
    [6, fc.array(parameter, { maxLength: 5 })],
    [
      4,
      fc
        .tuple(
          one(...words('$state $state $state $otherState $strangerState $usedState')),
          fc.shuffledSubarray([0, 1, 2, 3, 4]),
          fc.array(parameter, { maxLength: 2 }),
        )
        .map(([key, chosen, others]) => {
          const all = response(key);
          return [...chosen.flatMap((index) => all[index] ?? []), ...others];
        }),
    ],
  ),
  tail: either<string>(
    [8, just('')],
    [1, one(...words('& % %zz &=&= ?state=x #state=x &&&& %00 %ff%fe &state &code&state ;state=x'))],
    [1, fc.string({ unit: 'binary-ascii', maxLength: 20 })],
  ),
  parser: one<Parser>('extended', 'extended', 'simple', 'none', 'empty'),
  headers,
};

const visits = fc.record(anyRequest);

/** A request to the callback route, which anyone can send. */
type CallbackRun = Generated<typeof visits>;

/** Callback requests between the start and end of a login. */
export const CALLBACKS_PER_RUN = 12;

export const callbackRuns = fc.array(visits, { minLength: CALLBACKS_PER_RUN, maxLength: CALLBACKS_PER_RUN });

function searchOf({ parameters, tail }: CallbackRun, keys: PendingKeys): string {
  const texts = parameters.map(({ name: known, value, raw }) => {
    const text = value.replace(
      /\$(\w+)/g,
      (whole, word: string) => (Object.hasOwn(PLACEHOLDERS, word) && PLACEHOLDERS[word]?.(keys)) || whole,
    );
    if (raw) return `${known}=${text}`;
    return `${encodeURIComponent(known.toWellFormed())}=${encodeURIComponent(text.toWellFormed())}`;
  });
  return texts.join('&') + tail;
}

const DEADLINE = 3_000;
/** A browser keeps eight pending logins, and each request may start one. */
const MAX_PENDING = 8;
/** The request of a browser that opens the page. */
const HONEST = { parser: 'extended', headers: {} } as const;

export function checksOfCallbacks(world: World, subject: Subject) {
  const { network, agent } = world;
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
    { parser, headers }: Omit<CallbackRun, 'parameters' | 'tail'> = HONEST,
  ): Promise<Ending> => {
    network.startRun();
    userIDs = [];
    const query = PARSERS[parser](search);
    return application.run(title, { url: `/callback?${search}`, browser, headers, ...(query && { query }) });
  };

  const start = (browser: Browser, { title }: Subject) => application.start(title, browser);

  const calls = () => network.requests().filter(({ path }) => !path.endsWith('/request-token')).length;

  const checkCallback = async (
    browser: Browser,
    callback: CallbackRun,
    keys: PendingKeys,
  ): Promise<boolean> => {
    const search = searchOf(callback, keys);
    const seen = seenParameters(search, PARSERS[callback.parser](search));
    const before = browser.cookies().length;
    const ending = await visit(browser, subject, search, callback);
    const after = browser.cookies().length;
    world.counted += 1;
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
    const isRightUser = isOwnState && code !== undefined && verified === idOf(ownerOf(code) ?? 0);
    expect(verified === undefined || isRightUser, `${verified} logs in`, 'wrongUsers');
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

  const checkHonest = async (browser: Browser, one: Subject, key: string) => {
    const ending = await visit(browser, one, textOf(callbackQuery(one, key, 1)));
    const isRight = ending.kind === 'success' && userIDs[0] === idOf(1);
    // An honest login may take too long on a busy machine.
    if (!isRight && (ending.error as { code?: string } | undefined)?.code !== 'timeout')
      throw new Violation('wrongOutcomes', `an honest login of ${one.title} ends in ${shownBy(ending)}`);
  };

  return async (callbacks: readonly CallbackRun[]): Promise<void> => {
    const [victim, stranger] = [new Browser(), new Browser()];
    const strangerState = await start(stranger, subject);
    const otherState = await start(victim, other);
    const usedState = await start(victim, subject);
    await visit(victim, subject, textOf(denialQuery(subject, usedState)));
    let state = await start(victim, subject);
    for (const callback of callbacks) {
      if (victim.cookies().length >= MAX_PENDING) break;
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
function hasResponseParameter({ title }: Subject, seen: ReadonlyMap<string, unknown>): boolean {
  const names = title === 'vk-id' ? KNOWN : RESPONSE_NAMES;
  return [...seen.keys()].some((name) => names.includes(name.split('[', 1)[0] ?? ''));
}
