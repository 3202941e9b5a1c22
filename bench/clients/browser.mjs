// A browser: for applications with a web server, and (without its requests) for strategies alone.
import http from 'node:http';

/** @typedef {{ status: number, headers: http.IncomingHttpHeaders, location: string, text: string }} Page */

/** The application did not respond in time. */
export class NoAnswer extends Error {}

/** The cookies of one application. */
export class Cookies {
  /** @type {Map<string, string>} */
  cookies = new Map();

  get cookieHeader() {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** @param {unknown} lines - Values of the `Set-Cookie` headers. */
  setCookies(lines = []) {
    for (const line of [lines].flat().map(String)) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0\b|expires=thu, 01 jan 1970/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

/** Keeps cookies, and follows no redirect by itself. */
export class Browser extends Cookies {
  /** What an application without a web server keeps for it. */
  session = '{}';

  /** A browser with the same cookies. */
  copy() {
    const copy = new Browser();
    copy.cookies = new Map(this.cookies);
    return copy;
  }

  /**
   * @param {string} url
   * @param {{ method?: string, headers?: Record<string, string>, form?: Record<string, string>, patience?: number, agent?: http.Agent }}
   *   [settings] - With `form`, the method is POST. `patience`: milliseconds. Default: for ever.
   * @returns {Promise<Page>}
   */
  async open(url, { method = 'GET', headers = {}, form, patience = 0, agent } = {}) {
    const cookie = this.cookieHeader;
    const body = form && new URLSearchParams(form).toString();
    const page = await send(url, body, patience, {
      method: form ? 'POST' : method,
      agent: agent ?? false,
      headers: {
        ...(cookie !== '' && { cookie }),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
    });
    this.setCookies(page.headers['set-cookie']);
    return page;
  }
}

/** @param {string} url @param {string | undefined} body @param {number} patience @param {http.RequestOptions} options @returns {Promise<Page>} */
function send(url, body, patience, options) {
  return new Promise((resolve, reject) => {
    const request = http.request(url, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, location: headers.location ?? '', text });
      });
    });
    const late = () => request.destroy(new NoAnswer(`no answer within ${patience / 1_000} s`));
    const timer = patience > 0 ? setTimeout(late, patience) : undefined;
    request.on('error', reject).on('close', () => clearTimeout(timer));
    request.end(body);
  });
}
