import { inspect, isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { ProviderError } from '../../../lib/index.js';
import type { AnyVerify } from '../../contract/strategies.js';
import type { NamedStrategy } from '../../support/login-app.js';
import { either, type Generated, mostly, one, words } from '../generators/arbitraries.js';
import { Application } from '../world/application.js';
import type { FakeNetwork } from '../world/network.js';
import { CANARIES, secretsShown, shownBy } from '../world/secrets.js';
import { classOf, endpointsAt, type Subject } from '../world/subjects.js';
import { expectNoSecrets, nextTurns, Violation, type World } from '../world/world.js';

const nothing = () => undefined;

const STORES = [
  { save: nothing, take: nothing },
  { save: async () => {}, take: async () => undefined },
];

/** Values that are valid for some options and invalid for others. `@network` is the fake network's URL. */
const SOMETIMES_VALID: readonly unknown[] = [
  ...words('text @network /callback https://app.example/cb http://127.0.0.1:9/x 2.0 2.1 1.0 5.131'),
  ...words('S256 hex base64url'),
  ...STORES,
  nothing,
  async () => false,
  { 'x-a': 'b' },
  ['a', 'b'],
  true,
  false,
  1,
  250,
  'a text',
  CANARIES.clientSecret,
];

const FAILING_STORE = {
  save() {
    throw new Error('the store failed');
  },
  take: nothing,
};

const ODD_NUMBERS = [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, 1n];
const ODD_STRINGS = ['', ' ', 'not an address', 'x\ny', '\ud800', 'x'.repeat(100_000)];
const ODD_OBJECTS = [undefined, null, [], {}, [undefined], [[]], new Map(), new Date(0), Object.create(null)];

const INVALID: readonly unknown[] = [
  ...words('http://evil.example/x ftp://x //x https://u:p@h.example/ https://h.example/#f'),
  ...ODD_NUMBERS,
  ...ODD_STRINGS,
  ...ODD_OBJECTS,
  Symbol('s'),
  { 'bad name': 'x' },
  { a: 'b\r\nc: d' },
  { save: 1, take: 2 },
  FAILING_STORE,
];
const invalid = fc.oneof(one(...INVALID), fc.anything({ maxDepth: 1, maxKeys: 3 }));

const value = either([3, one(...SOMETIMES_VALID)], [2, invalid]);

const NAMES = [
  '',
  ...words(`
  clientID clientId clientKey consumerKey consumerSecret clientSecret serviceToken callbackURL scope
  authorizationURL tokenURL profileURL profileUrl requestTokenURL lookupURL revocationURL logoutURL
  userAuthorizationURL profile name store agent timeout passReqToCallback skipUserProfile proxy
  customHeaders state pkce version apiVersion lang profileFields userFields expansions tweetFields
  postFields includeEmail disableAutoAuth codeChallengeEncoding clientid callbackUrl constructor
  toString baseURL linksTo stateLimit
`),
];

const AUTHENTICATE_NAMES = words(`
  scope state callbackURL display revoke prompt provider langId scheme disableAutoAuth forceLogin
  screenName accessType constructor toString anything client_id redirect_uri
`);

const pairs = (names: readonly string[]) => fc.array(fc.tuple(one(...names), value), { maxLength: 3 });

export const optionsRuns = fc.record({
  options: pairs(NAMES),
  /** Occasionally replaces all options. */
  instead: mostly<{ readonly value: unknown } | undefined>(
    30,
    undefined,
    invalid.map((replacement) => ({ value: replacement })),
  ),
  verify: mostly<unknown>(15, nothing, invalid),
  authenticate: pairs(AUTHENTICATE_NAMES),
});
type OptionsRun = Generated<typeof optionsRuns>;

export function checksOfOptions(world: World<FakeNetwork>, subject: Subject) {
  const { network, figures } = world;

  /** Creates a strategy, or checks that the error explains the mistake. */
  const construct = (run: OptionsRun): NamedStrategy | undefined => {
    const endpoints = endpointsAt(network.url, subject);
    const valid = { clientID: 'client', timeout: 500, ...subject.options, ...endpoints };
    const given = run.options.map(([name, chosen]) => [
      name,
      chosen === '@network' ? `${network.url}/${subject.title}/profile` : chosen,
    ]);
    const named = Object.fromEntries(given) as Record<string, unknown>;
    const options = run.instead ? run.instead.value : { ...valid, ...named };
    const before = propertiesOf(options);
    let made: NamedStrategy;
    try {
      made = new (classOf(subject))(options as object, run.verify as AnyVerify);
    } catch (error) {
      if (!isExplained(error, named.name))
        throw new Violation('wrongOutcomes', `a constructor throws ${shownBy(error)}`);
      // Errors quote unknown fields and scopes, so a secret in such an option may be shown.
      if (!isMisplaced(run)) expectNoSecrets("a constructor's error", secretsShown(shownBy(error)));
      return undefined;
    }
    if (!isDeepStrictEqual(before, propertiesOf(options)))
      throw new Violation('wrongOutcomes', 'a constructor changes its options');
    return made;
  };

  const start = async (strategy: NamedStrategy, run: OptionsRun) => {
    const expectHidden = (what: string, text: string) => {
      if (!isMisplaced(run)) expectNoSecrets(what, secretsShown(text));
    };
    expectHidden('a printed strategy', inspect(strategy, { depth: 6 }) + JSON.stringify(strategy));
    const application = new Application([strategy]);
    const given = Object.fromEntries(run.authenticate);
    const { kind, location, error } = await application.run(strategy.name, { url: '/login' }, given);
    const isExpected = error instanceof ProviderError || error instanceof TypeError || isStoreError(error);
    const isRedirect = kind === 'redirect' && URL.canParse(location);
    if (!isRedirect && !(kind === 'error' && isExpected))
      throw new Violation('wrongOutcomes', `a start ends in ${kind} ${location} ${shownBy(error)}`);
    if (isRedirect) figures.starts += 1;
    expectHidden('a start', location + shownBy(error));
    await nextTurns();
    if (application.secondOutcomes.length > 0)
      throw new Violation('wrongOutcomes', application.secondOutcomes.join());
  };

  return async (run: OptionsRun): Promise<void> => {
    figures.options += 1;
    network.startRun();
    const strategy = construct(run);
    if (strategy) await start(strategy, run);
    await nextTurns();
    const problems = world.takeProblems();
    const crash = problems.find((problem) => problem.startsWith('crash'));
    if (crash !== undefined) throw new Violation('crashes', crash);
    expectNoSecrets('a warning', secretsShown(problems.join('\n')));
  };
}

function isMisplaced({ options, authenticate, instead }: OptionsRun): boolean {
  const others = [...options.filter(([name]) => !/^(client|consumer)Secret$/.test(name)), ...authenticate];
  return instead !== undefined || others.some(([, value]) => value === CANARIES.clientSecret);
}

function isStoreError(error: unknown): boolean {
  return error instanceof Error && error.message === 'the store failed';
}

/** Whether an error names the strategy, by class or by its `name` option. */
function isExplained(error: unknown, name: unknown): boolean {
  if (!(error instanceof TypeError)) return false;
  const isByName = typeof name === 'string' && error.message.startsWith(name);
  return isByName || /Strategy|short-video|microblog|social-network/.test(error.message);
}

function propertiesOf(options: unknown): [string, unknown][] {
  return typeof options === 'object' && options !== null ? Object.entries(options) : [];
}
