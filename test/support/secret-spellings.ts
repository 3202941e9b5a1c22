const base64 = (text: string) => Buffer.from(text).toString('base64');

/** The named HTML reference of every ASCII punctuation character that has one. */
const HTML_NAMES: Readonly<Record<string, string>> = {
  '!': 'excl',
  '"': 'quot',
  '#': 'num',
  $: 'dollar',
  '%': 'percnt',
  '&': 'amp',
  "'": 'apos',
  '(': 'lpar',
  ')': 'rpar',
  '*': 'ast',
  '+': 'plus',
  ',': 'comma',
  '.': 'period',
  '/': 'sol',
  ':': 'colon',
  ';': 'semi',
  '<': 'lt',
  '=': 'equals',
  '>': 'gt',
  '?': 'quest',
  '@': 'commat',
  '[': 'lsqb',
  '\\': 'bsol',
  ']': 'rsqb',
  '^': 'Hat',
  _: 'lowbar',
  '`': 'grave',
  '{': 'lcub',
  '|': 'verbar',
  '}': 'rcub',
};

/** A secret with every ASCII punctuation character, in which nothing repeats. */
export const PUNCTUATED_SECRET = 'Zk9+/wQ==x3"v\\7&<t>\'p%#:Tn_4~8b2L.d6-H(y)*1,;?m@[G]^`{|}!$Rf';

/** Ways in which servers echo a secret that a comparison with the whole secret, or with its usual encodings, misses. */
export const PARTIAL_ECHOES: Readonly<Record<string, (secret: string) => string>> = {
  'without its first letter': (secret) => secret.slice(1),
  'without its beginning': (secret) => secret.slice(11),
  'without its end': (secret) => secret.slice(0, -11),
  'shortened in the middle': (secret) => `${secret.slice(0, 17)}...${secret.slice(-17)}`,
  'as eight characters of it': (secret) => secret.slice(13, 21),
  'with + read as a blank': (secret) => secret.replaceAll('+', ' '),
  'with \\/ for /': (secret) => secret.replaceAll('/', '\\/'),
  'in JSON with \\/ for /': (secret) => JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'),
  'with doubled backslashes': (secret) => secret.replaceAll('\\', '\\\\'),
  'in JSON twice': (secret) => JSON.stringify(JSON.stringify(secret)).slice(3, -3),
  'in named HTML references': (secret) =>
    secret.replace(/\W|_/g, (character) =>
      HTML_NAMES[character] === undefined ? character : `&${HTML_NAMES[character]};`,
    ),
  'percent-encoded without its beginning': (secret) => encodeURIComponent(secret).slice(11),
  'in hex without its beginning': (secret) => Buffer.from(secret).toString('hex').slice(11),
  'in UTF-16 hex, little-endian': (secret) => Buffer.from(secret, 'utf16le').toString('hex'),
  'in UTF-16 hex, big-endian': (secret) => Buffer.from(secret, 'utf16le').swap16().toString('hex'),
  ...Object.fromEntries(
    [0, 1, 2].flatMap((inner) =>
      [0, 1, 2].map((outer) => [
        `in base64 twice, ${inner} and ${outer} bytes in`,
        (secret: string) =>
          base64('id:'.slice(0, outer) + base64(`${'id:'.slice(0, inner)}${secret}`)).replace(/=+$/, ''),
      ]),
    ),
  ),
};

/** Whether a text has eight consecutive characters of what was echoed. */
export function showsRunOf(echoed: string, text: string): boolean {
  return Array.from({ length: Math.max(0, echoed.length - 7) }, (_, index) =>
    echoed.slice(index, index + 8),
  ).some((run) => text.includes(run));
}
