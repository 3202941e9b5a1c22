import { parse } from 'node:querystring';
import fc from 'fast-check';
import { CANARIES } from '../world/secrets.js';
import { belongingTo } from '../world/subjects.js';
import { anyString, either, type Generated, just, mostly, one, words } from './arbitraries.js';

import express = require('express');

const extended = express().set('query parser', 'extended').get('query parser fn') as (text: string) => object;

/** How the framework parses queries; `undefined` for one that does not. */
const PARSERS = { extended, simple: parse, none: () => undefined, empty: () => ({}) };
type Parser = keyof typeof PARSERS;

export function parsedQuery(search: string, parser: Parser): object | undefined {
  return PARSERS[parser](search);
}

/** The parameters as the strategy sees them. A repeated name has a list of values. */
export function seenParameters(search: string, query: object | undefined): Map<string, unknown> {
  if (query !== undefined && Object.keys(query).length > 0) return new Map(Object.entries(query));
  const all = new URLSearchParams(search);
  const single = (values: string[]) => (values.length === 1 ? values[0] : values);
  return new Map([...new Set(all.keys())].map((name) => [name, single(all.getAll(name))]));
}

/** The keys (state or request token) of pending and used logins. */
export interface PendingKeys {
  readonly state: string;
  readonly strangerState: string;
  readonly otherState: string;
  readonly usedState: string;
}

/** What stands for values of pending logins: `$state` and so on. */
const payloadOf = (state: string) =>
  JSON.stringify({ code: belongingTo(CANARIES.code, 7), state, device_id: 'd', type: 'code_v2' });
const PLACEHOLDERS: Readonly<Record<string, (keys: PendingKeys) => string>> = {
  state: ({ state }) => state,
  strangerState: ({ strangerState }) => strangerState,
  otherState: ({ otherState }) => otherState,
  usedState: ({ usedState }) => usedState,
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

/** Parameters of the responses of all protocols. */
export const RESPONSE_NAMES = words(`
  code state error error_description error_uri iss scopes errCode error_type error_reason device_id
  payload ext_id oauth_token oauth_verifier denied
`);
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

const visits = fc.record({ ...anyRequest, method: just<string>('GET'), place: just<string>('query') });

/** A request to the callback route, which anyone can send. Its parameters are in the `query`, in the `body` or in `both`. */
export type CallbackRun = Generated<typeof visits>;

const method = either<string>(
  [6, one(...words('HEAD POST OPTIONS PUT PATCH DELETE TRACE'))],
  [1, one('PROPFIND', 'QUERY', 'GETX', 'get', '')],
);

/** The headers of a page that a browser loads in advance. */
const purpose = fc
  .tuple(
    one(...words('sec-purpose purpose x-purpose x-moz')),
    one(...words('prefetch prefetch;prerender prerender preview Prefetch;anonymous-client-ip')),
  )
  .map(([header, value]): Record<string, string> => ({ [header]: value }));
const noPurpose = just<Record<string, string>>({});

const otherRequests: fc.Arbitrary<CallbackRun> = fc
  .record({
    ...anyRequest,
    parameters: fc.oneof(just(response('$state')), anyRequest.parameters),
    tail: mostly(4, '', anyRequest.tail),
    sent: either<{ method: string; purpose: Record<string, string> }>(
      [2, fc.record({ method, purpose: noPurpose })],
      [1, fc.record({ method: just<string>('GET'), purpose })],
      [1, fc.record({ method, purpose })],
    ),
    place: one<string>('query', 'query', 'both', 'body'),
  })
  .map(({ sent, ...request }) => ({
    ...request,
    method: sent.method,
    // A prefetch has no body.
    place: sent.method === 'GET' ? 'query' : request.place,
    headers: { ...request.headers, ...sent.purpose },
  }));

/** A start or callback with the response of another protocol, or of several. */
const foreign: fc.Arbitrary<CallbackRun> = fc.record({
  ...anyRequest,
  parameters: fc.array(
    fc.record({
      name: fc.tuple(one(...RESPONSE_NAMES), mostly(9, '', one(...SUFFIXES))).map((parts) => parts.join('')),
      value: either([6, one(...words('1 {} access_denied $code $verifier $otherState'))], [1, special]),
      raw: just(false),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  tail: just<string>(''),
  method: just<string>('GET'),
  place: just<string>('query'),
});

/** Callback requests between the start and end of a login. */
export const CALLBACKS_PER_RUN = 12;

const severalOf = (requests: fc.Arbitrary<CallbackRun>) =>
  fc.array(requests, { minLength: CALLBACKS_PER_RUN, maxLength: CALLBACKS_PER_RUN });
export const callbackRuns = {
  callbacks: severalOf(visits),
  methods: severalOf(otherRequests),
  foreign: severalOf(foreign),
};

/** A host as a header says it, with its name unless it is malformed. */
export type HostHeader = { readonly text: string; readonly name?: string };
const named = words(
  'app.example APP.example:8443 app.example:99999 evil.example app.example.evil.example:80 [::1]:3000 127.0.0.1',
).map((text) => ({ text, name: text.toLowerCase().replace(/:\d+$/, '') }));
const unnamed = ['', ...words(':443 app.example: app.example:1:2 [:: evil.example,app.example')];
const broken = fc.tuple(fc.nat(11), one(...Array.from(' /\\@#?%;<é\0')));
const host = either<HostHeader>(
  [6, one(...named)],
  [1, one(...unnamed).map((text) => ({ text }))],
  [1, broken.map(([at, sign]) => ({ text: `${'app.example'.slice(0, at)}${sign}evil.example` }))],
);
const addressed = fc.record({
  host: fc.option(host, { nil: undefined, freq: 12 }),
  forwarded: fc.option(host, { nil: undefined }),
  protocol: one('http', 'https'),
  forwardedProtocol: one(undefined, 'http', 'https'),
});
export type Addressed = Generated<typeof addressed>;

/** A login whose requests name hosts, at an application that says its own address or not, behind a proxy that it trusts or not. */
export const hostRuns = fc.record({
  baseURL: one(undefined, 'https://shop.example'),
  callbackURL: one('/callback', 'https://shop.example/callback'),
  /** The option of `authenticate`. */
  given: mostly<string | undefined>(2, undefined, one('/other', 'https://other.example/callback')),
  /** Express trusts the proxy, another framework reports the host that it trusts, or the strategy has the option `proxy`. */
  trust: one('nobody', 'nobody', 'Express', 'framework', 'strategy'),
  start: addressed,
  /** `undefined` for the same as at the start. */
  callback: fc.option(addressed, { nil: undefined }),
});
export type HostRun = Generated<typeof hostRuns>;

export function searchOf({ parameters, tail }: CallbackRun, keys: PendingKeys): string {
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
