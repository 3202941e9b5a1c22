import type { RequestListener, ServerResponse } from 'node:http';
import { expect } from 'chai';
import type * as Journeys from '../../../examples/cluster/journeys.js';
import type * as Visitors from '../../../examples/cluster/visitors.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { serve } from '../../support/server.js';
import { load } from './modules.js';

/** What an application of a test answers to one attempt: the identifier that it shows, or a whole answer. */
type Ending = string | ((response: ServerResponse) => void);

const PERSON = 'open-id-of-person-0';

const SERVER_ERROR: Ending = (response) => response.writeHead(502).end();
const BLANK: Ending = (response) => response.end('<p>Welcome</p>');
const NOBODY: Ending = (response) => response.writeHead(302, { location: '/signin' }).end();
const NO_ANSWER: Ending = (response) => response.destroy();
const CUT_OFF: Ending = (response) => {
  response.writeHead(200, { 'content-length': '100' }).write('<p>', () => response.destroy());
};

describe('the visitors of the cluster example', () => {
  const opened = closesAfterEach();

  /** One person logs in at an application whose attempts end so. */
  async function visit(...endings: readonly Ending[]): Promise<Visitors.Tally> {
    const { Visitors: People } = await load<typeof Visitors>('visitors.js');
    const { LOGIN_JOURNEY } = await load<typeof Journeys>('journeys.js');
    const app = opened(await serve(application(endings)));
    const visitors = new People(LOGIN_JOURNEY, app.url, 0);
    await visitors.come(1, () => visitors.tally.tried === 1);
    return visitors.tally;
  }

  it('finish a login in which they are known afterwards', async () => {
    const { tried, finished, retried, lost, wrongPerson } = await visit(PERSON);
    expect({ tried, finished, retried, lost, wrongPerson }).to.deep.equal({
      tried: 1,
      finished: 1,
      retried: 0,
      lost: 0,
      wrongPerson: 0,
    });
  });

  for (const [title, ending, message] of [
    ['an error page', SERVER_ERROR, 'HTTP 502'],
    ['an answer that breaks off', CUT_OFF, 'answer cut off'],
  ] as const) {
    it(`begin anew after ${title}, once in the count`, async () => {
      const { finished, retried, lost, errors } = await visit(ending, ending, PERSON);
      expect({ finished, retried, lost }).to.deep.equal({ finished: 1, retried: 1, lost: 0 });
      expect(errors).to.deep.equal({ [message]: 2 });
    });
  }

  it('notice when they come out as somebody else', async () => {
    const { finished, lost, wrongPerson } = await visit('open-id-of-person-1');
    expect({ finished, lost, wrongPerson }).to.deep.equal({ finished: 0, lost: 0, wrongPerson: 1 });
  });

  for (const [title, ending, reason] of [
    ['a page that names nobody', BLANK, 'nobody is logged in, and there was no error'],
    ['a redirect to the beginning', NOBODY, 'nobody is logged in, and there was no error'],
    ['no answer', NO_ANSWER, 'socket hang up'],
  ] as const) {
    it(`count a login that ends in ${title} as lost`, async () => {
      const { finished, lost, losses } = await visit(ending, PERSON);
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

/** An application that plays the network, too; the last ending is that of all further attempts. */
function application(endings: readonly Ending[]): RequestListener {
  let attempts = 0;
  return (request, response) => {
    const [, port] = String(request.headers.host).split(':');
    const redirect = (host: string, path: string) =>
      response.writeHead(302, { location: `http://${host}:${port}${path}` }).end();
    const { pathname } = new URL(request.url ?? '', 'http://application.invalid');
    // By another name, as networks have one: an address of the application itself means that somebody is logged in.
    if (pathname.startsWith('/api/auth/signin/')) return redirect('localhost', '/network?state=1');
    if (pathname === '/network') return redirect('127.0.0.1', '/callback');
    if (pathname === '/callback') return redirect('127.0.0.1', '/profile');
    const ending = endings[Math.min(attempts, endings.length - 1)] ?? BLANK;
    attempts += 1;
    if (typeof ending === 'string') response.end(`<code id="identifier">${ending}</code>`);
    else ending(response);
  };
}
