import { expect } from 'chai';
import { RefusedError } from '../../lib/index.js';
import { backendRequests, type Contract, describeEach, isOAuth1, isOAuth2 } from '../contract/harness.js';
import { attempt, fakeRequest } from '../support/attempt.js';
import { Browser } from '../support/browser.js';
import { allow, deny, start } from '../support/journey.js';

/** Strings that must not be shown unchanged, with what may remain of them. */
const NASTY: Readonly<Record<string, readonly [sent: string, shown: string | undefined]>> = {
  'control characters': ['a\u0000b\r\nSet-Cookie: x=1\u001b[31m', 'ab  Set-Cookie: x=1[31m'],
  markup: ['<script>alert(1)</script>', '<script>alert(1)</script>'],
  'characters that turn the reading direction': ['abc\u202Edcba\u2066', 'abcdcba'],
  'nothing but invisible characters': ['\u200b\u00ad\ufe0f', undefined],
  'seven thousand characters': ['a word '.repeat(1_000), `${'a word '.repeat(43).slice(0, 299)}…`],
};

describeEach(
  'an error in an authorization response',
  (contract) => {
    it('C7: an error without a state, or with a wrong one, belongs to no login', async () => {
      const { world, browser, server, state } = await pendingState(contract);
      const at = `${server.url}/api/auth/callback/${contract.subject.provider}`;
      for (const query of ['error=access_denied', 'error=access_denied&state=wrong', 'error=server_error']) {
        const page = await browser.get(`${at}?${query.toString()}`);
        expect([page.status, page.json.failure.code]).to.deep.equal([403, 'unknown_login']);
      }
      const denied = await browser.get(`${at}?error=access_denied&state=${state}`);
      expect([denied.status, denied.json.failure.code]).to.deep.equal([401, 'access_denied']);
      expect(backendRequests(world)).to.deep.equal([]);
    });

    it('C7: an error with the state of a used login fails as any other response to it', async () => {
      const { browser, server, authorization, state } = await pendingState(contract);
      expect((await browser.get(await allow(browser, authorization))).status).to.equal(200);
      const at = `${server.url}/api/auth/callback/${contract.subject.provider}`;
      for (const query of ['error=access_denied', 'error=server_error', 'code=another']) {
        const page = await browser.get(`${at}?${query}&state=${state}`);
        expect([page.status, page.json.failure.code]).to.deep.equal([403, 'used_login']);
      }
    });

    for (const [title, [text, shown]] of Object.entries(NASTY)) {
      it(`C8: ${title} in an error response change no message, and are truncated and cleaned in the error's fields`, async () => {
        const { browser, server, state } = await pendingState(contract);
        const query = new URLSearchParams({ error: text, error_description: text, state });
        const page = await browser.get(
          `${server.url}/api/auth/callback/${contract.subject.provider}?${query.toString()}`,
        );
        expect(page.status).to.equal(502);
        expect(page.json.message).to.equal(
          `${contract.subject.provider}, authorization: the network refused without a reason.`,
        );
        const { error } = server.endings.at(-1) as { error: RefusedError };
        expect(error).to.be.instanceOf(RefusedError);
        expect([error.networkMessage, error.networkCode]).to.deep.equal([shown, shown]);
      });
    }
  },
  isOAuth2,
);

describeEach(
  'a declined login in an authorization response',
  (contract) => {
    it('C7: denied with an unknown request token belongs to no login', async () => {
      const world = await contract.sandbox();
      const server = await contract.app(contract.strategy(world));
      const browser = new Browser();
      const denial = await deny(browser, await start(browser, server, contract.subject.provider));
      const at = `${server.url}/api/auth/callback/${contract.subject.provider}`;
      const requests = backendRequests(world);
      const wrong = await browser.get(`${at}?denied=wrong`);
      expect([wrong.status, wrong.json.failure.code]).to.deep.equal([403, 'unknown_login']);
      const denied = await browser.get(denial);
      expect([denied.status, denied.json.failure.code]).to.deep.equal([401, 'access_denied']);
      expect(backendRequests(world)).to.deep.equal(requests);
    });
  },
  isOAuth1,
);

describeEach('an authorization response that is too long', ({ subject, sandbox, strategy }) => {
  it('C8, C9: a parameter of one megabyte is a failure and is not echoed', async () => {
    const made = strategy(await sandbox());
    const names = subject.oauth === '2.0' ? ['code', 'state', 'error', 'error_description'] : ['denied'];
    for (const name of names) {
      const request = fakeRequest(`/callback?${name}=${'<'.repeat(1_048_576)}`);
      const ending = await attempt(made, request);
      expect(ending.status).to.equal(400);
      expect(ending.failure).to.deep.equal({
        code: 'malformed_response',
        message: `The callback's parameter ${name} was sent twice, is empty, is too long or is not a string. Start the login again.`,
      });
    }
  });
});

/** Starts a login. @returns Its browser and its state. */
async function pendingState({ subject, sandbox, strategy, app }: Contract) {
  const world = await sandbox();
  const server = await app(strategy(world));
  const browser = new Browser();
  const authorization = await start(browser, server, subject.provider);
  return {
    world,
    server,
    browser,
    authorization,
    state: new URL(authorization).searchParams.get('state') ?? '',
  };
}
