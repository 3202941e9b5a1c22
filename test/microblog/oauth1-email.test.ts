import { expect } from 'chai';
import { MicroblogStrategy, ShortVideoStrategy, SocialNetworkStrategy } from '../../lib/index.js';
import { startSandbox } from '../../sandbox/lib/index.js';
import { Browser } from '../support/browser.js';
import { closesAfterEach } from '../support/cleanup.js';
import { logIn, start } from '../support/journey.js';
import { loginApp, type NamedStrategy } from '../support/login-app.js';
import { realSockets } from '../support/real-sockets.js';
import { network } from '../support/server.js';
import { thrownBy } from '../support/thrown.js';
import { verifyEmails } from './emails.js';

describe('includeEmail', () => {
  realSockets();
  const close = closesAfterEach();

  async function emailsOf(strategy: NamedStrategy, person: string): Promise<unknown> {
    const page = await logIn(close(await loginApp(strategy)), strategy.name, person);
    expect(page.status).to.equal(200);
    return page.json.user.emails;
  }

  describe('in microblog 1.0', () => {
    async function atSandbox(person: string, options: object): Promise<unknown> {
      const sandbox = close(await startSandbox());
      const known = sandbox.options('microblog', { version: '1.0' });
      return emailsOf(new MicroblogStrategy({ ...known, ...options }, verifyEmails), person);
    }

    /** The profile from a record with this e-mail address, and the query of its request. */
    async function emailsFor(email: unknown, includeEmail: boolean) {
      const server = close(await network(() => ({ body: { id_str: '1', email } })));
      const strategy = new MicroblogStrategy(
        {
          version: '1.0',
          consumerKey: 'KEY',
          consumerSecret: 'SECRET',
          profileURL: `${server.url}/me?include_entities=true`,
          includeEmail,
        },
        verifyEmails,
      );
      const profile = await new Promise<{ emails?: unknown }>((resolve, reject) => {
        strategy.userProfile('TOKEN', 'TOKEN-SECRET', {}, (error, found) =>
          found ? resolve(found) : reject(error),
        );
      });
      return { profile, query: Object.fromEntries(server.requests[0]?.query ?? []) };
    }

    it('the confirmed e-mail address is verified', async () => {
      expect(await atSandbox('alice', { includeEmail: true })).to.deep.equal([
        { value: 'alice@example.com', verified: true },
      ]);
    });

    it('a user without a confirmed e-mail address still logs in', async () => {
      expect(await atSandbox('ned', { includeEmail: true })).to.equal(undefined);
    });

    it('is off by default', async () => {
      expect(await atSandbox('alice', {})).to.equal(undefined);
    });

    for (const [what, email] of [
      ['null', null],
      ['absent', undefined],
      ['empty', ''],
    ] as const) {
      it(`the profile has no emails if the record's e-mail address is ${what}`, async () => {
        expect((await emailsFor(email, true)).profile).not.to.have.property('emails');
      });
    }

    it('the profile request adds include_email=true to the query of profileURL', async () => {
      const { profile, query } = await emailsFor('a@example.com', true);
      expect(query).to.deep.equal({ include_entities: 'true', skip_status: 'true', include_email: 'true' });
      expect(profile.emails).to.deep.equal([{ value: 'a@example.com', verified: true }]);
    });

    it('the profile request does not ask for the e-mail address if includeEmail is off', async () => {
      expect((await emailsFor(undefined, false)).query).to.deep.equal({
        include_entities: 'true',
        skip_status: 'true',
      });
    });
  });

  describe('in the classic social network', () => {
    async function atSandbox(person: string, options: object): Promise<unknown> {
      const sandbox = close(await startSandbox());
      const known = sandbox.options('social-network');
      return emailsOf(new SocialNetworkStrategy({ ...known, ...options }, verifyEmails), person);
    }

    it('the e-mail address has no verified field', async () => {
      expect(await atSandbox('alice', { includeEmail: true })).to.deep.equal([
        { value: 'alice@example.com' },
      ]);
    });

    it('a user without an e-mail address still logs in', async () => {
      expect(await atSandbox('ned', { includeEmail: true })).to.equal(undefined);
    });

    it('is off by default', async () => {
      expect(await atSandbox('alice', {})).to.equal(undefined);
    });

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

  it('the short-video network has no e-mail address, so the option is a TypeError', () => {
    const options = { clientID: 'KEY', clientSecret: 'SECRET', includeEmail: true };
    const error = thrownBy(() => new ShortVideoStrategy(options, verifyEmails));
    expect(error).to.be.instanceOf(TypeError);
    expect((error as TypeError).message).to.equal(
      'ShortVideoStrategy: option includeEmail is not taken: the short-video network has no e-mail address to give.',
    );
  });
});
