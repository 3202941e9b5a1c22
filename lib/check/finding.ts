/** `unknown`: nothing that the network documents, and nothing that others reported of it, lets anyone tell. */
export type Verdict = 'passed' | 'failed' | 'unknown';

/** One thing that was checked. Never contains a secret. */
export interface Finding {
  /**
   * What was checked: `Node`, the host of a URL, `clock`, `callbackURL` (whether the network accepts such URLs), `registration` (whether the
   * application has it at the network) or `credentials`.
   */
  readonly subject: string;
  /** The outcome. Logins fail for everything that `failed`. */
  readonly verdict: Verdict;
  /** What was found. */
  readonly message: string;
  /** What to do. */
  readonly remedy?: string;
  /** A page of this package's documentation, with the heading: `docs/proxies.md#out-through-a-proxy`. */
  readonly guide?: string;
  /** Where the meaning of the network's response is known from: `documented: ...` or `observed: ...`. */
  readonly evidence?: string;
}

/** What a check found out about one strategy. */
export interface CheckReport {
  /** The strategy's name. */
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

/** The pages of the guide that findings name. */
export const GUIDES = {
  check: 'docs/going-live.md#check-before-the-first-login',
  proxy: 'docs/proxies.md#out-through-a-proxy',
  authority: 'docs/proxies.md#a-private-certificate-authority',
  reverseProxy: 'docs/proxies.md#behind-a-proxy-https-and-the-callback-url',
  credentials: 'docs/troubleshooting.md#wrong-secret',
  codes: 'docs/troubleshooting.md#what-the-networks-codes-mean',
  errors: 'docs/troubleshooting.md#errors',
  errorPage: 'docs/troubleshooting.md#the-network-shows-an-error-page',
} as const;
