import { expect } from 'chai';
import { MicroblogStrategy, ProviderError } from '../../lib/index.js';
import { Browser } from '../support/browser.js';
import { closesAfterEach } from '../support/cleanup.js';
import { start } from '../support/journey.js';
import { type LoginApp, loginApp } from '../support/login-app.js';
import { realSockets } from '../support/real-sockets.js';
import { network, type Reply, type SeenRequest } from '../support/server.js';
import { verifyEmails } from '../support/verification.js';

const GRANTED = 'tweet.read users.read users.email';
const USER: Reply = { body: { data: { id: '1', confirmed_email: 'a@example.com' } } };
const USER_WITHOUT_EMAIL: Reply = { body: { data: { id: '1' } } };

describe('includeEmail in microblog 2.0', () => {
  realSockets();
  const close = closesAfterEach();

  /** An application with a network that grants these scopes and gives these responses to profile requests. */
  async function played(scope: string | undefined, ...responses: Reply[]) {
    const lookups: SeenRequest[] = [];
    const { url } = close(
      await network((request) => {
        if (request.path === '/token')
          return { body: { access_token: 'TOKEN', token_type: 'bearer', scope } };
        lookups.push(request);
        return responses.shift() ?? { status: 410 };
      }),
    );
    const urlOptions = {
      authorizationURL: `${url}/authorize`,
      tokenURL: `${url}/token`,
      profileURL: `${url}/me`,
    };
    const strategy = new MicroblogStrategy(
      { clientID: 'CLIENT-ID', clientSecret: 'CLIENT-SECRET', ...urlOptions, includeEmail: true },
      verifyEmails,
    );
    const app = close(await loginApp(strategy));
    return { app, askedForEmail: () => lookups.map(asksForEmail) };
  }

  it('the login requests the scope, and one profile request asks for the field', async () => {
    const { app, askedForEmail } = await played(GRANTED, USER);
    const authorization = new URL(await start(new Browser(), app, 'microblog'));
    expect(authorization.searchParams.get('scope')).to.equal(GRANTED);
    const page = await comeBack(app);
    expect(page.json.user.emails).to.deep.equal([{ value: 'a@example.com', verified: true }]);
    expect(askedForEmail()).to.deep.equal([true]);
  });

  it('the field is requested only if the scope was granted', async () => {
    const { app, askedForEmail } = await played('tweet.read users.read', USER_WITHOUT_EMAIL);
    expect((await comeBack(app)).json.user).to.deep.equal({});
    expect(askedForEmail()).to.deep.equal([false]);
  });

  it('the field is requested if the token response does not say what was granted', async () => {
    const { app, askedForEmail } = await played(undefined, USER_WITHOUT_EMAIL);
    expect((await comeBack(app)).json.user).to.deep.equal({});
    expect(askedForEmail()).to.deep.equal([true]);
  });

  for (const status of [400, 403]) {
    it(`a profile request that is rejected with ${status} is repeated without the field`, async () => {
      const rejection = { status, body: { title: 'Forbidden', detail: 'no e-mail' } };
      const { app, askedForEmail } = await played(GRANTED, rejection, USER_WITHOUT_EMAIL);
      expect((await comeBack(app)).json.user).to.deep.equal({});
      expect(askedForEmail()).to.deep.equal([true, false]);
    });

    it(`the login fails if the request without the field is rejected with ${status} too`, async () => {
      const rejection = { status, body: { title: 'Forbidden' } };
      const { app, askedForEmail } = await played(GRANTED, rejection, rejection, USER_WITHOUT_EMAIL);
      expect((await comeBack(app)).status).to.equal(502);
      expect(askedForEmail()).to.deep.equal([true, false]);
    });

    it(`a profile request without the field is not repeated after ${status}`, async () => {
      const rejection = { status, body: { title: 'Forbidden' } };
      const { app, askedForEmail } = await played('tweet.read users.read', rejection, USER_WITHOUT_EMAIL);
      expect((await comeBack(app)).status).to.equal(502);
      expect(askedForEmail()).to.deep.equal([false]);
    });
  }

  for (const [status, expected] of [
    [401, 502],
    [402, 502],
    [404, 502],
    [429, 503],
    [500, 502],
    [503, 502],
  ] as const) {
    it(`a profile request that is rejected with ${status} is not repeated`, async () => {
      const { app, askedForEmail } = await played(
        GRANTED,
        { status, body: { title: 'No' } },
        USER_WITHOUT_EMAIL,
      );
      expect((await comeBack(app)).status).to.equal(expected);
      expect(askedForEmail()).to.deep.equal([true]);
      expect(app.endings[0]?.error).to.be.instanceOf(ProviderError);
    });
  }
});

/** Returns from the simulated network to the callback route. */
async function comeBack(app: LoginApp) {
  const browser = new Browser();
  const state = new URL(await start(browser, app, 'microblog')).searchParams.get('state') ?? '';
  return browser.get(`${app.url}/api/auth/callback/microblog?code=THE-CODE&state=${state}`);
}

function asksForEmail({ query }: SeenRequest): boolean {
  return query.get('user.fields')?.split(',').includes('confirmed_email') ?? false;
}
