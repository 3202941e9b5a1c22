import { Browser, type Navigation, type Visited } from 'passport-social-networks-sandbox';

/** A page as a browser sees it after every redirect of the application. */
export interface Page {
  readonly status: number;
  readonly text: string;
  readonly json: { message?: string; code?: string; token?: string; provider?: string };
}

/** A browser that answers the sandbox's consent page at once. */
export class Visitor {
  private readonly browser = new Browser();
  private readonly application: string;

  constructor(application: string) {
    this.application = application;
  }

  /** Sends a request and follows the redirects, also through the consent page. */
  async open(path: string, navigation?: Navigation, choices = 'auto=allow&person=anna'): Promise<Page> {
    const isElsewhere = (url: string) => new URL(url).origin !== this.application;
    const page = await this.browser.open(this.urlOf(path), navigation, isElsewhere);
    const { location } = page;
    return pageOf(location === undefined ? page : await this.browser.open(`${location}&${choices}`));
  }

  /** Starts a login. @returns The callback URL, which the browser has not opened. */
  async consent(path: string): Promise<string> {
    const { location: page } = await this.browser.visit(this.urlOf(path));
    const { location = '' } = await this.browser.visit(`${page}&auto=allow&person=anna`);
    return location;
  }

  async request(path: string, navigation?: Navigation): Promise<Response> {
    const { response } = await this.browser.visit(this.urlOf(path), navigation);
    return response;
  }

  private urlOf(path: string): string {
    return new URL(path, this.application).href;
  }
}

async function pageOf({ response }: Visited): Promise<Page> {
  const text = await response.text();
  const isJSON = response.headers.get('content-type')?.includes('json');
  return { status: response.status, text, json: isJSON ? JSON.parse(text) : {} };
}
