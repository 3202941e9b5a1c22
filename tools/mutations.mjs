// Finds the places of a TypeScript source that can be broken, and says how.
import { parseAst } from 'rolldown/parseAst';

/** One small break of a file: the text between two offsets, and what stands there instead. @typedef {{ start: number, end: number, replacement: string }} Mutation */

/** @type {Readonly<Record<string, readonly string[]>>} */
const OPERATORS = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '&': ['|'],
  '&&': ['||'],
  '||': ['&&'],
};
const OPPOSITES = 'startsWith endsWith, some every, min max'.split(', ').map((pair) => pair.split(' '));
/** Methods that return what they are called on, changed. */
const CHANGES = /^(toLowerCase|toUpperCase|trim|slice|filter|sort|reverse|replace|replaceAll)$/;
/** Types and imports do not run; these few nodes of TypeScript have code inside. */
const SKIPPED = /^(Import(?!Expr)|ExportAll|TS(?!As|Satisfies|NonNull|ParameterProperty))/;
const LEFT_OUT = /^(Expression|Throw|Return|Continue|Break)Statement$/;

/**
 * Lists every mutation of a file. Types, imports and sentences (strings with a blank, and templates) are left alone: the first two do
 * not run, and a reworded message is no mistake.
 *
 * @param {string} file - Its name in errors.
 * @param {string} source
 * @returns {Mutation[]} In the order of the source.
 */
export function mutationsOf(file, source) {
  try {
    return mutationsIn(parseAst(source, { lang: 'ts', preserveParens: true }), source).sort(
      (one, other) => one.start - other.start || one.end - other.end,
    );
  } catch (error) {
    throw new Error(`${file}: ${/** @type {Error} */ (error).message}`, { cause: error });
  }
}

/** @param {any} node - Of the syntax tree, or a list of nodes. @param {string} source @returns {Mutation[]} */
function mutationsIn(node, source) {
  if (SKIPPED.test(node.type)) return [];
  const inside = Object.values(node).flatMap((child) =>
    child !== null && typeof child === 'object' ? mutationsIn(child, source) : [],
  );
  return [...mutationsAt(node, source), ...inside];
}

/** @param {any} node @param {string} source @returns {Mutation[]} */
function mutationsAt(node, source) {
  const { type, start, end, operator, value, argument, test } = node;
  const text = (/** @type {Mutation} */ place) => source.slice(place.start, place.end);
  const instead = (/** @type {string[]} */ ...replacements) =>
    replacements.map((replacement) => ({ start, end, replacement }));
  if (LEFT_OUT.test(type)) return instead(';');
  if (type === 'AwaitExpression' || (type === 'UnaryExpression' && operator === '!'))
    return instead(text(argument));
  if (operator === '??') return instead(text(node.left), text(node.right));
  if (/^(Binary|Logical)/.test(type)) {
    const at = source.indexOf(operator, node.left.end);
    const place = { start: at, end: at + operator.length };
    return (OPERATORS[operator] ?? []).map((replacement) => ({ ...place, replacement }));
  }
  if (/^(If|Conditional)/.test(type))
    return ['true', 'false'].map((replacement) => ({ start: test.start, end: test.end, replacement }));
  if (type === 'WhileStatement') return [{ start: test.start, end: test.end, replacement: 'false' }];
  if (type === 'Literal') {
    if (typeof value === 'boolean') return instead(String(!value));
    if (typeof value === 'number') return instead(String(value + 1));
    if (typeof value === 'string' && !/\s/.test(value))
      return instead(`${source[start]}x${source.slice(start + 1, end)}`);
    return node.regex ? instead(...brokenPatterns(node.regex)) : [];
  }
  // Each member is left out, with what separates it from the next.
  /** @type {Mutation[]} */
  const members = (node.elements ?? (type === 'ObjectExpression' ? node.properties : [])).filter(Boolean);
  if (type === 'ArrayExpression' || type === 'ObjectExpression')
    return members.map((member, index) => ({
      start: member.start,
      end: members[index + 1]?.start ?? member.end,
      replacement: '',
    }));
  if (type === 'MemberExpression' && node.optional)
    return [{ start: node.object.end, end: node.object.end + 2, replacement: node.computed ? '' : '.' }];
  const method = type === 'CallExpression' && !node.callee.computed ? node.callee.property : undefined;
  const opposite = OPPOSITES.find((pair) => pair.includes(method?.name))?.find(
    (name) => name !== method.name,
  );
  if (opposite) return [{ start: method.start, end: method.end, replacement: opposite }];
  return CHANGES.test(method?.name) ? instead(text(node.callee.object)) : [];
}

/** Each anchor, the first quantifier that repeats, or a flag is left out. @param {{ pattern: string, flags: string }} regex */
function brokenPatterns({ pattern, flags }) {
  const shorter = [/^\^/, /(?<!\\)\$$/, /(?<=[\])a-z])\+/].map((part) => pattern.replace(part, ''));
  return [
    ...shorter.filter((one) => one !== '' && one !== pattern).map((one) => `/${one}/${flags}`),
    ...flags.split('').map((flag) => `/${pattern}/${flags.replace(flag, '')}`),
  ];
}
