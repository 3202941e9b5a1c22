import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect } from 'chai';
import { parseAst } from 'rolldown/parseAst';

const ROOT = join(__dirname, '../..');

/** A node of the syntax tree (ESTree with TypeScript's nodes). */
interface Node {
  readonly type: string;
  readonly [property: string]: unknown;
}

/** A declaration, by the file that has it. */
interface Place {
  readonly file: string;
  readonly name: string;
}

/** What one declaration file declares, imports and exports. */
interface Module {
  readonly declared: Map<string, Node[]>;
  /** Local name -> where it comes from. */
  readonly imported: Map<string, Place>;
  /** Exported name -> where it comes from. */
  readonly exported: Map<string, Place>;
  /** Files of `export *` and `export * as`. */
  readonly starred: string[];
}

const modules = new Map<string, Module>();

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function nodesIn(value: unknown): Node[] {
  return (Array.isArray(value) ? (value as unknown[]) : [value]).filter(isNode);
}

/** The name of an identifier, the value of a string, the leftmost name of `a.b.c`. */
function textOf(value: unknown): string {
  if (!isNode(value)) return '';
  if (value.type === 'TSQualifiedName') return textOf(value.left);
  const { name, value: text } = value;
  if (typeof name === 'string') return name;
  return typeof text === 'string' ? text : '';
}

/** @returns `undefined` for another package. */
function fileOf(specifier: string, importer: string): string | undefined {
  return specifier.startsWith('.') ? join(dirname(importer), specifier.replace(/\.js$/, '.d.ts')) : undefined;
}

function moduleOf(file: string): Module {
  const known = modules.get(file);
  if (known) return known;
  const module: Module = { declared: new Map(), imported: new Map(), exported: new Map(), starred: [] };
  modules.set(file, module);
  const program: unknown = parseAst(readFileSync(file, 'utf8'), { lang: 'dts' });
  for (const statement of isNode(program) ? nodesIn(program.body) : []) read(statement, file, module);
  return module;
}

function read(statement: Node, file: string, module: Module): void {
  const source = fileOf(textOf(statement.source), file);
  const declaration = nodesIn(statement.declaration)[0];
  if (statement.type === 'ImportDeclaration') {
    for (const one of nodesIn(statement.specifiers)) {
      const name = one.type === 'ImportSpecifier' ? textOf(one.imported) : 'default';
      if (source) module.imported.set(textOf(one.local), { file: source, name });
    }
  } else if (statement.type === 'ExportAllDeclaration') {
    if (source) module.starred.push(source);
  } else if (statement.type === 'ExportNamedDeclaration') {
    for (const one of nodesIn(statement.specifiers)) {
      module.exported.set(textOf(one.exported), { file: source ?? file, name: textOf(one.local) });
    }
    for (const name of declaration ? declare(declaration, module) : []) {
      module.exported.set(name, { file, name });
    }
  } else {
    declare(statement, module);
  }
}

/** @returns The names. */
function declare(declaration: Node, { declared }: Module): string[] {
  const declarators = nodesIn(declaration.declarations);
  const nodes = declarators.length > 0 ? declarators : [declaration];
  const names = nodes.map(({ id }) => textOf(id));
  nodes.forEach((node, index) => {
    const name = names[index] ?? '';
    declared.set(name, [...(declared.get(name) ?? []), node]);
  });
  return names;
}

/** @returns `undefined` for a name of another package, of the language, or of a type parameter. */
function originOf({ file, name }: Place): Place | undefined {
  const { declared, imported, exported, starred } = moduleOf(file);
  if (declared.has(name)) return { file, name };
  const next = imported.get(name) ?? exported.get(name);
  if (next) return originOf(next);
  for (const star of starred) {
    const found = moduleOf(star).exported.has(name) ? originOf({ file: star, name }) : undefined;
    if (found) return found;
  }
  return undefined;
}

