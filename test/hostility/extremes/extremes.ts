import { startChild } from './child.js';

/** The cost of a response of a gigabyte. */
export interface GigabyteFigure {
  readonly form: string;
  /** Peak growth of the process's resident memory. */
  readonly megabytes: number;
  /** Data that the server had written to its socket when the strategy closed the connection. */
  readonly sentMegabytes: number;
}

/** How requests to a network that never responds end. */
export interface HungFigure {
  readonly asked: number;
  readonly ended: number;
  /** Duration of the longest request. */
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
/** The limit for one response. */
const MAX_MEGABYTES = 8;
const HUNG_DEADLINE = 6_000;
/** Extra time for a busy machine, with ten thousand timers due at once. */
const HUNG_MARGIN = 4_000;

export async function measureExtremes(hungRequests = 10_000): Promise<Extremes> {
  const server = startChild('extreme-server.ts');
  const { port } = await server.next();
  const url = `http://127.0.0.1:${String(port)}`;
  try {
    const failures: string[] = [];
    const gigabytes = await measureGigabytes(url, server, failures);
    const hung = await measureHung(url, server, withinFileLimit(hungRequests), failures);
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
    if (code !== 'response_too_large') failures.push(`a gigabyte, ${form}, ends in ${String(code)}`);
    if (figure.megabytes >= MAX_MEGABYTES) failures.push(`a gigabyte, ${form}, costs ${figure.megabytes} MB`);
  }
  return figures;
}

/** Limits the count, because each hung request needs a file descriptor in each of two processes. */
function withinFileLimit(wanted: number): number {
  const report = process.report?.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  const soft = Number(report?.userLimits?.open_files?.soft);
  const limit = Number.isFinite(soft) ? soft - 200 : wanted;
  if (limit >= wanted) return wanted;
  process.stdout.write(
    `ulimit -n is ${soft}: ${limit} hung requests instead of ${wanted}; ulimit -n ${wanted + 200} is enough\n`,
  );
  return limit;
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
    failures.push(`${figure.ended} of ${asked} hung requests end in a timeout: ${String(codes)}`);
  if (figure.milliseconds > HUNG_DEADLINE + HUNG_MARGIN)
    failures.push(`a hung request takes ${figure.milliseconds} ms`);
  if (socketsLeft > 0) failures.push(`hung requests leave ${socketsLeft} sockets open`);
  return figure;
}
