import { type IncomingHttpHeaders, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';

/** A response as a browser sees it. */
export interface Page {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The absolute URL of a redirect; empty if it is not a redirect. */
  readonly location: string;
  /** The parsed body of a JSON response; `undefined` for any other. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read its properties without types.
  readonly json: any;
}

/** A browser that keeps cookies and does not follow redirects. */
export class Browser {
  private readonly cookies = new Map<string, Map<string, string>>();

  async get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Page> {
    return this.send(url, headers);
  }

  async post(
    url: string,
    form: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Page> {
    return this.send(url, headers, { method: 'POST', body: new URLSearchParams(form).toString() });
  }

  /** The cookies of a host as a `Cookie` header; empty if there are none. */
  cookieHeader(url: string): string {
    const jar = this.cookies.get(new URL(url).host) ?? new Map<string, string>();
    return [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** Forgets the cookies of a host, but for those of logins in progress: nobody is signed in there any more. */
  signOut(url: string): void {
    const jar = this.cookies.get(new URL(url).host);
    for (const name of jar?.keys() ?? []) if (!name.includes('login.')) jar?.delete(name);
  }

  private async send(
    url: string,
    extra: Readonly<Record<string, string>>,
    { method = 'GET', body = '' }: { readonly method?: string; readonly body?: string } = {},
  ): Promise<Page> {
    const cookie = this.cookieHeader(url);
    const { status, headers, text } = await exchange(url, method, body, {
      ...(cookie !== '' && { cookie }),
      ...(body !== '' && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...extra,
    });
    this.keepCookies(url, headers['set-cookie'] ?? []);
    const { location } = headers;
    return {
      status,
      headers,
      text,
      location: location === undefined ? '' : new URL(location, url).href,
      json: parsed(text, headers['content-type']),
    };
  }

  /** Keeps the cookies of `Set-Cookie` lines for the host of a URL. */
  keepCookies(url: string, lines: readonly string[]): void {
    const { host } = new URL(url);
    const jar = this.cookies.get(host) ?? new Map<string, string>();
    this.cookies.set(host, jar);
    for (const line of lines) {
      const [pair = ''] = line.split(';');
      const [name = '', ...value] = pair.split('=');
      if (/;\s*max-age=0\b/i.test(line)) jar.delete(name);
      else jar.set(name, value.join('='));
    }
  }
}

function parsed(text: string, type = ''): unknown {
  try {
    return /\bjson\b/.test(type) ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** Sends a request with node:http, which takes a fraction of the time that `fetch` takes; a run of all tests sends tens of thousands. */
export function exchange(
  url: string,
  method: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers }, (response) => {
      const { statusCode: status = 0, headers: received } = response;
      textOf(response).then((text) => resolve({ status, headers: received, text }), reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
