import { startChild } from './child.js';

/** What an answer of a gigabyte costs. */
export interface GigabyteFigure {
  readonly form: string;
  /** How much the resident memory of the process grew at most. */
  readonly megabytes: number;
  /** What the server had handed to its socket when the strategy hung up. */
  readonly sentMegabytes: number;
}

/** How logins end at a network that never answers. */
export interface HungFigure {
  readonly asked: number;
  readonly ended: number;
  /** The longest of them, from its start. */
  readonly milliseconds: number;
  readonly socketsLeft: number;
}

export interface Extremes {
  readonly gigabytes: readonly GigabyteFigure[];
  readonly hung: HungFigure;
  readonly failures: readonly string[];
}

export const GIGABYTE_FORMS = ['length', 'until-close', 'chunked', 'gzip'] as const;
const MEGABYTE = 1_048_576;
/** A gigabyte may cost so much. */
const MOST_MEGABYTES = 8;
const HUNG_DEADLINE = 6_000;
/** What a busy machine may add, with ten thousand timers due at once. */
const HUNG_MARGIN = 4_000;

export async function measureExtremes(hungAnswers = 10_000): Promise<Extremes> {
  const server = startChild('extreme-server.ts');
  const { port } = await server.next();
  const url = `http://127.0.0.1:${String(port)}`;
  try {
    const failures: string[] = [];
    const gigabytes = await measureGigabytes(url, server, failures);
    const hung = await measureHung(url, server, affordable(hungAnswers), failures);
    return { gigabytes, hung, failures };
  } finally {
    server.end();
  }
}

type Server = ReturnType<typeof startChild>;

async function measureGigabytes(url: string, server: Server, failures: string[]): Promise<GigabyteFigure[]> {
  const figures: GigabyteFigure[] = [];
  for (const form of GIGABYTE_FORMS) {
    const client = startChild('gigabyte-client.ts', [url], ['--expose-gc']);
    await client.next();
    const { code, bytes } = await client.ask(form);
    const { sent } = await server.ask('how many');
    client.end();
    const figure = { form, megabytes: Number(bytes) / MEGABYTE, sentMegabytes: Number(sent) / MEGABYTE };
    figures.push(figure);
    if (code !== 'answer_too_large') failures.push(`a gigabyte, ${form}, ends in ${String(code)}`);
    if (figure.megabytes >= MOST_MEGABYTES)
      failures.push(`a gigabyte, ${form}, costs ${figure.megabytes} MB`);
  }
  return figures;
}

/** Each hung answer holds one file descriptor in each of two processes. */
function affordable(wanted: number): number {
  const report = process.report?.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  const soft = Number(report?.userLimits?.open_files?.soft);
  const most = Number.isFinite(soft) ? soft - 200 : wanted;
  if (most >= wanted) return wanted;
  process.stdout.write(
    `ulimit -n is ${soft}: ${most} hung answers instead of ${wanted}; ulimit -n ${wanted + 200} is enough\n`,
  );
  return most;
}

async function measureHung(
  url: string,
  server: Server,
  asked: number,
  failures: string[],
): Promise<HungFigure> {
  const client = startChild('hung-client.ts', [url, String(asked), String(HUNG_DEADLINE)]);
  await client.next();
  const { ended, longest, codes, left } = await client.next();
  const { open } = await server.ask('how many');
  client.end();
  const socketsLeft = Number(left) + Number(open);
  const figure = { asked, ended: Number(ended), milliseconds: Number(longest), socketsLeft };
  if (figure.ended !== asked)
    failures.push(`of ${asked} hung answers ${figure.ended} end in a timeout: ${String(codes)}`);
  if (figure.milliseconds > HUNG_DEADLINE + HUNG_MARGIN)
    failures.push(`a hung answer takes ${figure.milliseconds} ms`);
  if (socketsLeft > 0) failures.push(`${socketsLeft} sockets are left of hung answers`);
  return figure;
}
