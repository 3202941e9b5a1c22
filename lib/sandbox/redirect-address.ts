/** Whether a host name, as `URL` spells it, is this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/**
 * Finds what is wrong with a callback address: it must be absolute, https or loopback, and carry neither fragment,
 * credentials nor characters that two readers may understand differently.
 *
 * @returns The reason in plain words, or `undefined` for an address that is fine.
 */
export function redirectProblem(address: string | undefined): string | undefined {
  if (!address) return 'redirect_uri is missing, empty or given twice';
  if (!/^https?:\/\/[\x21-\x7e]+$/i.test(address) || !URL.canParse(address)) {
    return 'redirect_uri is no absolute http or https address';
  }
  const url = new URL(address);
  if (address.includes('#')) return 'redirect_uri has a fragment';
  if (address.includes('\\') || url.username || url.password) return 'redirect_uri hides its host';
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return 'redirect_uri is plain http beyond this machine';
  }
  return undefined;
}

/** Adds parameters to an address and leaves what it holds already as it is; parameters without a value are left out. */
export function withParameters(
  address: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(given).toString()}`;
}
