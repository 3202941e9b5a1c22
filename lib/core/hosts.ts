/**
 * A URL; `undefined` if the text is none. In Node 20 and 22, `URL.canParse` says of a host with letters such as ü that it is none, as soon as the
 * engine has optimized it.
 *
 * @see https://github.com/AikidoSec/firewall-node/pull/1086
 */
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
