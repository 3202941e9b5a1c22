import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './pages.js';

/** The pages that explain messages. The first is the guide. */
export const ENTRIES: readonly string[] = [
  'docs/troubleshooting.md',
  ...['tiktok', 'x', 'vk'].map((name) => `docs/${name}.md`),
  'lib/check/README.md',
  'sandbox/messages.md',
];

/** A string in the code that has the form of a message. */
export interface Message {
  readonly file: string;
  /** What stands between the placeholders. */
  readonly parts: readonly string[];
}

interface Node {
  readonly type: string;
  readonly value?: unknown;
  readonly quasis?: readonly { readonly value: { readonly cooked: string } }[];
}

/** Where the code has messages. */
interface Place {
  readonly folder: string;
  /** The files that have some; by default all. */
  readonly files?: RegExp;
  /** Strings that need no entry: texts that are no messages, and mistakes in arguments, which explain themselves. */
  readonly exceptions?: RegExp;
}

const PLACES: readonly Place[] = [
  {
    folder: 'lib/core',
    exceptions:
      /^(session assignProperty|code state error|trust proxy fn|passport-social-networks pending login|; Path=)/,
  },
  { folder: 'lib/short-video' },
  { folder: 'lib/microblog' },
  { folder: 'lib/social-network' },
  {
    folder: 'lib/check',
    // The command's arguments have a help of their own. `proxy.ts` names what the findings of others quote.
    files: /(?<!command-line|proxy)\.ts$/,
    // Sources, beginnings of responses, what passed, usual causes, remedies, and parts of messages.
    exceptions: new RegExp(
      [
        '^(observed|documented|https):|^(Value passed|Code |Redirect_uri|Failed to validate)',
        'accepts (such|localhost|the)|wrong ones get|^reached in|certificate signed|^Nothing speaks',
        '^a (Web|Desktop) redirect|application was |key was|^it is that of|service key (stands|$)|and service key',
        '^(Compare the addresses|If logins fail| If requests must|Copy the …)',
        'classic protocol|option callbackURL|no response in time|an unknown authority',
      ].join('|'),
    ),
  },
  {
    // Reasons for which the sandbox refuses or notes a request. Capitals begin the words of the real networks.
    folder: 'sandbox/lib',
    files:
      /(authorization|oauth|world|oauth1|oauth2|signature|api|classic|vk-id|error-responses|server)\.ts$/,
    exceptions:
      /^[A-Z]|<|\w\.\w+ \w+\.|email phone|^the bearer token$|case sensitive|no access to your|affiliation|author_id|email connection|entities geo|parody|your_dm|reply_settings|to log you in|left out|no e-mail|advance takes/,
  },
  {
    folder: 'sandbox/lib',
    files:
      /lib\/(core\/clients|command\/output|networks|settings\/people|server\/(sandbox|server|trial))\.ts$/,
    exceptions:
      /Sandbox of three networks|Certificate:|passport\.use|cookieLogins\(|case sensitive|Did you mean|<|Logged in|The login stopped|^must be|…: (people|two people)/,
  },
];

/** The messages of the code, by place: string literals of three words or more. */
export const MESSAGES = PLACES.map(({ folder, files = /./, exceptions = /^$/ }) => ({
  place: `${folder}, ${files.source}`,
  read: async () =>
    (await stringsOf(folder)).filter(
      ({ file, parts }) =>
        files.test(file) && !exceptions.test(parts.join('…')) && wordsIn(parts.join(' ')) >= 3,
    ),
}));

export const wordsIn = (text: string): number => (text.match(/\S*[a-z]{2}\S*/gi) ?? []).length;

/** A pattern for the message in plain text, with up to 160 characters for each placeholder. */
export function patternOf({ parts }: Message): RegExp {
  const words = parts.map((part) =>
    plain(part)
      .replace(/[$.*+?()[\]{}|^]/g, '\\$&')
      .replace(/<\w+>/g, '.{0,160}?'),
  );
  // The guide omits a placeholder at either end, and a final full stop.
  const pattern = words
    .join('.{0,160}?')
    .replace(/^(?:\.\{0,160\}\?|[:,]? )+/, '')
    .replace(/(?:[:,] )?\.\{0,160\}\?$|\\\.$/, '');
  return new RegExp(pattern);
}

/** The text in one line, without markup. */
export const plain = (markdown: string): string => markdown.replace(/`|\*\*|\\/g, '').replace(/\s+/g, ' ');

async function stringsOf(folder: string): Promise<Message[]> {
  const { parseAst } = await import('rolldown/parseAst');
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file))
    .flatMap((file) => {
      const program = parseAst(readFileSync(join(ROOT, file), 'utf8'), { lang: 'ts' });
      return stringsIn(program).map((parts) => ({ file, parts }));
    });
}

/** The strings in a syntax tree, each in the parts between its placeholders. */
function stringsIn(node: unknown): string[][] {
  if (typeof node !== 'object' || node === null) return [];
  const { type, value, quasis } = node as Node;
  const inner = Object.values(node).flatMap(stringsIn);
  if (type === 'Literal' && typeof value === 'string') return [[value]];
  return quasis ? [quasis.map((quasi) => quasi.value.cooked), ...inner] : inner;
}
