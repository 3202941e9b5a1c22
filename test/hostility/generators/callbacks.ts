import fc from 'fast-check';
import { type Parameter, parameter } from './parameters.js';

const encoded = (name: string, value: string): Parameter => ({ name, value, raw: false });

/** How the framework parses queries. */
export type Parser = 'extended' | 'simple' | 'none' | 'empty';

/** A request to the callback route, which anyone can send. */
export interface CallbackRun {
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

/** Callback requests that are nearly valid, and arbitrary ones. */
export const callbackRuns: fc.Arbitrary<CallbackRun> = fc.record({
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
});
