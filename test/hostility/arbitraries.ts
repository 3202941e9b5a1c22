import fc from 'fast-check';
import { CANARIES, SPELLINGS } from './world/secrets.js';
import { digits, type HonestBody } from './world/subjects.js';

export function either<T>(...choices: readonly (readonly [weight: number, fc.Arbitrary<T>])[]) {
  return fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

export const one = fc.constantFrom;
export const just = <const T>(value: T): fc.Arbitrary<T> => fc.constant(value);

/** A value that is `usual`, except once in `weight + 1` cases. */
export function mostly<T>(weight: number, usual: T, other: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return either([weight, fc.constant(usual)], [1, other]);
}

/** From 0 to 1, each part as likely as the others, which `fc.double` does not give. */
export const fraction = fc.integer({ min: 0, max: 1_000 }).map((part) => part / 1_000);

/** Strings of any UTF-16 code units, including unpaired surrogates. fast-check's own unit takes a second to set up. */
export function anyString(maxLength: number): fc.Arbitrary<string> {
  return fc.array(fc.nat(0xffff), { maxLength }).map((units) => String.fromCharCode(...units));
}

export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

export type Generated<A> = A extends fc.Arbitrary<infer T> ? T : never;

const SECRET_NAMES = [...Object.keys(CANARIES), 'codeVerifier', 'state', 'requestToken', 'basic'];

/** Encoded secrets within other text. The network fills them in when it responds. */
export const echoed: fc.Arbitrary<string> = fc
  .tuple(
    one('', ' ', 'invalid ', 'x'.repeat(290), '<b>', 'Value passed '),
    fc.array(fc.tuple(one(...SECRET_NAMES), one(...Object.keys(SPELLINGS))), { minLength: 1, maxLength: 3 }),
    one(' ', '', '&', '","'),
  )
  .map(([before, echoes, between]) => before + echoes.map((echo) => `«${echo.join(':')}»`).join(between));

/** Numbers that JavaScript rounds or cannot parse, and other unusual ones. */
export const NUMBERS = words(`
  9007199254740993 9007199254740995 9007199254740990.7 1.00000000000000000001 123456789012345678901234567890
  -1 -0 0 1e3 1e400 1.5 12345 1E-7 00
`);

/** Too deeply nested for recursion. */
const DEEP = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;

/** Replacements for a property. Strings that begin with `@digits:` become raw JSON. */
const replacement: fc.Arbitrary<unknown> = either<unknown>(
  [6, one<unknown>(null, '', ' ', [], {}, true, false, 0, [null], 'null', 'undefined')],
  [4, one(...NUMBERS).map(digits)],
  [2, one(...words('0 12345 -5 1e3 9007199254740993 id1 0x10 １２'))],
  [2, fc.string({ maxLength: 12 })],
  [1, one('\ud800', 'a\udfff', '\u0000', '\ufeff', '🙂', '@digits:"\\ud83d"@')],
  [2, echoed],
  [1, one(DEEP, '"\\u00e9"', '{"__proto__":{"id":"1"}}').map(digits)],
  [1, one(...words('Bearer mac BEARER ok user.info.profile email'), 'x'.repeat(9_000))],
);

const PROPERTIES = words(`
  __proto__ constructor toString error errors deactivated data user response lookup state user_id open_id id
  id_str scope token_type access_token title
`);

const at = fc.nat(40);

const mutation = either<{
  readonly kind: 'replace' | 'remove' | 'repeat' | 'add' | 'wrap';
  readonly at: number;
  readonly by?: unknown;
  readonly name?: string;
}>(
  [5, fc.record({ kind: just('replace'), at, by: replacement })],
  [2, fc.record({ kind: just('remove'), at })],
  [2, fc.record({ kind: just('repeat'), at, by: replacement })],
  [3, fc.record({ kind: just('add'), at, name: one(...PROPERTIES), by: replacement })],
  [1, fc.record({ kind: just('wrap'), at })],
);
type Mutation = Generated<typeof mutation>;

/** An object's properties as pairs, because JSON allows duplicate names and a JavaScript object does not. */
type Pairs = { pairs: [string, Node][] };
type Node = Pairs | Node[] | string | number | boolean | null;

/** Changes an honest body. @returns JSON for an object, a form for a form. */
function mutated(body: HonestBody, mutations: readonly Mutation[]): string {
  if (typeof body === 'string') return mutatedForm(body, mutations);
  const root: { node: Node } = { node: nodeOf(body) };
  for (const one of mutations) change(root, one);
  return restored(root.node);
}

function restored(node: Node): string {
  return serialize(node).replace(/"@digits:((?:[^@]|@(?!"))*)@"/g, (_, raw: string) =>
    raw.replace(/\\(["\\])/g, '$1'),
  );
}

function change(root: { node: Node }, { kind, at: place, by, name = '' }: Mutation): void {
  const locations = locationsIn(root.node);
  const location = locations[place % Math.max(1, locations.length)];
  if (kind === 'wrap' && place % 7 === 0) root.node = [root.node];
  if (!location) return;
  const { pair, owner } = location;
  if (kind === 'replace') pair[1] = nodeOf(by);
  else if (kind === 'remove') owner.pairs.splice(owner.pairs.indexOf(pair), 1);
  else if (kind === 'wrap') pair[1] = [pair[1]];
  else owner.pairs.push([kind === 'add' ? name : pair[0], nodeOf(by)]);
}

function locationsIn(node: Node): { readonly owner: Pairs; readonly pair: [string, Node] }[] {
  if (Array.isArray(node)) return node.flatMap(locationsIn);
  if (typeof node !== 'object' || node === null) return [];
  return node.pairs.flatMap((pair) => [{ owner: node, pair }, ...locationsIn(pair[1])]);
}

function nodeOf(value: unknown): Node {
  if (Array.isArray(value)) return value.map(nodeOf);
  if (typeof value !== 'object' || value === null) return value as Node;
  return { pairs: Object.entries(value).map(([name, property]) => [name, nodeOf(property)]) };
}

function serialize(node: Node): string {
  if (Array.isArray(node)) return `[${node.map(serialize).join(',')}]`;
  if (typeof node !== 'object' || node === null) return JSON.stringify(node);
  return `{${node.pairs.map(([name, value]) => `${JSON.stringify(name)}:${serialize(value)}`).join(',')}}`;
}

function mutatedForm(body: string, mutations: readonly Mutation[]): string {
  const pairs: [string, string][] = [...new URLSearchParams(body)];
  for (const { kind, at: place, by, name: added = '' } of mutations) {
    const index = place % Math.max(1, pairs.length);
    const [name = 'x', value = ''] = pairs[index] ?? [];
    const changed = String(by).replace(/^@digits:|@$/g, '');
    if (kind === 'remove') pairs.splice(index, 1);
    else if (kind === 'wrap') pairs[index] = [`${name}[]`, value];
    else if (kind === 'replace') pairs[index] = [name, changed];
    else pairs.push([kind === 'add' ? added : name, changed]);
  }
  // Echoes of secrets stay as they are, for the network to fill in.
  const encode = (text: string) => (text.includes('«') ? text : encodeURIComponent(text.toWellFormed()));
  return pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
}

/** Shapes of error responses. `%` is replaced with a string. */
const ERROR_SHAPES = [
  '{"error":"invalid_grant","error_description":"%"}',
  '{"error":"%","log_id":"%"}',
  '{"error":"invalid_request","error_description":"%","access_token":"%"}',
  '{"error":{"code":"%","message":"%","log_id":"%"},"data":{}}',
  '{"error":{"code":"scope_not_authorized","message":"%","log_id":"1"},"data":{}}',
  '{"error":{"error_code":5,"error_msg":"%","request_params":[{"key":"access_token","value":"%"}]}}',
  '{"error":{"error_code":18,"error_msg":"%"}}',
  '{"errors":[{"code":89,"message":"%"}]}',
  '{"errors":[{"title":"%","detail":"%","type":"https://x.example/%"}]}',
  '{"title":"%","detail":"%","type":"about:blank","status":403}',
  '{"error":"%"}',
  '{"error":true,"error_msg":"%"}',
  '<?xml version="1.0"?><errors><error code="32">%</error></errors>',
  '<hash><error>%</error><request>/x</request></hash>',
  '<html><body><h1>%</h1></body></html>',
  '%',
  'error=%&oauth_token=%',
];

const errors: fc.Arbitrary<string> = fc
  .tuple(one(...ERROR_SHAPES), either([4, echoed], [1, fc.string({ maxLength: 30 })]))
  .map(([shape, text]) => {
    const isJSON = shape.startsWith('{') && !text.includes('«');
    const inside = isJSON ? JSON.stringify(text).slice(1, -1) : text.replaceAll('","', ',');
    return shape.replaceAll('%', () => inside);
  });

/** Bodies that no network documents. */
const ODDITIES = [
  '',
  ' ',
  ...words('null [] {} "x" 0 true undefined &&&&==== %zz%'),
  '{"__proto__":{"access_token":"x","token_type":"bearer"}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"a":'.repeat(10_000),
  '{"access_token":"x","token_type":"bearer"',
  '\ufeff{"access_token":"x"}',
  '{"access_token":"\\ud800","token_type":"bearer","user_id":1,"open_id":"\\ud800"}',
  '<!doctype html><title>Log in to the hotel</title>',
  'oauth_token=&oauth_token_secret=',
  'oauth_token=a&oauth_token=b&oauth_token_secret=c&oauth_callback_confirmed=true',
  `{"error":"${'x'.repeat(50_000)}"}`,
  `{"error_description":"${'\\u200b'.repeat(3_000)}","error":"e"}`,
];

export function bodiesOf(honest: HonestBody): fc.Arbitrary<string> {
  return either(
    [40, fc.array(mutation, { maxLength: 3 }).map((changes) => mutated(honest, changes))],
    [16, errors],
    [4, fc.json({ maxDepth: 3 })],
    [4, anyString(60)],
    [8, one(...ODDITIES)],
  );
}
