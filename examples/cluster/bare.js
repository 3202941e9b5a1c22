// @ts-check
import { Agent, get } from 'node:http';
import { text } from 'node:stream/consumers';

/**
 * The baseline: as many requests as a login makes, to the application and from there to the network, but with bare `node:http`
 * and no login. Shows what several processes cost because they share the machine's cores.
 *
 * @param {Pick<import('passport-social-networks-sandbox').Sandbox, 'url'>} sandbox
 * @returns {import('node:http').RequestListener}
 */
export function createBareApp({ url }) {
  const agent = new Agent({ keepAlive: true });
  // The sandbox has no robots.txt; its 404 is response enough.
  const requestNetwork = () =>
    new Promise((resolve, reject) => {
      get(`${url}/robots.txt`, { agent }, (response) => resolve(text(response))).once('error', reject);
    });
  return (request, response) => {
    const done = request.url === '/callback' ? requestNetwork().then(requestNetwork) : Promise.resolve();
    done.then(
      () => response.end(request.url),
      () => response.writeHead(502).end(),
    );
  };
}
