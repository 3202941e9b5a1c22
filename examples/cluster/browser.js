// @ts-check
import { Agent, request } from 'node:http';

/** An answer broke off: the connection was cut after it had begun. Browsers show an error page of their own. */
export class CutAnswer extends Error {}

/** How long a browser waits for an answer, in milliseconds. */
const PATIENCE = 30_000;

const agent = new Agent({ keepAlive: true });

/**
 * @typedef {object} Page
 * @property {number} status
 * @property {string} location Where a redirect leads, as an absolute address; empty when it is none
 * @property {string} text
 */

/** One person's browser: it keeps cookies, by host name as browsers do, and follows no redirect by itself. */
export class Browser {
  /** @type {Map<string, Map<string, string>>} */
  jars = new Map();

  /**
   * @param {string} address
   * @param {Readonly<Record<string, string>>} headers
   * @returns {Promise<Page>} Rejects when there is no whole answer
   */
  async get(address, headers = {}) {
    const jar = this.jarOf(address);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const { response, text } = await send(address, { ...headers, ...(cookie && { cookie }) });
    for (const line of response.headers['set-cookie'] ?? []) keep(jar, line);
    const { location } = response.headers;
    return {
      status: response.statusCode ?? 0,
      location: location === undefined ? '' : new URL(location, address).href,
      text,
    };
  }

  /** @private @param {string} address */
  jarOf(address) {
    const { hostname } = new URL(address);
    const jar = this.jars.get(hostname) ?? new Map();
    this.jars.set(hostname, jar);
    return jar;
  }
}

/** @param {Map<string, string>} jar @param {string} line Of `Set-Cookie` */
function keep(jar, line) {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  if (/;\s*max-age=0\b/i.test(line)) jar.delete(name);
  else jar.set(name, value);
}

/**
 * @param {string} address
 * @param {Readonly<Record<string, string>>} headers
 * @returns {Promise<{ response: import('node:http').IncomingMessage, text: string }>}
 */
function send(address, headers) {
  return new Promise((resolve, reject) => {
    const outgoing = request(address, { headers, agent, timeout: PATIENCE });
    outgoing.once('timeout', () => outgoing.destroy(new Error('no answer in time')));
    outgoing.once('error', reject);
    outgoing.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.once('error', (cause) => reject(new CutAnswer('answer cut off', { cause })));
      response.once('end', () => resolve({ response, text }));
    });
    outgoing.end();
  });
}
