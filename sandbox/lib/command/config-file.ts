import type { Document, LineCounter } from 'yaml';
import { BOOLEAN, integer, type Shape, STRING } from '../core/checks.js';
import { Clock, VK_ID_CALLBACKS, World } from '../core/world.js';
import { NETWORKS } from '../networks.js';
import type { SandboxSettings } from '../server/sandbox.js';
import { changedApplications, SettingError } from '../settings/applications.js';
import { checkPeople, readSettings } from '../settings/people.js';
import { Faults } from '../traffic/faults.js';

/** What `init` writes: a file for `--config` that changes nothing but the examples' own values, with a comment on every setting. */
export const CONFIG_TEMPLATE = `# Settings of the sandbox: npx passport-social-networks-sandbox --config sandbox.yaml
# Every setting may be left out. A mistake is reported with its line.

# Port to listen on; --port overrides it.
port: 4000

# true rejects what the networks are only supposed to reject. false accepts it, and notes it in the console.
strict: false

# true serves https, with a certificate of the sandbox's own; --certificate FILE writes it to a file.
https: false

# Form of VK ID's authorization response: flat or payload. The real network uses both.
vkIdCallback: flat

# Your application, as it is registered with each network. Without an entry, the sandbox has its own credentials and accepts any
# redirect address.
applications:
  - network: short-video # TikTok
    name: My application
    clientID: my-client-key
    clientSecret: my-client-secret
    # Compared exactly, as the network does.
    redirectAddresses:
      - http://localhost:3000/api/auth/callback/short-video
  - network: microblog # X; version '1.0' is OAuth 1.0a, client public has no secret
    version: '2.0'
    name: My application
    redirectAddresses:
      - http://localhost:3000/api/auth/callback/microblog
  - network: social-network # VK; version '2.1' is VK ID, whose clientSecret is the protected key
    version: '2.1'
    clientID: '51234567'

# Who can log in, instead of the sandbox's own people. The identifiers are those at each network.
people:
  - id: zoe
    displayName: Zoe Example
    givenName: Zoe
    familyName: Example
    handle: zoe_example
    openId: 3f2c8e0a-5d1b-4a7e-9c6f-8b0d2e4a6c1f
    microblogId: '1234567890'
    socialNetworkId: 210700286
    email: zoe@example.com # optional, like everything below
    picture: large
    # deactivated: banned

# What goes wrong, from the start. docs/testing.md has every kind.
faults: []
#  - network: microblog
#    endpoint: token
#    fault: { kind: answer, status: 503 }
#    times: 2
`;

/** The file that `init` writes. */
export const CONFIG_FILE = 'sandbox.yaml';

/** What a configuration file may set. */
type Config = Pick<
  SandboxSettings,
  'port' | 'host' | 'strict' | 'https' | 'vkIdCallback' | 'applications' | 'people' | 'faults'
>;

/** The settings with a single value. */
const SETTINGS: Shape = {
  port: integer(0, 65_535, 'must be a number from 0 to 65535'),
  host: [STRING[0], 'must be an address such as 127.0.0.1'],
  strict: BOOLEAN,
  https: BOOLEAN,
  vkIdCallback: [
    (value) => VK_ID_CALLBACKS.some((known) => known === value),
    `must be ${VK_ID_CALLBACKS.join(' or ')}`,
  ],
};

/** The settings that are lists, each with its check. */
const LISTS = { applications: applicationMistakes, people: peopleMistakes, faults: faultMistakes };
const PROPERTIES = [...Object.keys(SETTINGS), ...Object.keys(LISTS)];

/** @throws Error that begins with file and line: each mistake of the syntax, or the first in a setting. */
export function readConfig(file: string): Config {
  const text = readSettings(file, '--config');
  // Loaded here, because a sandbox without a file does not need it.
  const yaml: typeof import('yaml') = require('yaml');
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    const mistakes = document.errors.map(
      ({ message, pos }) => `${file}:${lines.linePos(pos[0]).line}: ${message}`,
    );
    throw new Error(mistakes.join('\n'));
  }
  const config: unknown = document.toJS() ?? {};
  const mistakes = mistakesIn(config);
  if (mistakes.length === 0) return config as Config;
  throw new Error(
    mistakes.map(({ path, message }) => `${file}:${lineOf(document, path, lines)}: ${message}`).join('\n'),
  );
}

