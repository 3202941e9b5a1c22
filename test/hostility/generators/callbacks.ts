import fc from 'fast-check';
import { type Parameter, parameter } from './parameters.js';

const encoded = (name: string, value: string): Parameter => ({ name, value, raw: false });

/** How the framework parses queries. */
export type Parser = 'extended' | 'simple' | 'none' | 'empty';

/** Whether the requests are those of a browser that opens the page (`callbacks`), or any others. */
export type CallbackKind = 'callbacks' | 'methods';

/** A request to the callback route, which anyone can send. */
export interface CallbackRun {
  readonly method: string;
  /** Where the parameters are. */
  readonly place: 'query' | 'body' | 'both';
  readonly parameters: readonly Parameter[];
  /** Arbitrary text after the parameters. */
  readonly tail: string;
  readonly parser: Parser;
  readonly headers: Readonly<Record<string, string>>;
}

const headers: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Record<string, string>>({}) },
  {
    weight: 1,
    arbitrary: fc.dictionary(
      fc.constantFrom(
        'host',
        'cookie',
        'referer',
        'x-forwarded-host',
        'x-forwarded-proto',
        '__proto__',
        'origin',
      ),
      fc.oneof(
        fc.string({ maxLength: 30 }),
        fc.constantFrom('', 'evil.example', 'a, b', 'pendingLogins=1; state=x', 'x'.repeat(9_000)),
      ),
      { maxKeys: 3, noNullPrototype: true },
    ),
  },
);

/** The parameters of an authorization response as the networks send it. */
const RESPONSE = [
  encoded('state', '$state'),
  encoded('oauth_token', '$state'),
  encoded('oauth_verifier', '$verifier'),
  encoded('code', '$code'),
  encoded('device_id', 'd'),
];

/** Callback requests that are nearly valid, and arbitrary ones. */
const anyRequest = {
  parameters: fc.oneof(
    { weight: 6, arbitrary: fc.array(parameter, { maxLength: 5 }) },
    {
      weight: 4,
      arbitrary: fc
        .tuple(
          fc.constantFrom('$state', '$state', '$state', '$otherState', '$strangerState', '$usedState'),
          fc.shuffledSubarray(['state', 'code', 'device_id', 'oauth_token', 'oauth_verifier']),
          fc.array(parameter, { maxLength: 2 }),
        )
        .map(([key, names, others]) => [
          ...names.map((known) =>
            encoded(
              known,
              { state: key, oauth_token: key, oauth_verifier: '$verifier', code: '$code' }[known] ?? 'd',
            ),
          ),
          ...others,
        ]),
    },
  ),
  tail: fc.oneof(
    { weight: 8, arbitrary: fc.constant('') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '&',
        '%',
        '%zz',
        '&=&=',
        '?state=x',
        '#state=x',
        '&&&&',
        '%00',
        '%ff%fe',
        '&state',
        '&code&state',
        ';state=x',
      ),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'binary-ascii', maxLength: 20 }) },
  ),
  parser: fc.constantFrom<Parser>('extended', 'extended', 'simple', 'none', 'empty'),
  headers,
};

const visits: fc.Arbitrary<CallbackRun> = fc.record({
  ...anyRequest,
  method: fc.constant('GET'),
  place: fc.constant('query' as const),
});

const method = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'TRACE') },
  { weight: 1, arbitrary: fc.constantFrom('PROPFIND', 'QUERY', 'GETX', 'get', '') },
);

/** The headers of a page that a browser loads in advance. */
const purpose = fc
  .tuple(
    fc.constantFrom('sec-purpose', 'purpose', 'x-purpose', 'x-moz'),
    fc.constantFrom('prefetch', 'prefetch;prerender', 'prerender', 'preview', 'Prefetch;anonymous-client-ip'),
  )
  .map(([name, value]): Record<string, string> => ({ [name]: value }));

const otherRequests: fc.Arbitrary<CallbackRun> = fc
  .record({
    ...anyRequest,
    parameters: fc.oneof(
      { weight: 1, arbitrary: fc.constant(RESPONSE) },
      { weight: 1, arbitrary: anyRequest.parameters },
    ),
    tail: fc.oneof({ weight: 4, arbitrary: fc.constant('') }, { weight: 1, arbitrary: anyRequest.tail }),
    sent: fc.oneof(
      { weight: 2, arbitrary: fc.record({ method, purpose: fc.constant({}) }) },
      { weight: 1, arbitrary: fc.record({ method: fc.constant('GET'), purpose }) },
      { weight: 1, arbitrary: fc.record({ method, purpose }) },
    ),
    place: fc.constantFrom('query', 'query', 'both', 'body'),
  })
  .map(({ sent, ...request }) => ({
    ...request,
    method: sent.method,
    // A prefetch has no body.
    place: sent.method === 'GET' ? 'query' : request.place,
    headers: { ...request.headers, ...sent.purpose },
  }));

export const callbackRuns: Readonly<Record<CallbackKind, fc.Arbitrary<CallbackRun>>> = {
  callbacks: visits,
  methods: otherRequests,
};
