/** A URL; `undefined` if the text is none. `URL.canParse` is wrong about hosts with letters such as ü (AikidoSec/firewall-node#1086). */
export function parseURL(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Whether a server that connects to the URL reaches this machine: `localhost`, 127.0.0.0/8 or `[::1]`. */
export function isThisMachine({ hostname }: Pick<URL, 'hostname'>): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/**
 * Whether a browser that opens the URL stays on this machine. Browsers never ask DNS for `*.localhost` (RFC 6761 section 6.3), which
 * resolvers of servers may do.
 */
export function isLoopback({ hostname }: Pick<URL, 'hostname'>): boolean {
  return isThisMachine({ hostname }) || hostname.endsWith('.localhost');
}

/** Whether a server that connects to the URL reaches itself, in whatever way that is written. A network is never there. */
export function isOnlyHere({ hostname }: Pick<URL, 'hostname'>): boolean {
  const local = /^(?:(?:.+\.)?localhost(?:\.localdomain)?\.?|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/;
  // IPv4 addresses in IPv6, as URLs write them: 127.0.0.0/8 and 0.0.0.0.
  return local.test(hostname) || /^\[::(?:ffff:)?(?:7f[\da-f]{2}:[\da-f]+|0:0)\]$/.test(hostname);
}

/** A URL as it is sent: as it is written, because networks compare it character by character, but with a host beyond ASCII as punycode. */
export function asciiURL(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : new URL(text).href;
}
