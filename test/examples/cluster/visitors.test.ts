import type { RequestListener, ServerResponse } from 'node:http';
import { expect } from 'chai';
import type * as Journeys from '../../../examples/cluster/journeys.js';
import type * as Visitors from '../../../examples/cluster/visitors.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { serve } from '../../support/server.js';
import { load } from './modules.js';

/** How the test application ends one attempt: with a user ID on the page, or with a custom response. */
type Ending = string | ((response: ServerResponse) => void);

const USER_ID = 'open-id-of-person-0';

const SERVER_ERROR: Ending = (response) => response.writeHead(502).end();
const BLANK: Ending = (response) => response.end('<p>Welcome</p>');
const SIGNED_OUT: Ending = (response) => response.writeHead(302, { location: '/signin' }).end();
const NO_RESPONSE: Ending = (response) => response.destroy();
const CUT_OFF: Ending = (response) => {
  response.writeHead(200, { 'content-length': '100' }).write('<p>', () => response.destroy());
};

describe('the visitors of the cluster example', () => {
  const opened = closesAfterEach();

  /** Logs one user in to an application whose attempts have these endings. */
  async function visit(...endings: readonly Ending[]): Promise<Visitors.Tally> {
    const { Visitors: VisitorsClass } = await load<typeof Visitors>('visitors.js');
    const { LOGIN_JOURNEY } = await load<typeof Journeys>('journeys.js');
    const app = opened(await serve(application(endings)));
    const visitors = new VisitorsClass(LOGIN_JOURNEY, app.url, 0);
    await visitors.run(1, () => visitors.tally.tried === 1);
    return visitors.tally;
  }

  it('finish a login when the application identifies them', async () => {
    const { tried, finished, retried, lost, wrongUser } = await visit(USER_ID);
    expect({ tried, finished, retried, lost, wrongUser }).to.deep.equal({
      tried: 1,
      finished: 1,
      retried: 0,
      lost: 0,
      wrongUser: 0,
    });
  });

  for (const [title, ending, message] of [
    ['an error page', SERVER_ERROR, 'HTTP 502'],
    ['a response that is cut off', CUT_OFF, 'response cut off'],
  ] as const) {
    it(`start again after ${title}, which counts as one retried login`, async () => {
      const { finished, retried, lost, errors } = await visit(ending, ending, USER_ID);
      expect({ finished, retried, lost }).to.deep.equal({ finished: 1, retried: 1, lost: 0 });
      expect(errors).to.deep.equal({ [message]: 2 });
    });
  }

  it('notice when they end up as another user', async () => {
    const { finished, lost, wrongUser } = await visit('open-id-of-person-1');
    expect({ finished, lost, wrongUser }).to.deep.equal({ finished: 0, lost: 0, wrongUser: 1 });
  });

  for (const [title, ending, reason] of [
    ['a page without a user', BLANK, 'no user is logged in, and there was no error'],
    ['a redirect to the sign-in page', SIGNED_OUT, 'no user is logged in, and there was no error'],
    ['no response', NO_RESPONSE, 'socket hang up'],
  ] as const) {
    it(`count a login that ends in ${title} as lost`, async () => {
      const { finished, lost, losses } = await visit(ending, USER_ID);
      expect({ finished, lost }).to.deep.equal({ finished: 0, lost: 1 });
      expect(losses).to.deep.equal([`short-video: ${reason}`]);
    });
  }

  it('count a login that fails in every attempt as lost', async () => {
    const { finished, lost, errors } = await visit(SERVER_ERROR);
    expect({ finished, lost }).to.deep.equal({ finished: 0, lost: 1 });
    expect(errors).to.deep.equal({ 'HTTP 502': 6 });
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
