// @ts-check
import { Agent, request } from 'node:http';

/** The connection was cut in the middle of a response. Browsers show their own error page. */
export class TruncatedResponse extends Error {}

/** How long a browser waits for a response, in milliseconds. */
const TIMEOUT = 30_000;

// Closes idle connections before Node's servers do, after five seconds: a request that crosses their closing would fail.
const agent = new Agent({ keepAlive: true, timeout: 2_000 });

/**
 * @typedef {object} Page
 * @property {number} status
 * @property {string} location Absolute URL of a redirect, empty for other responses
 * @property {string} text
 */

/** One user's browser. Keeps cookies by host name, as browsers do, and follows no redirects. */
export class Browser {
  /** @type {Map<string, Map<string, string>>} */
  jars = new Map();

  /**
   * @param {string} url
   * @param {Readonly<Record<string, string>>} headers
   * @returns {Promise<Page>} Rejects without a complete response
   */
  async get(url, headers = {}) {
    const jar = this.jarOf(url);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const { response, text } = await send(url, { ...headers, ...(cookie && { cookie }) });
    for (const line of response.headers['set-cookie'] ?? []) keep(jar, line);
    const { location } = response.headers;
    return {
      status: response.statusCode ?? 0,
      location: location === undefined ? '' : new URL(location, url).href,
      text,
    };
  }

  /** @private @param {string} url */
  jarOf(url) {
    const { hostname } = new URL(url);
    const jar = this.jars.get(hostname) ?? new Map();
    this.jars.set(hostname, jar);
    return jar;
  }
}

/** @param {Map<string, string>} jar @param {string} line A `Set-Cookie` header */
function keep(jar, line) {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  if (/;\s*max-age=0\b/i.test(line)) jar.delete(name);
  else jar.set(name, value);
}

/**
 * @param {string} url
 * @param {Readonly<Record<string, string>>} headers
 * @returns {Promise<{ response: import('node:http').IncomingMessage, text: string }>}
 */
function send(url, headers) {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { headers, agent, timeout: TIMEOUT });
    outgoing.once('timeout', () => outgoing.destroy(new Error('no response in time')));
    outgoing.once('error', reject);
    outgoing.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.once('error', (cause) => reject(new TruncatedResponse('response cut off', { cause })));
      response.once('end', () => resolve({ response, text }));
    });
    outgoing.end();
  });
}
