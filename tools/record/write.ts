import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  allSteps,
  type Entry,
  type Exchange,
  type Shared,
  type StepFile,
  usualError,
} from '../../test/exchanges/exchange.js';

const ROOT = join(__dirname, '..', '..');
const BIOME = join(ROOT, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');

/** The fields that the exchanges of a step can share, in the order in which a file has them. */
const SHARED = [
  'after',
  'strategy',
  'scope',
  'method',
  'path',
  'body',
  'reqheaders',
  'badheaders',
  'rawHeaders',
] as const;

/** What would be written. */
export function shownExchange(exchange: Exchange): string {
  const { folder, step } = exchange;
  return `--- ${folder}/${step}.json\n${JSON.stringify({ [caseOf(exchange)]: entryOf(exchange) }, undefined, 2)}\n`;
}

/** Adds exchanges to the files of their steps. @returns The files, and how to restore them. */
export function writeExchanges(
  root: string,
  exchanges: readonly Exchange[],
): { readonly paths: readonly string[]; readonly undo: () => void } {
  const before = new Map<string, string | undefined>();
  for (const exchange of exchanges) {
    const path = join(root, exchange.folder, `${exchange.step}.json`);
    const content = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    if (!before.has(path)) before.set(path, content);
    const file = content === undefined ? { exchanges: {} } : (JSON.parse(content) as StepFile);
    const cases = Object.entries({ ...file.exchanges, [caseOf(exchange)]: entryOf(exchange) });
    const sorted = cases.sort(([one], [other]) => (one < other ? -1 : 1));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, formatted({ shared: sharedBy(exchange), exchanges: Object.fromEntries(sorted) }));
  }
  const undo = () => {
    for (const [path, content] of before) {
      if (content === undefined) rmSync(path);
      else writeFileSync(path, content);
    }
  };
  return { paths: [...before.keys()], undo };
}

function caseOf({ name, folder, step }: Exchange): string {
  return name.slice(`${folder}/${step}.`.length);
}

/** From the file of the step, or from that of the repository. A recording is always of a step that it knows. */
function sharedBy({ folder, step }: Exchange): Shared {
  return allSteps().findLast((known) => known.folder === folder && known.step === step)?.shared as Shared;
}

/** What an exchange does not share with the others of its step. */
function entryOf(exchange: Exchange): Entry {
  const shared = sharedBy(exchange);
  const differences = SHARED.filter((name) => !isDeepStrictEqual(exchange[name], shared[name])).map(
    (name) => [name, exchange[name] ?? null] as const,
  );
  const { rawHeaders, ...request } = Object.fromEntries(differences);
  const { source, status, response, expected } = exchange;
  const usual = Object.entries(expected.outcome === 'error' ? usualError(exchange.step) : {});
  const said = Object.entries(expected).filter(
    ([name, value]) => !usual.some((other) => isDeepStrictEqual(other, [name, value])),
  );
  return {
    source,
    ...request,
    status,
    ...(rawHeaders !== undefined && { rawHeaders }),
    response,
    expected: Object.fromEntries(said),
  } as Entry;
}

/** As `npm run format` leaves a file. */
function formatted(file: StepFile): string {
  const words = ['format', '--stdin-file-path=test/exchanges/step.json'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIOME, ...words], {
    cwd: ROOT,
    input: JSON.stringify(file),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`Biome cannot format the exchanges: ${stderr}`);
  return stdout;
}
