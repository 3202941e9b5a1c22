/** Whether a host name, as `URL` spells it, is this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** Whether only this machine can reach a server that listens on an address or name. */
export function isLocalAddress(host: string): boolean {
  return isLoopback(host.includes(':') ? `[${host}]` : host);
}

/**
 * Validates a redirect URI. It must be an absolute http or https address. A fragment, credentials and characters that URL parsers
 * disagree about are rejected.
 *
 * @returns Why it is invalid; `undefined` for a valid one.
 */
export function redirectUriProblem(redirectUri: string | undefined): string | undefined {
  if (!redirectUri) return 'redirect_uri is missing, empty or given twice';
  if (!/^https?:\/\/[\x21-\x7e]+$/i.test(redirectUri) || !URL.canParse(redirectUri)) {
    return 'redirect_uri is no absolute http or https address';
  }
  const url = new URL(redirectUri);
  if (redirectUri.includes('#')) return 'redirect_uri has a fragment';
  if (redirectUri.includes('\\') || url.username || url.password) return 'redirect_uri hides its host';
  return undefined;
}

/** Why a valid redirect URI is unsafe: plain http beyond this machine; `undefined` for a safe one. */
export function plainHttpProblem(redirectUri: string): string | undefined {
  const { protocol, hostname } = new URL(redirectUri);
  if (protocol !== 'http:' || isLoopback(hostname)) return undefined;
  return 'redirect_uri is plain http beyond this machine';
}

/** Adds the parameters of an authorization response to a redirect URI, whose own query stays as it is. Skips `undefined`. */
export function withParameters(
  redirectUri: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${new URLSearchParams(given).toString()}`;
}
