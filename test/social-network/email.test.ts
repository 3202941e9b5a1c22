import { expect } from 'chai';
import { SocialNetworkStrategy } from '../../lib/index.js';
import { Browser } from '../support/browser.js';
import { closesAfterEach } from '../support/cleanup.js';
import { start } from '../support/journey.js';
import { loginApp } from '../support/login-app.js';
import { realSockets } from '../support/real-sockets.js';
import { network } from '../support/server.js';
import { verifyEmails } from '../support/verification.js';

describe('includeEmail in the classic social network', () => {
  realSockets();
  const close = closesAfterEach();

  it('the e-mail address comes from the token response, never from the record', async () => {
    const found: unknown[] = [];
    for (const email of ['token@example.com', '', undefined]) {
      const server = close(
        await network(({ path }) =>
          path === '/token'
            ? { body: { access_token: 'TOKEN', user_id: 1, expires_in: 0, email } }
            : { body: { response: [{ id: 1, first_name: 'A', email: 'record@example.com' }] } },
        ),
      );
      const { url } = server;
      const strategy = new SocialNetworkStrategy(
        {
          clientID: '1',
          clientSecret: 'SECRET',
          authorizationURL: `${url}/authorize`,
          tokenURL: `${url}/token`,
          profileURL: `${url}/users.get`,
          includeEmail: true,
        },
        verifyEmails,
      );
      const app = close(await loginApp(strategy));
      const browser = new Browser();
      const state = new URL(await start(browser, app, 'social-network')).searchParams.get('state') ?? '';
      const callback = `${app.url}/api/auth/callback/social-network?code=THE-CODE&state=${state}`;
      found.push((await browser.get(callback)).json.user);
    }
    expect(found).to.deep.equal([{ emails: [{ value: 'token@example.com' }] }, {}, {}]);
  });
});
