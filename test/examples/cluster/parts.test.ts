import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { expect } from 'chai';
import type * as Ports from '../../../examples/cluster/ports.js';
import type * as VisitorsModule from '../../../examples/cluster/visitors.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { serve } from '../../support/server.js';
import { load, startCluster } from './clusters.js';

/** How the test application ends one attempt: with a user ID on the page, or with a custom response. */
type Ending = string | ((response: ServerResponse) => void);

const USER_ID = 'open-id-of-person-0';
const OTHER = 'open-id-of-person-1';
const SERVER_ERROR: Ending = (response) => response.writeHead(502).end();
const BLANK: Ending = (response) => response.end('<p>Welcome</p>');
const SIGNED_OUT: Ending = (response) => response.writeHead(302, { location: '/signin' }).end();
const NO_RESPONSE: Ending = (response) => response.destroy();
const CUT_OFF: Ending = (response) => {
  response.writeHead(200, { 'content-length': '100' }).write('<p>', () => response.destroy());
};

const OUTCOME = { tried: 1, finished: 0, retried: 0, lost: 0, wrongUser: 0, errors: {}, losses: [] };
const FINISHED = { ...OUTCOME, finished: 1 };
const lostBecause = (reason: string) => ({ ...OUTCOME, lost: 1, losses: [`short-video: ${reason}`] });
const NOBODY = lostBecause('no user is logged in, and there was no error');

describe('the visitors of the cluster example', () => {
  const opened = closesAfterEach();

  for (const [title, endings, tally] of [
    ['finish a login when the application identifies them', [USER_ID], FINISHED],
    [
      'start again after an error page, which counts as one retried login',
      [SERVER_ERROR, SERVER_ERROR, USER_ID],
      { ...FINISHED, retried: 1, errors: { 'HTTP 502': 2 } },
    ],
    [
      'start again after a response that is cut off, which counts as one retried login',
      [CUT_OFF, CUT_OFF, USER_ID],
      { ...FINISHED, retried: 1, errors: { 'response cut off': 2 } },
    ],
    ['notice when they end up as another user', [OTHER], { ...OUTCOME, wrongUser: 1 }],
    ['count a login that ends in a page without a user as lost', [BLANK, USER_ID], NOBODY],
    ['count a login that ends in a redirect to the sign-in page as lost', [SIGNED_OUT, USER_ID], NOBODY],
    ['count a login that ends in no response as lost', [NO_RESPONSE, USER_ID], lostBecause('fetch failed')],
    [
      'count a login that fails in every attempt as lost',
      [SERVER_ERROR],
      { ...lostBecause('an error in each of 6 attempts'), retried: 1, errors: { 'HTTP 502': 6 } },
    ],
  ] as const satisfies readonly (readonly [string, readonly Ending[], object])[]) {
    it(title, async () => {
      const { LOGIN_JOURNEY, Visitors } = await load<typeof VisitorsModule>('visitors.js');
      const app = opened(await serve(application(endings)));
      const visitors = new Visitors(LOGIN_JOURNEY, app.url, 0);
      await visitors.run(1, () => visitors.tally.tried === 1);
      expect(visitors.tally).to.deep.equal(tally);
    });
  }
});

describe('the ports of the cluster example', () => {
  it('are free, distinct and outside the range of outgoing connections', async () => {
    const { freePorts } = await load<typeof Ports>('ports.js');
    const ports = await freePorts(100);
    expect(new Set(ports)).to.have.length(100);
    for (const port of ports) {
      expect(port).to.be.within(1_024, 32_767);
      const server = createServer().listen(port, '127.0.0.1');
      await once(server, 'listening');
      await once(server.close(), 'close');
    }
  });
});

describe('two processes that share nothing but secrets', function () {
  this.timeout(60_000);
  const opened = closesAfterEach();

  it("finish each other's logins through every network", async () => {
    const cluster = opened(await startCluster('tokens, nothing shared but secrets'));
    expect(cluster.networks).to.have.length(5);
    for (const network of cluster.networks) {
      for (const page of await cluster.finishElsewhere(network)) {
        expect(page, network).to.match(/^200 \{"token":"/);
      }
    }
  });
});

/** An application that also stands in for the network. Repeats the last ending in all further attempts. */
function application(endings: readonly Ending[]): RequestListener {
  let attempts = 0;
  return (request, response) => {
    const [, port] = String(request.headers.host).split(':');
    const redirect = (host: string, path: string) =>
      response.writeHead(302, { location: `http://${host}:${port}${path}` }).end();
    const { pathname } = new URL(request.url ?? '', 'http://application.invalid');
    // Under another host name, because a redirect within the application means that the user is already logged in.
    if (pathname.startsWith('/api/auth/signin/')) return redirect('localhost', '/network?state=1');
    if (pathname === '/network') return redirect('127.0.0.1', '/callback');
    if (pathname === '/callback') return redirect('127.0.0.1', '/profile');
    const ending = endings[Math.min(attempts, endings.length - 1)] ?? BLANK;
    attempts += 1;
    if (typeof ending === 'string') response.end(`<code id="identifier">${ending}</code>`);
    else ending(response);
  };
}
