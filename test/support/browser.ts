import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { Browser as SandboxBrowser, type Visited } from '../../sandbox/lib/index.js';

/** A response. `location` is the absolute URL of a redirect, or empty; `json` is `undefined` for any but a JSON response. */
export type Page = Awaited<ReturnType<typeof pageOf>>;

/** The sandbox's browser, which keeps cookies as browsers do, with what tests read of a page. It does not follow redirects. */
export class Browser extends SandboxBrowser {
  async get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Page> {
    return pageOf(await this.visit(url, { headers }));
  }

  async post(
    url: string,
    form: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Page> {
    const body = new URLSearchParams(form).toString();
    return pageOf(await this.visit(url, { method: 'POST', body, headers }));
  }

  /** Keeps the cookies of `Set-Cookie` lines for the host of a URL. */
  keepCookies(url: string, lines: readonly string[]): void {
    for (const line of lines) this.keep(new URL(url), line);
  }

  /** Forgets the cookies, but for those of logins in progress: nobody is signed in any more. */
  signOut(url: string): void {
    for (const { name } of this.cookies())
      if (!name.includes('login.')) this.keepCookies(url, [`${name}=; Max-Age=0; Path=/`]);
  }
}

async function pageOf({ response, location = '' }: Visited) {
  const text = await response.text();
  const headers: IncomingHttpHeaders = Object.fromEntries(response.headers);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) headers['set-cookie'] = cookies;
  // biome-ignore lint/suspicious/noExplicitAny: tests read its properties without types.
  const json: any = /\bjson\b/.test(headers['content-type'] ?? '') ? parsed(text) : undefined;
  return { status: response.status, headers, text, location, json };
}

/** What a text says in JSON; `undefined` if it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Sends a request with node:http, which takes a fraction of the time that `fetch` takes; a run of all tests sends tens of thousands. */
export function exchange(
  url: string,
  method: string,
  body: string,
  headers: OutgoingHttpHeaders,
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
