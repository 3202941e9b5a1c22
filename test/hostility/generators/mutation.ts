import type { HonestBody } from '../world/honest-responses.js';
import type { Mutation } from './json.js';

/** An object's properties as pairs, because JSON allows duplicate names and a JavaScript object does not. */
type Pairs = { pairs: [string, Node][] };
type Node = Pairs | Node[] | string | number | boolean | null;

/** Changes an honest body. @returns JSON for an object, a form for a form. */
export function mutated(body: HonestBody, mutations: readonly Mutation[]): string {
  if (typeof body === 'string') return mutatedForm(body, mutations);
  const root: { node: Node } = { node: nodeOf(body) };
  for (const mutation of mutations) change(root, mutation);
  return serialize(root.node).replace(/"@digits:((?:[^@]|@(?!"))*)@"/g, (_, raw: string) =>
    raw.replace(/\\(["\\])/g, '$1'),
  );
}

function change(root: { node: Node }, mutation: Mutation): void {
  const locations = locationsIn(root.node);
  const location = locations[mutation.at % Math.max(1, locations.length)];
  if (mutation.kind === 'wrap' && mutation.at % 7 === 0) root.node = [root.node];
  if (!location) return;
  const [, value] = location.pair;
  switch (mutation.kind) {
    case 'replace':
      location.pair[1] = nodeOf(mutation.by);
      break;
    case 'remove':
      location.owner.pairs.splice(location.owner.pairs.indexOf(location.pair), 1);
      break;
    case 'repeat':
      location.owner.pairs.push([location.pair[0], nodeOf(mutation.by)]);
      break;
    case 'add':
      location.owner.pairs.push([mutation.name, nodeOf(mutation.by)]);
      break;
    default:
      location.pair[1] = [value];
  }
}

interface Location {
  readonly owner: Pairs;
  readonly pair: [string, Node];
}

function locationsIn(node: Node): Location[] {
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
  for (const mutation of mutations) {
    const index = mutation.at % Math.max(1, pairs.length);
    const [name = 'x', value = ''] = pairs[index] ?? [];
    if (mutation.kind === 'remove') pairs.splice(index, 1);
    else if (mutation.kind === 'wrap') pairs[index] = [`${name}[]`, value];
    else {
      const changed =
        typeof mutation.by === 'string' ? mutation.by.replace(/^@digits:|@$/g, '') : String(mutation.by);
      if (mutation.kind === 'replace') pairs[index] = [name, changed];
      else pairs.push([mutation.kind === 'add' ? mutation.name : name, changed]);
    }
  }
  return pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
}

/** Leaves echoes of secrets unchanged, for the network to fill in. */
function encode(text: string): string {
  return text.includes('«') ? text : encodeURIComponent(text.toWellFormed());
}
