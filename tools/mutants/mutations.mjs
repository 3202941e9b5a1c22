// Finds the places of a TypeScript source that can be broken, and says how.
import { parseSync, Visitor } from 'rolldown/utils';

/**
 * One small break of a file.
 *
 * @typedef {object} Mutation
 * @property {number} start - Offset of the replaced text.
 * @property {number} end
 * @property {string} replacement
 */

/** @typedef {{ start: number, end: number }} Place */

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

/** Methods whose neighbour does the opposite. */
const OPPOSITES = new Map([
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
]);

/** Methods that return what they are called on, changed. */
const CHANGES = new Set([
  'toLowerCase',
  'toUpperCase',
  'trim',
  'slice',
  'filter',
  'sort',
  'reverse',
  'replace',
  'replaceAll',
]);

/**
 * Lists every mutation of a file. Types, imports and sentences (strings with a blank, and templates) are left alone: the first two do
 * not run, and a reworded message is no mistake.
 *
 * @param {string} file - Its name in errors.
 * @param {string} source
 * @returns {Mutation[]} In the order of the source.
 */
export function mutationsOf(file, source) {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  /** @type {Mutation[]} */
  const found = [];
  /** @type {Place[]} */
  const skipped = [];

  /** @param {Place} place @param {...string} replacements */
  const replace = ({ start, end }, ...replacements) => {
    for (const replacement of replacements) found.push({ start, end, replacement });
  };
  /** @param {Place} place */
  const text = ({ start, end }) => source.slice(start, end);
  /** @param {Place} place */
  const skip = (place) => void skipped.push(place);
  /** @param {Place} test */
  const condition = (test) => replace(test, 'true', 'false');
  /** Replaces what is between two operands. @param {Place} left @param {Place} right @param {string} operator */
  const operator = (left, right, operator) => {
    const start = source.indexOf(operator, left.end);
    if (start < right.start) replace({ start, end: start + operator.length }, ...(OPERATORS[operator] ?? []));
  };
  /** @param {readonly Place[]} members */
  const leaveOutEach = (members) => {
    for (const [index, member] of members.entries()) {
      const next = members[index + 1];
      replace({ start: member.start, end: next?.start ?? member.end }, '');
    }
  };

  new Visitor({
    ImportDeclaration: skip,
    ExportAllDeclaration: skip,
    TSImportEqualsDeclaration: skip,
    TSTypeAliasDeclaration: skip,
    TSInterfaceDeclaration: skip,
    TSDeclareFunction: skip,
    TSAbstractMethodDefinition: skip,
    TSTypeAnnotation: skip,
    TSTypeParameterInstantiation: skip,
    TSTypeParameterDeclaration: skip,
    TSAsExpression: ({ typeAnnotation }) => skip(typeAnnotation),
    TSSatisfiesExpression: ({ typeAnnotation }) => skip(typeAnnotation),

    BinaryExpression: (node) => operator(node.left, node.right, node.operator),
    LogicalExpression: (node) => {
      if (node.operator === '??') replace(node, text(node.left), text(node.right));
      else operator(node.left, node.right, node.operator);
    },
    UnaryExpression: (node) => {
      if (node.operator === '!') replace(node, text(node.argument));
    },
    IfStatement: (node) => condition(node.test),
    WhileStatement: (node) => replace(node.test, 'false'),
    ConditionalExpression: (node) => condition(node.test),
    Literal: (node) => {
      if (typeof node.value === 'boolean') replace(node, String(!node.value));
      else if (typeof node.value === 'number') replace(node, String(node.value + 1));
      else if (typeof node.value === 'string' && !/\s/.test(node.value))
        replace(node, `${source[node.start]}x${source.slice(node.start + 1, node.end)}`);
      else if ('regex' in node) replace(node, ...regexMutations(node.regex.pattern, node.regex.flags));
    },
    AwaitExpression: (node) => replace(node, text(node.argument)),
    ExpressionStatement: (node) => replace(node, ';'),
    ThrowStatement: (node) => replace(node, ';'),
    ReturnStatement: (node) => replace(node, ';'),
    ContinueStatement: (node) => replace(node, ';'),
    BreakStatement: (node) => replace(node, ';'),
    ArrayExpression: (node) => leaveOutEach(node.elements.filter((element) => element !== null)),
    ObjectExpression: (node) => leaveOutEach(node.properties),
    CallExpression: ({ callee, start, end }) => {
      if (callee.type !== 'MemberExpression' || callee.computed) return;
      const opposite = OPPOSITES.get(callee.property.name);
      if (opposite !== undefined) replace(callee.property, opposite);
      if (CHANGES.has(callee.property.name)) replace({ start, end }, text(callee.object));
    },
    MemberExpression: (node) => {
      if (node.optional)
        replace({ start: node.object.end, end: node.object.end + 2 }, node.computed ? '' : '.');
    },
  }).visit(program);

  return found
    .filter(({ start, end }) => !skipped.some((place) => place.start <= start && end <= place.end))
    .sort((one, other) => one.start - other.start || one.end - other.end);
}

/**
 * Leaves out each anchor, each flag and each quantifier that repeats.
 *
 * @param {string} pattern
 * @param {string} flags
 */
function regexMutations(pattern, flags) {
  const patterns = [];
  if (pattern.startsWith('^')) patterns.push(pattern.slice(1));
  if (pattern.endsWith('$') && !pattern.endsWith('\\$')) patterns.push(pattern.slice(0, -1));
  if (/[\])a-z]\+/.test(pattern)) patterns.push(pattern.replace(/([\])a-z])\+/, '$1'));
  return [
    ...patterns.filter((one) => one !== '').map((one) => `/${one}/${flags}`),
    ...flags.split('').map((flag) => `/${pattern}/${flags.replace(flag, '')}`),
  ];
}
