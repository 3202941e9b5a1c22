import { request } from 'node:http';

/**
 * An application's answer. `outcome` is what the application of the bench says about it; a redirect to somewhere is `redirect`.
 *
 * @typedef {{
 *   readonly status: number,
 *   readonly headers: import('node:http').IncomingHttpHeaders,
 *   readonly text: string,
 *   readonly location: string,
 *   readonly outcome: 'success' | 'failure' | 'error' | 'redirect' | 'unknown',
 *   readonly json: any,
 * }} Answer
 */

/** The application did not answer in time. */
export class NoAnswer extends Error {}

/** Milliseconds that a browser waits unless told otherwise. */
const PATIENCE = 4_000;

/** One browser: it keeps cookies and follows no redirect by itself. */
export class Browser {
  /** @type {Map<string, string>} */
  cookies = new Map();

  /**
   * @param {string | URL} address
   * @param {{ method?: string, headers?: Record<string, string>, form?: Record<string, string>, patience?: number }} [settings] With
   *   `form`, the method is POST.
   * @returns {Promise<Answer>}
   */
  async get(address, { method = 'GET', headers = {}, form, patience = PATIENCE } = {}) {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const body = form && new URLSearchParams(form).toString();
    const {
      status,
      headers: received,
      text,
    } = await send(address, patience, {
      method: body === undefined ? method : 'POST',
      body,
      headers: {
        ...(cookie !== '' && { cookie }),
        ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
    });
    for (const line of received['set-cookie'] ?? []) {
      const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split('=');
      this.cookies.set(name, value);
    }
    const location = received.location ?? '';
    const json = parsed(text);
    const outcome = location === '' ? (json?.outcome ?? 'unknown') : 'redirect';
    return { status, headers: received, text, location, outcome, json };
  }

  /** A browser with the same cookies. */
  copy() {
    const copy = new Browser();
    copy.cookies = new Map(this.cookies);
    return copy;
  }
}

/**
 * @param {string | URL} address
 * @param {number} patience
 * @param {{ method: string, body: string | undefined, headers: Record<string, string> }} settings
 * @returns {Promise<{ status: number, headers: import('node:http').IncomingHttpHeaders, text: string }>}
 */
function send(address, patience, { method, body, headers }) {
  return new Promise((resolve, reject) => {
    const outgoing = request(address, { method, headers, agent: false }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }),
      );
    });
    const timer = setTimeout(() => {
      outgoing.destroy(new NoAnswer(`no answer within ${patience / 1000} s`));
    }, patience);
    outgoing.on('error', reject).on('close', () => clearTimeout(timer));
    outgoing.end(body);
  });
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An answer in few words. @param {Answer} answer */
export function told({ status, outcome, json, location, text }) {
  if (outcome === 'redirect') return `${status}, redirected to ${location.slice(0, 80)}`;
  if (outcome === 'success') return `logged in as ${JSON.stringify(json.user)?.slice(0, 120)}`;
  const [message] = json ? (json.messages ?? []) : [text.slice(0, 80)];
  return `${status} ${outcome}${message ? ` "${String(message).slice(0, 100)}"` : ''}`;
}
