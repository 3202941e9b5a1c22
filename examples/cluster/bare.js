// @ts-check
import { Agent, get } from 'node:http';
import { text } from 'node:stream/consumers';

/**
 * No login, but as many requests as one has, to the application and from there to the network, by bare `node:http`. What several
 * processes cost because they share the machine's cores shows here.
 *
 * @param {Pick<import('passport-social-networks/sandbox').Sandbox, 'url'>} sandbox
 * @returns {import('node:http').RequestListener}
 */
export function createBareApp({ url }) {
  const agent = new Agent({ keepAlive: true });
  // It has none, which is an answer, too.
  const askNetwork = () =>
    new Promise((resolve, reject) => {
      get(`${url}/robots.txt`, { agent }, (response) => resolve(text(response))).once('error', reject);
    });
  return (request, response) => {
    const answers = request.url === '/callback' ? askNetwork().then(askNetwork) : Promise.resolve();
    answers.then(
      () => response.end(request.url),
      () => response.writeHead(502).end(),
    );
  };
}
