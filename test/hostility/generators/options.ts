import fc from 'fast-check';
import { CANARIES } from '../world/canaries.js';
import { words } from './strings.js';

const nothing = () => undefined;

/** Values that are valid for some options and invalid for others. `@network` is the fake network's URL. */
const sometimesValid: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  true,
  false,
  1,
  250,
  'a text',
  'text',
  ['a', 'b'],
  '@network',
  '/callback',
  'https://app.example/cb',
  'http://127.0.0.1:9/x',
  '2.0',
  '2.1',
  '1.0',
  '5.131',
  'S256',
  'hex',
  'base64url',
  nothing,
  async () => false,
  { 'x-a': 'b' },
  { save: nothing, take: nothing },
  { save: async () => {}, take: async () => undefined },
  CANARIES.clientSecret,
);

/** Values that are invalid for every option. */
const invalid: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    '',
    ' ',
    0,
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    2 ** 31,
    1n,
    Symbol('s'),
    [],
    {},
    [undefined],
    [[]],
    new Map(),
    new Date(0),
    Object.create(null),
    'http://evil.example/x',
    'ftp://x',
    '//x',
    'https://u:p@h.example/',
    'https://h.example/#f',
    'not an address',
    'x\ny',
    '\ud800',
    'x'.repeat(100_000),
    { 'bad name': 'x' },
    { a: 'b\r\nc: d' },
    { save: 1, take: 2 },
    {
      save() {
        throw new Error('the store failed');
      },
      take: nothing,
    },
  ),
  fc.anything({ maxDepth: 1, maxKeys: 3 }),
);

const value = fc.oneof({ weight: 3, arbitrary: sometimesValid }, { weight: 2, arbitrary: invalid });

const NAMES = [
  '',
  ...words(`
  clientID clientId clientKey consumerKey consumerSecret clientSecret serviceToken callbackURL scope
  authorizationURL tokenURL profileURL profileUrl requestTokenURL lookupURL revocationURL logoutURL
  userAuthorizationURL profile name store agent timeout passReqToCallback skipUserProfile proxy
  customHeaders state pkce version apiVersion lang profileFields userFields expansions tweetFields
  postFields includeEmail disableAutoAuth codeChallengeEncoding clientid callbackUrl constructor
  toString baseURL shareConnections stateLimit
`),
];

/** Options of `passport.authenticate`, except Passport's own. */
const AUTHENTICATE_NAMES = words(`
  scope state callbackURL display revoke prompt provider langId scheme disableAutoAuth forceLogin
  screenName accessType constructor toString anything client_id redirect_uri
`);

const set = (names: readonly string[], maxLength: number) =>
  fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength });

/** Options for a constructor and for `passport.authenticate`. */
export interface OptionsRun {
  /** Added to valid options. */
  readonly options: readonly (readonly [string, unknown])[];
  /** Occasionally replaces all options. */
  readonly instead: { readonly value: unknown } | undefined;
  readonly verify: unknown;
  readonly authenticate: readonly (readonly [string, unknown])[];
}

export const optionsRuns: fc.Arbitrary<OptionsRun> = fc.record({
  options: set(NAMES, 3),
  instead: fc.oneof(
    { weight: 30, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: invalid.map((replacement) => ({ value: replacement })) },
  ),
  verify: fc.oneof(
    { weight: 15, arbitrary: fc.constant(nothing as unknown) },
    { weight: 1, arbitrary: invalid },
  ),
  authenticate: set(AUTHENTICATE_NAMES, 3),
});
