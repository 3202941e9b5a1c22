import fc from 'fast-check';
import { CANARIES } from '../world/canaries.js';
import { digits } from '../world/honest-responses.js';
import { echo, SPELLINGS } from '../world/spellings.js';

/** Names of secrets that a network can echo. */
const SECRET_NAMES = [...Object.keys(CANARIES), 'codeVerifier', 'state', 'requestToken', 'basic'];

/** Encoded secrets within other text. */
export const echoed: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('', ' ', 'invalid ', 'x'.repeat(290), '<b>', 'Value passed '),
    fc.array(fc.tuple(fc.constantFrom(...SECRET_NAMES), fc.constantFrom(...Object.keys(SPELLINGS))), {
      minLength: 1,
      maxLength: 3,
    }),
    fc.constantFrom(' ', '', '&', '","'),
  )
  .map(
    ([before, echoes, between]) =>
      before + echoes.map(([name, spelling]) => echo(name, spelling)).join(between),
  );

/** Numbers that JavaScript rounds or cannot parse, and other unusual ones. */
export const NUMBERS = [
  '9007199254740993',
  '9007199254740995',
  '9007199254740990.7',
  '1.00000000000000000001',
  '123456789012345678901234567890',
  '-1',
  '-0',
  '0',
  '1e3',
  '1e400',
  '1.5',
  '12345',
  '1E-7',
  '00',
] as const;

/** Too deeply nested for recursion. */
export const DEEP = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;

/** Replacements for a property. Strings that begin with `@digits:` become raw JSON. */
const replacement: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(null, '', ' ', [], {}, true, false, 0, [null], 'null', 'undefined'),
  },
  { weight: 4, arbitrary: fc.constantFrom(...NUMBERS).map(digits) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('0', '12345', '-5', '1e3', '9007199254740993', 'id1', '0x10', '１２'),
  },
  { weight: 2, arbitrary: fc.string({ maxLength: 12 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('\ud800', 'a\udfff', '\u0000', '\ufeff', '🙂', '@digits:"\\ud83d"@'),
  },
  { weight: 2, arbitrary: echoed },
  { weight: 1, arbitrary: fc.constantFrom(DEEP, '"\\u00e9"', '{"__proto__":{"id":"1"}}').map(digits) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'Bearer',
      'mac',
      'BEARER',
      'ok',
      'user.info.profile',
      'email',
      'x'.repeat(9_000),
    ),
  },
);

/** A change to a record. */
export type Mutation =
  | { readonly kind: 'replace'; readonly at: number; readonly by: unknown }
  | { readonly kind: 'remove'; readonly at: number }
  | { readonly kind: 'repeat'; readonly at: number; readonly by: unknown }
  | { readonly kind: 'add'; readonly at: number; readonly name: string; readonly by: unknown }
  | { readonly kind: 'wrap'; readonly at: number };

const place = fc.nat(40);
const PROPERTIES = [
  '__proto__',
  'constructor',
  'toString',
  'error',
  'errors',
  'deactivated',
  'data',
  'user',
  'response',
  'lookup',
  'state',
  'user_id',
  'open_id',
  'id',
  'id_str',
  'scope',
  'token_type',
  'access_token',
  'title',
];

export const mutations: fc.Arbitrary<readonly Mutation[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ kind: fc.constant('replace' as const), at: place, by: replacement }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), at: place }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('repeat' as const), at: place, by: replacement }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('add' as const),
        at: place,
        name: fc.constantFrom(...PROPERTIES),
        by: replacement,
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('wrap' as const), at: place }) },
  ),
  { minLength: 0, maxLength: 3 },
);
