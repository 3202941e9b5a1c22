import { type CheckReport, type Finding, overall, type Verdict } from './finding.js';

const MARKS: Readonly<Record<Verdict, string>> = { passed: '✓', failed: '✗', unknown: '?' };

/** What the command prints: a list for each strategy, and what to do below what did not pass. */
export function textOf(reports: readonly CheckReport[]): string {
  const machine = reports.flatMap(({ findings }) => findings.filter(isAboutMachine)).slice(0, 1);
  const lists = reports.map(({ provider, network, findings }) => {
    const own = findings.filter((finding) => !isAboutMachine(finding));
    return `${provider} (${network})\n${own.map(lines).join('')}`;
  });
  const findings = [
    ...machine,
    ...reports.flatMap((report) => report.findings.filter((finding) => !isAboutMachine(finding))),
  ];
  const counts = (['passed', 'failed', 'unknown'] as const).map(
    (wanted) => `${findings.filter(({ verdict }) => verdict === wanted).length} ${wanted}`,
  );
  return `${[machine.map(lines).join(''), ...lists].filter(Boolean).join('\n')}\n${counts.join(', ')}. ${CONCLUSIONS[overall(reports)]}\n`;
}

const CONCLUSIONS: Readonly<Record<Verdict, string>> = {
  passed: 'Nothing speaks against the first login.',
  failed: 'Logins fail until what is marked ✗ is right.',
  unknown: 'What is marked ? only a login can tell.',
};

/** The same in every report. */
const isAboutMachine = ({ subject }: Finding): boolean => subject === 'Node';

/** Findings line up behind the longest of the usual subjects. */
const WIDTH = 'open.tiktokapis.com'.length;

function lines({ subject, verdict, message, remedy, guide }: Finding): string {
  const advice = verdict === 'passed' ? [] : [remedy, guide && `See ${guide}`];
  return [
    `  ${MARKS[verdict]} ${subject.padEnd(WIDTH)}  ${message}`,
    ...advice.flatMap((text) => (text === undefined ? [] : wrapped(text).map((line) => `      ${line}`))),
    '',
  ].join('\n');
}

/** Lines of at most a hundred characters; a longer word gets a line of its own. */
function wrapped(text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1)} ${word}`.trimStart();
    if (line.length <= 100) lines[lines.length - 1] = line;
    else lines.push(word);
  }
  return lines;
}

/** What the command prints with `--json`. */
export function jsonOf(reports: readonly CheckReport[]): string {
  return `${JSON.stringify({ verdict: overall(reports), reports }, null, 2)}\n`;
}
