/** `unknown`: nothing that the network documents, and nothing that others reported of it, lets anyone tell. */
export type Verdict = 'passed' | 'failed' | 'unknown';

/** One thing that was checked. Never contains a secret. */
export interface Finding {
  /**
   * What was checked: `Node`, the host of a URL, `clock`, `callbackURL` (whether the network accepts such URLs), `registration` (whether the
   * application has it at the network), `login` (whether the network serves the application) or `credentials`.
   */
  readonly subject: string;
  /** The outcome. Logins fail for everything that `failed`. */
  readonly verdict: Verdict;
  /** What was found. */
  readonly message: string;
  /** What to do. */
  readonly remedy?: string;
  /** A page of this package's documentation, with the heading: `docs/deploying.md#out-through-a-proxy`. */
  readonly guide?: string;
  /** Where the meaning of the network's response is known from: `documented: ...` or `observed: ...`. */
  readonly evidence?: string;
}

/** What a check found out about one strategy. */
export interface CheckReport {
  /** The strategy's name; `environment` for variables that the command does not know. */
  readonly provider: string;
  /** Network and protocol: `TikTok`, `X, OAuth 1.0a`. */
  readonly network: string;
  /** `failed` if one of the findings failed, otherwise `unknown` if one is unknown. */
  readonly verdict: Verdict;
  /** In the order in which they matter: a wrong clock explains refused credentials. */
  readonly findings: readonly Finding[];
}

/** The verdict on several things. */
export function overall(parts: readonly { readonly verdict: Verdict }[]): Verdict {
  const verdicts = parts.map(({ verdict }) => verdict);
  if (verdicts.includes('failed')) return 'failed';
  return verdicts.includes('unknown') ? 'unknown' : 'passed';
}

/** The pages of the guide that findings name. They are not in the package: the build puts their addresses in once package.json has a repository. */
export const GUIDES = {
  check: 'docs/deploying.md#check-before-the-first-login',
  proxy: 'docs/deploying.md#out-through-a-proxy',
  authority: 'docs/deploying.md#a-private-certificate-authority',
  reverseProxy: 'docs/deploying.md#behind-a-proxy-https-and-the-callback-url',
  credentials: 'docs/troubleshooting.md#wrong-secret',
  codes: 'docs/troubleshooting.md#what-the-networks-codes-mean',
  errors: 'docs/troubleshooting.md#errors',
  errorPage: 'docs/troubleshooting.md#the-network-shows-an-error-page',
} as const;

const MARKS: Readonly<Record<Verdict, string>> = { passed: '✓', failed: '✗', unknown: '?' };

/** What the command prints: a list for each strategy, and what to do below what did not pass. */
export function textOf(reports: readonly CheckReport[]): string {
  const machine = reports.flatMap(({ findings }) => findings.filter(isAboutMachine)).slice(0, 1);
  const own = reports.map(({ findings }) => findings.filter((finding) => !isAboutMachine(finding)));
  const lists = reports.map(
    ({ provider, network }, index) => `${provider} (${network})\n${own[index]?.map(lines).join('')}`,
  );
  const findings = [...machine, ...own.flat()];
  const counts = (['passed', 'failed', 'unknown'] as const).map(
    (wanted) => `${findings.filter(({ verdict }) => verdict === wanted).length} ${wanted}`,
  );
  const summary = `${counts.join(', ')}. ${CONCLUSIONS[overall(reports)]}`;
  return `${[machine.map(lines).join(''), ...lists].filter(Boolean).join('\n')}\n${summary}\n`;
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
  const place = guide?.startsWith('https:') ? '' : ' in the repository';
  const advice = verdict === 'passed' ? [] : [remedy, guide && `See ${guide}${place}`];
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