const keyOf = ({ file, name }: Place) => `${name} of ${relative(ROOT, file)}`;

/** Every declaration that a module exports, also in a namespace. */
function exportsOf(file: string): Place[] {
  const { exported, starred } = moduleOf(file);
  const own = [...exported.values()].flatMap((place) => originOf(place) ?? []);
  return [...own, ...starred.flatMap(exportsOf)];
}

/** Members that no other code can name: private and protected ones, and those whose key is a symbol of this package. */
function isHidden(node: Node): boolean {
  const { accessibility, computed, key } = node;
  return (
    accessibility === 'private' ||
    accessibility === 'protected' ||
    (computed === true && isNode(key) && key.type === 'Identifier')
  );
}

interface Named {
  /** Types that the declaration names. */
  readonly types: string[];
  /** Base classes: their members are the declaration's own. */
  readonly bases: string[];
}

function namedBy(node: Node, isBase: boolean, named: Named = { types: [], bases: [] }): Named {
  // A class of a network has a constructor of its own.
  if (isHidden(node) || (isBase && node.kind === 'constructor')) return named;
  if (node.type === 'TSTypeReference') named.types.push(textOf(node.typeName));
  if (node.type === 'TSTypeQuery') named.types.push(textOf(node.exprName));
  if (node.type === 'TSInterfaceHeritage' || node.type === 'TSClassImplements') {
    named.types.push(textOf(node.expression));
  }
  if (isNode(node.superClass)) named.bases.push(textOf(node.superClass));
  for (const value of Object.values(node)) for (const child of nodesIn(value)) namedBy(child, isBase, named);
  return named;
}

/** Of an alias and of a constant TypeScript writes what they stand for. */
function hasToBeNamed({ file, name }: Place): boolean {
  const found = moduleOf(file).declared.get(name) ?? [];
  return found.some(({ type }) => type === 'TSInterfaceDeclaration' || type === 'ClassDeclaration');
}

/** What the declarations of an entry name and the entry does not export. */
function missingFrom(entry: string): string[] {
  const waiting = exportsOf(entry);
  const exported = new Set(waiting.map(keyOf));
  const baseClasses = new Set<string>();
  const seen = new Set<string>();
  const missing = new Set<string>();
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (seen.has(keyOf(place))) continue;
    seen.add(keyOf(place));
    const { file } = place;
    for (const node of moduleOf(file).declared.get(place.name) ?? []) {
      const { types, bases } = namedBy(node, baseClasses.has(keyOf(place)));
      for (const type of types.flatMap((name) => originOf({ file, name }) ?? [])) {
        if (!exported.has(keyOf(type)) && hasToBeNamed(type)) missing.add(keyOf(type));
        waiting.push(type);
      }
      for (const base of bases.flatMap((name) => originOf({ file, name }) ?? [])) {
        const found = moduleOf(base.file).declared.get(base.name) ?? [];
        if (!found.some(({ type }) => type === 'ClassDeclaration')) continue;
        if (!exported.has(keyOf(base))) baseClasses.add(keyOf(base));
        waiting.push(base);
      }
    }
  }
  return [...missing].sort();
}

const PUBLISHED = ['.', 'check'].flatMap((folder) => {
  const { name, exports: entries } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as {
    name: string;
    exports: Record<string, string | { require: { types: string } }>;
  };
  return Object.entries(entries).flatMap(([subpath, entry]) => {
    // Only the check uses the internal entry.
    if (typeof entry === 'string' || subpath === './internal') return [];
    return [[join(name, subpath), join(ROOT, folder, entry.require.types)] as const];
  });
});

describe('the declarations', () => {
  for (const [entry, file] of PUBLISHED) {
    // A project that emits declarations must write these names, for example for a class that extends a mixin of a strategy.
    it(`of ${entry} name only types that it exports`, () => {
      expect(exportsOf(file)).to.not.deep.equal([]);
      expect(missingFrom(file)).to.deep.equal([]);
    });
  }
});
