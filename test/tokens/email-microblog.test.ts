import { expect } from 'chai';
import { MicroblogStrategy, ProviderError } from '../../lib/index.js';
import { startSandbox } from '../../lib/sandbox/index.js';
import { Browser } from '../support/browser.js';
import { closesAfterEach } from '../support/cleanup.js';
import { logIn, start } from '../support/journey.js';
import { type LoginApp, loginApp } from '../support/login-app.js';
import { realSockets } from '../support/real-sockets.js';
import { network, type Reply, type SeenRequest } from '../support/server.js';
import { verifyEmails } from './emails.js';

const GRANTED = 'tweet.read users.read users.email';
const PERSON: Reply = { body: { data: { id: '1', confirmed_email: 'a@example.com' } } };
const NAMELESS: Reply = { body: { data: { id: '1' } } };

describe('includeEmail in microblog 2.0', () => {
  realSockets();
  const close = closesAfterEach();

  async function atSandbox(person: string, options: object): Promise<unknown> {
    const sandbox = close(await startSandbox());
    const strategy = new MicroblogStrategy({ ...sandbox.options('microblog'), ...options }, verifyEmails);
    const page = await logIn(close(await loginApp(strategy)), 'microblog', person);
    expect(page.status).to.equal(200);
    return page.json.user.emails;
  }

  /** An application at a network that grants these scopes, and gives these answers to profile requests. */
  async function played(scope: string | undefined, ...answers: Reply[]) {
    const lookups: SeenRequest[] = [];
    const { url } = close(
      await network((request) => {
        if (request.path === '/token')
          return { body: { access_token: 'TOKEN', token_type: 'bearer', scope } };
        lookups.push(request);
        return answers.shift() ?? { status: 410 };
      }),
    );
    const addresses = {
      authorizationURL: `${url}/authorize`,
      tokenURL: `${url}/token`,
      profileURL: `${url}/me`,
    };
    const strategy = new MicroblogStrategy(
      { clientID: 'CLIENT-ID', ...addresses, includeEmail: true },
      verifyEmails,
    );
    const app = close(await loginApp(strategy));
    return { app, askedForAddress: () => lookups.map(asksForAddress) };
  }

  it('gives the confirmed address, verified', async () => {
    expect(await atSandbox('alice', { includeEmail: true })).to.deep.equal([
      { value: 'alice@example.com', verified: true },
    ]);
  });

  it('gives nothing for a person without an address, who is let in', async () => {
    expect(await atSandbox('ned', { includeEmail: true })).to.equal(undefined);
  });

  it('is off by default', async () => {
    expect(await atSandbox('alice', {})).to.equal(undefined);
  });

  it('asks for scope and field together, in one request', async () => {
    const { app, askedForAddress } = await played(GRANTED, PERSON);
    const authorization = new URL(await start(new Browser(), app, 'microblog'));
    expect(authorization.searchParams.get('scope')).to.equal(GRANTED);
    const page = await comeBack(app);
    expect(page.json.user.emails).to.deep.equal([{ value: 'a@example.com', verified: true }]);
    expect(askedForAddress()).to.deep.equal([true]);
  });

  it('asks for the field only where the scope was granted', async () => {
    const { app, askedForAddress } = await played('tweet.read users.read', NAMELESS);
    expect((await comeBack(app)).json.user).to.deep.equal({});
    expect(askedForAddress()).to.deep.equal([false]);
  });

  it('asks for the field where the answer does not say what was granted', async () => {
    const { app, askedForAddress } = await played(undefined, NAMELESS);
    expect((await comeBack(app)).json.user).to.deep.equal({});
    expect(askedForAddress()).to.deep.equal([true]);
  });

  for (const status of [400, 403]) {
    it(`asks once more without the field when it is refused with ${status}`, async () => {
      const refusal = { status, body: { title: 'Forbidden', detail: 'no e-mail' } };
      const { app, askedForAddress } = await played(GRANTED, refusal, NAMELESS);
      expect((await comeBack(app)).json.user).to.deep.equal({});
      expect(askedForAddress()).to.deep.equal([true, false]);
    });

    it(`fails when it is refused with ${status} without the field, too`, async () => {
      const refusal = { status, body: { title: 'Forbidden' } };
      const { app, askedForAddress } = await played(GRANTED, refusal, refusal, NAMELESS);
      expect((await comeBack(app)).status).to.equal(502);
      expect(askedForAddress()).to.deep.equal([true, false]);
    });

    it(`does not ask again when it is refused with ${status} without having asked for the address`, async () => {
      const refusal = { status, body: { title: 'Forbidden' } };
      const { app, askedForAddress } = await played('tweet.read users.read', refusal, NAMELESS);
      expect((await comeBack(app)).status).to.equal(502);
      expect(askedForAddress()).to.deep.equal([false]);
    });
  }

  for (const [status, answered] of [
    [401, 502],
    [402, 502],
    [404, 502],
    [429, 503],
    [500, 502],
    [503, 502],
  ] as const) {
    it(`does not ask again when it is refused with ${status}`, async () => {
      const { app, askedForAddress } = await played(GRANTED, { status, body: { title: 'No' } }, NAMELESS);
      expect((await comeBack(app)).status).to.equal(answered);
      expect(askedForAddress()).to.deep.equal([true]);
      expect(app.endings[0]?.error).to.be.instanceOf(ProviderError);
    });
  }
});

/** Comes back from the played network. */
async function comeBack(app: LoginApp) {
  const browser = new Browser();
  const state = new URL(await start(browser, app, 'microblog')).searchParams.get('state') ?? '';
  return browser.get(`${app.url}/api/auth/callback/microblog?code=THE-CODE&state=${state}`);
}

function asksForAddress({ query }: SeenRequest): boolean {
  return query.get('user.fields')?.split(',').includes('confirmed_email') ?? false;
}
