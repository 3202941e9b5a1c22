/** A page as a browser sees it after every redirect of the application. */
export interface Page {
  readonly status: number;
  readonly text: string;
  readonly json: { message?: string; code?: string; token?: string; provider?: string };
}

/** A browser with cookies, which answers the sandbox's consent page at once. */
export class Visitor {
  private readonly cookies = new Map<string, string>();
  private readonly application: string;

  constructor(application: string) {
    this.application = application;
  }

  /** Sends a request and follows the redirects, also through the consent page. */
  async open(path: string, init: RequestInit = {}, choices = 'auto=allow&person=anna'): Promise<Page> {
    return this.follow(await this.request(path, init), choices);
  }

  /** Starts a login. @returns The callback URL, which the browser has not opened. */
  async consent(path: string, init: RequestInit = {}, choices = 'auto=allow&person=anna'): Promise<string> {
    const start = await this.request(path, init);
    const page = await fetch(`${locationOf(start)}&${choices}`, { redirect: 'manual' });
    return locationOf(page) ?? '';
  }

  async request(path: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ');
    const headers = new Headers(init.headers);
    headers.set('cookie', cookie);
    const response = await fetch(new URL(path, this.application), { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ');
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      if (attributes.includes('Max-Age=0')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  private async follow(response: Response, choices: string): Promise<Page> {
    const location = locationOf(response);
    if (location === undefined) return pageOf(response);
    const url = new URL(location, this.application);
    if (url.origin === this.application) return this.follow(await this.request(url.href), choices);
    const consent = await fetch(`${url}&${choices}`, { redirect: 'manual' });
    return this.follow(await this.request(locationOf(consent) ?? ''), choices);
  }
}

function locationOf(response: Response): string | undefined {
  return response.headers.get('location') ?? undefined;
}

async function pageOf(response: Response): Promise<Page> {
  const text = await response.text();
  const isJSON = response.headers.get('content-type')?.includes('json');
  return { status: response.status, text, json: isJSON ? JSON.parse(text) : {} };
}
