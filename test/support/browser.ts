/** An answer as a browser sees it. */
export interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Where a redirect leads, as an absolute address; empty when it is none. */
  readonly location: string;
  /** The text as JSON; `undefined` when it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it member by member.
  readonly json: any;
}

/** One browser: it keeps cookies and follows no redirect by itself. */
export class Browser {
  private readonly cookies = new Map<string, Map<string, string>>();

  async get(address: string, headers: Readonly<Record<string, string>> = {}): Promise<Page> {
    return this.send(address, headers);
  }

  async post(address: string, form: Readonly<Record<string, string>>): Promise<Page> {
    return this.send(address, {}, { method: 'POST', body: new URLSearchParams(form) });
  }

  /** The cookies that a host gave, as a `Cookie` header; empty when it gave none. */
  cookieHeader(address: string): string {
    const jar = this.cookies.get(new URL(address).host) ?? new Map<string, string>();
    return [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  private async send(
    address: string,
    extra: Readonly<Record<string, string>>,
    init: RequestInit = {},
  ): Promise<Page> {
    const cookie = this.cookieHeader(address);
    const headers = { ...(cookie !== '' && { cookie }), ...extra };
    const response = await fetch(address, { ...init, headers, redirect: 'manual' });
    this.keepCookies(address, response.headers.getSetCookie());
    const text = await response.text();
    const location = response.headers.get('location');
    return {
      status: response.status,
      headers: response.headers,
      text,
      location: location === null ? '' : new URL(location, address).href,
      json: parsed(text),
    };
  }

  private keepCookies(address: string, lines: readonly string[]): void {
    const { host } = new URL(address);
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
