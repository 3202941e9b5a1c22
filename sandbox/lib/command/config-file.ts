import type { Document, LineCounter } from 'yaml';
import { isObject, SettingError } from '../core/checks.js';
import { Clock, World } from '../core/world.js';
import { NETWORKS } from '../networks.js';
import type { SandboxSettings } from '../server/sandbox.js';
import { changedApplications, checkPeople, readSettings, settingMistakes } from '../settings.js';
import { Faults, type SandboxFaultRule } from '../traffic/faults.js';

/** What `init` writes: a file for `--config` that changes nothing but the examples' own values, with a comment on every setting. */
export const CONFIG_TEMPLATE = `# Settings of the sandbox: npx passport-social-networks-sandbox --config sandbox.yaml
# Every setting may be left out. A mistake is reported with its line.

# Port to listen on; --port overrides it.
port: 4000

# true rejects what the networks are only supposed to reject. false accepts it, and notes it in the console.
strict: false

# true serves https, with a certificate of the sandbox's own; --certificate FILE writes it to a file.
https: false

# Form of VK ID's authorization response: flat or payload. The real network uses both. Without this line: both in turn, flat first.
# vkIdCallback: flat

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

# What goes wrong, from the start. README.md of this package has every kind.
faults: []
#  - network: microblog
#    endpoint: token
#    fault: { kind: answer, status: 503 }
#    times: 2
`;

export const CONFIG_FILE = 'sandbox.yaml';

/** The settings that are lists, each with the check of its entries. */
const LISTS: Readonly<Record<string, (entries: readonly unknown[]) => void>> = {
  applications: changedApplications,
  people: (people) => checkPeople(people, 'people'),
  faults: (faults) => {
    const world = new World(new Clock(), []);
    const known = new Faults(NETWORKS.flatMap((network) => network.endpoints(world)));
    for (const fault of faults) known.add(fault as SandboxFaultRule);
  },
};

/** @throws Error that begins with file and line: each mistake of the syntax, or the first in a setting. */
export function readConfig(file: string): Omit<SandboxSettings, 'onRequest'> {
  const text = readSettings(file, '--config');
  // Loaded here, because a sandbox without a file does not need it.
  const yaml: typeof import('yaml') = require('yaml');
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const config: unknown = document.toJS() ?? {};
  const mistakes =
    document.errors.length > 0
      ? document.errors.map(({ message, pos }) => ({ line: lines.linePos(pos[0]).line, message }))
      : mistakesIn(config).map(({ message, path }) => ({ line: lineOf(document, path, lines), message }));
  if (mistakes.length === 0) return config as SandboxSettings;
  throw new Error(mistakes.map(({ line, message }) => `${file}:${line}: ${message}`).join('\n'));
}

/** Line of the key or list entry at a path; of the nearest one around it, if there is none. */
function lineOf(document: Document, path: readonly (string | number)[], lines: LineCounter): number {
  for (let length = path.length; length > 0; length -= 1) {
    const parent: unknown = document.getIn(path.slice(0, length - 1), true);
    const items: readonly unknown[] = [Object(parent).items ?? []].flat();
    const pair = items.find((item) => Object(Object(item).key).value === path[length - 1]);
    const { range } = Object(Object(pair).key ?? document.getIn(path.slice(0, length), true));
    if (Array.isArray(range)) return lines.linePos(Number(range[0])).line;
  }
  return 1;
}

/** Every mistake in the settings: of a person, application or fault the first one. */
function mistakesIn(config: unknown): readonly SettingError[] {
  if (!isObject(config)) return [new SettingError('the file must be a mapping of settings', [])];
  const lists = Object.entries(LISTS).flatMap(([name, check]) => {
    const { [name]: entries } = config;
    if (!Array.isArray(entries)) return [];
    const mistakeOf = (given: readonly unknown[], ...place: (string | number)[]): readonly SettingError[] => {
      try {
        check(given);
        return [];
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        const prefix = /^application \d+: |^sandbox\.fault: |^people: (?:person 1: )?/;
        const message = error.message.replace(prefix, '');
        return [new SettingError(message, [...place, ...(error instanceof SettingError ? error.path : [])])];
      }
    };
    // One by one, so that each mistake has its line; then together.
    const single = entries.flatMap((entry, index) => mistakeOf([entry], name, index));
    return single.length > 0 ? single : mistakeOf(entries, name);
  });
  return [...settingMistakes(config), ...lists];
}
