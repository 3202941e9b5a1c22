import type { HonestBody } from '../world/honest-answers.js';
import type { Mutation } from './json.js';

/** A member of an object, with repetitions: what JSON can say and a JavaScript object cannot. */
type Pairs = { pairs: [string, Node][] };
type Node = Pairs | Node[] | string | number | boolean | null;

/** Changes an honest body. @returns Its text: JSON where it was an object, a form where it was one. */
export function mutated(body: HonestBody, mutations: readonly Mutation[]): string {
  if (typeof body === 'string') return mutatedForm(body, mutations);
  const root: { node: Node } = { node: nodeOf(body) };
  for (const mutation of mutations) change(root, mutation);
  return textOf(root.node).replace(/"@digits:((?:[^@]|@(?!"))*)@"/g, (_, raw: string) =>
    raw.replace(/\\(["\\])/g, '$1'),
  );
}

function change(root: { node: Node }, mutation: Mutation): void {
  const spots = spotsOf(root.node);
  const spot = spots[mutation.at % Math.max(1, spots.length)];
  if (mutation.kind === 'wrap' && mutation.at % 7 === 0) root.node = [root.node];
  if (!spot) return;
  const [, value] = spot.pair;
  switch (mutation.kind) {
    case 'replace':
      spot.pair[1] = nodeOf(mutation.by);
      break;
    case 'remove':
      spot.owner.pairs.splice(spot.owner.pairs.indexOf(spot.pair), 1);
      break;
    case 'repeat':
      spot.owner.pairs.push([spot.pair[0], nodeOf(mutation.by)]);
      break;
    case 'add':
      spot.owner.pairs.push([mutation.name, nodeOf(mutation.by)]);
      break;
    default:
      spot.pair[1] = [value];
  }
}

interface Spot {
  readonly owner: Pairs;
  readonly pair: [string, Node];
}

function spotsOf(node: Node): Spot[] {
  if (Array.isArray(node)) return node.flatMap(spotsOf);
  if (typeof node !== 'object' || node === null) return [];
  return node.pairs.flatMap((pair) => [{ owner: node, pair }, ...spotsOf(pair[1])]);
}

function nodeOf(value: unknown): Node {
  if (Array.isArray(value)) return value.map(nodeOf);
  if (typeof value !== 'object' || value === null) return value as Node;
  return { pairs: Object.entries(value).map(([name, member]) => [name, nodeOf(member)]) };
}

function textOf(node: Node): string {
  if (Array.isArray(node)) return `[${node.map(textOf).join(',')}]`;
  if (typeof node !== 'object' || node === null) return JSON.stringify(node);
  return `{${node.pairs.map(([name, value]) => `${JSON.stringify(name)}:${textOf(value)}`).join(',')}}`;
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

/** Leaves echoes of secrets as they are, for the network to spell out. */
function encode(text: string): string {
  return text.includes('«') ? text : encodeURIComponent(text.toWellFormed());
}
