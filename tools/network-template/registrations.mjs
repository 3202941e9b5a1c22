/**
 * A place outside the network's folders that lists every network.
 *
 * @typedef {{ file: string, place: RegExp, add: string }} Registration - `add` replaces what `place` matches, as in
 *   `String.replace`, with placeholders; `place` must match exactly once.
 */

/**
 * The places in the sandbox, tests and tools that list the networks. add-network.mjs updates `package.json` itself, and leaves
 * the export line of `lib/index.ts` to the author of the network.
 *
 * @type {readonly Registration[]}
 */
export const REGISTRATIONS = [
  {
    file: 'rolldown.config.mjs',
    place: /( {2}'sandbox\/index',\n)/g,
    add: "  '{{kebab-name}}/index',\n$1",
  },
  {
    file: 'sandbox/lib/network.ts',
    place: /(export const NETWORKS = \[[^\]]*?),?\s*\]/g,
    add: "$1, '{{kebab-name}}']",
  },
  {
    file: 'sandbox/lib/sandbox.ts',
    place: /^(import \{ loadExpress, requestListener \} .*\n)/gm,
    add: "import { {{camelName}} } from './{{kebab-name}}/index.js';\n$1",
  },
  {
    file: 'sandbox/lib/sandbox.ts',
    place: /(const endpoints = \[[^\]]*?),?\s*\];/g,
    add: '$1, ...{{camelName}}(world)];',
  },
  {
    file: 'sandbox/lib/options.ts',
    place: /^(import type \{ SandboxNetwork \} .*\n)/gm,
    add: "$1import { type {{PascalName}}SandboxOptions, {{camelName}}Options } from './{{kebab-name}}/options.js';\n",
  },
  {
    file: 'sandbox/lib/options.ts',
    place: /(export type AnySandboxOptions =\n)/g,
    add: '$1  | {{PascalName}}SandboxOptions\n',
  },
  {
    file: 'sandbox/lib/options.ts',
    place: /( {2}\(network: SandboxNetwork, choice\?: SandboxChoice\): AnySandboxOptions;)/g,
    add: "  (\n    network: '{{kebab-name}}',\n    choice?: { readonly client?: 'confidential' },\n  ): {{PascalName}}SandboxOptions;\n$1",
  },
  {
    file: 'sandbox/lib/options.ts',
    place: /( {4}default:\n {6}throw new TypeError\(`sandbox\.options:)/g,
    add: "    case '{{kebab-name}}':\n    case '{{kebab-name}} confidential':\n      return {{camelName}}Options(url);\n$1",
  },
  {
    file: 'sandbox/lib/server.ts',
    place: /(\|\|\s+prefix === 'social-network')/g,
    add: "$1 || prefix === '{{kebab-name}}'",
  },
  {
    file: 'sandbox/lib/command-output.ts',
    place: /(\n {2}\];\n\}\n\nfunction block\()/g,
    add: "\n    block('{{kebab-name}}', '{{PascalName}}Strategy', options('{{kebab-name}}')),$1",
  },
  {
    file: 'sandbox/lib/pages/overview-page.ts',
    place: /^(import \{ type SandboxRequest, .*\n)/gm,
    add: "import { {{CONSTANT_NAME}} } from '../{{kebab-name}}/application.js';\n$1",
  },
  {
    file: 'sandbox/lib/pages/overview-page.ts',
    place: /(<\/dl>\n<h2>People<\/h2>)/g,
    add: `\${credentials('{{kebab-name}}', {{CONSTANT_NAME}})}\n$1`,
  },
  {
    file: 'sandbox/lib/index.ts',
    place: /^(export \{ PEOPLE, .*\n)/gm,
    add: "$1export type { {{PascalName}}SandboxOptions } from './{{kebab-name}}/options.js';\n",
  },
  {
    file: 'test/contract/strategies.ts',
    place: /^(import type \{[^}]*\} from '\.\.\/\.\.\/lib\/sandbox\/index\.js';\n)/gm,
    add: "$1import { {{camelName}}Identifier } from '../../sandbox/lib/{{kebab-name}}/record.js';\n",
  },
  {
    file: 'test/contract/strategies.ts',
    place: /(const SUBJECTS: readonly Subject\[\] = \[\n[\s\S]*?)(\n\];)/g,
    add: `$1
  {
    name: '{{PascalName}}Strategy',
    provider: '{{kebab-name}}',
    options: (sandbox) => sandbox.options('{{kebab-name}}'),
    identify: {{camelName}}Identifier,
    oauth: '2.0',
    base: OAuth2Strategy as unknown as StrategyClass,
  },$2`,
  },
  {
    file: 'test/remedies.test.ts',
    place: /^(import \{ HINTS as shortVideo \} .*\n)/gm,
    add: "import { HINTS as {{camelName}} } from '../lib/{{kebab-name}}/error-responses.js';\n$1",
  },
  {
    file: 'test/remedies.test.ts',
    place: /( {2}'social-network': socialNetwork,\n)/g,
    add: "$1  '{{kebab-name}}': {{camelName}},\n",
  },
  {
    file: 'test/sandbox/people-logins.test.ts',
    place: /^(import \{ PEOPLE, .*\n)/gm,
    add: "$1import { {{camelName}}Identifier } from '../../sandbox/lib/{{kebab-name}}/record.js';\n",
  },
  {
    file: 'test/sandbox/people-logins.test.ts',
    place: /(const IDENTIFIERS = \{\n(?: {2}.*\n)*)(\};)/g,
    add: "$1  '{{kebab-name}}': {{camelName}}Identifier,\n$2",
  },
  {
    file: 'test/sandbox/fault-logins.ts',
    place: /^(import \{[^}]*?),?(\s\} from '\.\.\/\.\.\/lib\/index\.js';\n)/gm,
    add: '$1, {{PascalName}}Strategy$2',
  },
  {
    file: 'test/sandbox/fault-logins.ts',
    place: /(export const DIALECTS: readonly Dialect\[\] = \[\n[\s\S]*?)(\n\];)/g,
    add: `$1
  {
    title: '{{kebab-name}}',
    network: '{{kebab-name}}',
    token: 'token',
    profile: 'profile',
    strategy: (sandbox, timeout) =>
      new {{PascalName}}Strategy({ ...sandbox.options('{{kebab-name}}'), timeout }, verify),
  },$2`,
  },
  {
    file: 'test/sandbox/faults.test.ts',
    place: /(\(known: short-video, microblog, social-network[^)']*)\)/g,
    add: '$1, {{kebab-name}})',
  },
  {
    file: 'test/sandbox/command-mistakes.test.ts',
    place: /(\(known: short-video, microblog, social-network[^)']*)\)/g,
    add: '$1, {{kebab-name}})',
  },
  {
    file: 'test/sandbox/command.test.ts',
    place: /( {6}'\/\/ social-network, VK ID .*\n(?: {6}'.*\n)*)/g,
    add: "$1      '// {{kebab-name}}',\n",
  },
  {
    file: 'test/security/scopes.test.ts',
    place: /(const LEAST: .*\n(?: {2}.*\n)*)(\};)/g,
    add: "$1  '{{kebab-name}}': 'profile',\n$2",
  },
  {
    file: 'test/security/scopes.test.ts',
    place: /(const EMAIL: .*\n(?: {2}.*\n)*)(\};)/g,
    add: "$1  '{{kebab-name}}': 'profile email',\n$2",
  },
  {
    file: 'test/security/code-exchange.test.ts',
    place: /(const CHALLENGES: .*\n(?: {2}.*\n)*)(\};)/g,
    add: "$1  '{{kebab-name}}': 'base64url',\n$2",
  },
  {
    file: 'test/security/identity.test.ts',
    place: /(const PLACES: .*\n(?: {2}.*\n)*)(\};)/g,
    add: `$1  '{{kebab-name}}': {
    record: (id) => \`{\${pair('sub', id)}"name":"A"}\`,
    large: '"9007199254740993"',
  },
$2`,
  },
  {
    file: 'test/security/identity.test.ts',
    place: /\(?(provider === 'microblog' && oauth === '2\.0')\)?/g,
    add: "($1) || provider === '{{kebab-name}}'",
  },
  {
    file: 'tools/api/typedoc.config.mjs',
    place: /( {4}'\.\.\/\.\.\/lib\/sandbox\/index\.ts',\n)/g,
    add: "    '../../lib/{{kebab-name}}/index.ts',\n$1",
  },
  {
    file: 'tools/coverage.mjs',
    place: /( {2}'recordings',\n)/g,
    add: "  '{{kebab-name}}',\n$1",
  },
];
