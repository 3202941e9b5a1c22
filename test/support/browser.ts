/** A response as a browser sees it. */
export interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The absolute URL of a redirect; empty if it is not a redirect. */
  readonly location: string;
  /** The parsed body; `undefined` if it is not JSON. */
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
    return this.send(url, headers, { method: 'POST', body: new URLSearchParams(form) });
  }

  /** The cookies of a host as a `Cookie` header; empty if there are none. */
  cookieHeader(url: string): string {
    const jar = this.cookies.get(new URL(url).host) ?? new Map<string, string>();
    return [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  private async send(
    url: string,
    extra: Readonly<Record<string, string>>,
    init: RequestInit = {},
  ): Promise<Page> {
    const cookie = this.cookieHeader(url);
    const headers = { ...(cookie !== '' && { cookie }), ...extra };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    this.keepCookies(url, response.headers.getSetCookie());
    const text = await response.text();
    const location = response.headers.get('location');
    return {
      status: response.status,
      headers: response.headers,
      text,
      location: location === null ? '' : new URL(location, url).href,
      json: parsed(text),
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