/** Line of the key or list entry at a path; of the nearest one around it, if there is none. */
function lineOf(document: Document, path: readonly (string | number)[], lines: LineCounter): number {
  for (let length = path.length; length > 0; length -= 1) {
    const key = path[length - 1];
    const parent: unknown =
      length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    const items: unknown = Object(parent).items;
    const pair: unknown = Array.isArray(items)
      ? items.find((item) => Object(item?.key).value === key)
      : undefined;
    const node: unknown = pair === undefined ? document.getIn(path.slice(0, length), true) : Object(pair).key;
    const range: unknown = Object(node).range;
    if (Array.isArray(range)) return lines.linePos(Number(range[0])).line;
  }
  return 1;
}

/** Every mistake in the settings: of a person, application or fault the first one. */
function mistakesIn(config: unknown): readonly SettingError[] {
  if (typeof config !== 'object' || config === null || Array.isArray(config))
    return [new SettingError('the file must be a mapping of settings', [])];
  const given = config as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(given).filter((name) => !PROPERTIES.includes(name));
  const wrong = Object.entries(SETTINGS).filter(
    ([name, [isValid]]) => given[name] !== undefined && !isValid(given[name]),
  );
  return [
    ...unknown.map(
      (name) => new SettingError(`unknown setting "${name}" (known: ${PROPERTIES.join(', ')})`, [name]),
    ),
    ...wrong.map(([name, [, requirement]]) => new SettingError(`${name} ${requirement}`, [name])),
    ...Object.entries(LISTS).flatMap(([name, check]) =>
      given[name] === undefined ? [] : check(given[name]),
    ),
  ];
}

function applicationMistakes(applications: unknown): readonly SettingError[] {
  if (!Array.isArray(applications))
    return mistakeOf(['applications'], {}, () => changedApplications(applications));
  return applications.flatMap((application, index) =>
    mistakeOf(['applications', index], {}, () => changedApplications([application])),
  );
}

/** One by one, so that each mistake has its line; then together. */
function peopleMistakes(people: unknown): readonly SettingError[] {
  const single = (Array.isArray(people) ? people : []).flatMap((person, index) =>
    mistakeOf(['people', index], person, () => checkPeople([person], 'people')),
  );
  return single.length > 0 ? single : mistakeOf(['people'], {}, () => checkPeople(people, 'people'));
}

function faultMistakes(faults: unknown): readonly SettingError[] {
  if (!Array.isArray(faults)) return [new SettingError('faults must be a list', ['faults'])];
  const world = new World(new Clock(), [], { vkIdCallback: 'flat' });
  const known = new Faults(NETWORKS.flatMap((network) => network.endpoints(world)));
  return faults.flatMap((fault, index) =>
    mistakeOf(['faults', index], fault, () => {
      if (typeof fault !== 'object' || fault === null) throw new TypeError('a fault must be a mapping');
      known.add(fault);
    }),
  );
}

/** Adds a path to a mistake: to the value, or to the property of it that the message names. */
function mistakeOf(path: readonly (string | number)[], value: unknown, run: () => void) {
  try {
    run();
    return [];
  } catch (error) {
    if (error instanceof SettingError) {
      const message = error.message.replace(/^application \d+: /, '');
      return [new SettingError(message, [...path, ...error.path.slice(path.length)])];
    }
    if (!(error instanceof TypeError)) throw error;
    const message = error.message.replace(/^sandbox\.fault: |^people: (?:person 1: )?/, '');
    const properties = typeof value === 'object' && value !== null ? Object.keys(value) : [];
    const words = message.replace(/^person "[^"]*": /, '').match(/[A-Za-z]+/g) ?? [];
    const named = words.find((word) => properties.includes(word));
    return [new SettingError(message, named === undefined ? path : [...path, named])];
  }
}
