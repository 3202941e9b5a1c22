import { expect } from 'chai';
import { backendRequests, type Contract, describeEach, isOAuth2 } from '../contract/harness.js';
import type { OAuth2Subject, Subject } from '../contract/strategies.js';
import { Browser } from '../support/browser.js';
import { allow, start } from '../support/journey.js';

const hasEmail = (subject: Subject): subject is OAuth2Subject =>
  isOAuth2(subject) && subject.email !== undefined;

describeEach('the scopes of a login', (contract) => {
  it('C23: the default scope is the smallest that covers the default fields', async () => {
    const { scope, requests, status } = await login(contract, {});
    expect(scope).to.equal(isOAuth2(contract.subject) ? contract.subject.scope : null);
    // The sandbox rejects a field without its scope; a second request with fewer fields would show here.
    expect([status, requests.length]).to.deep.equal([200, isOAuth2(contract.subject) ? 2 : 3]);
  });
});

describeEach(
  'the scope of the e-mail address',
  (contract) => {
    it('C23: includeEmail adds the scope of the e-mail address and nothing else', async () => {
      const { scope, requests, status } = await login(contract, { includeEmail: true });
      expect(scope).to.equal(contract.subject.email?.scope);
      expect([status, requests.length]).to.deep.equal([200, 2]);
    });
  },
  hasEmail,
);

/** Runs a login. @returns The scope that it requested and its requests to the network. */
async function login({ subject, sandbox, strategy, app }: Contract, options: object) {
  const world = await sandbox({});
  const server = await app(strategy(world, options));
  const browser = new Browser();
  const authorization = await start(browser, server, subject.provider);
  const { status } = await browser.get(await allow(browser, authorization));
  const scope = new URL(authorization).searchParams.get('scope');
  return { scope, status, requests: backendRequests(world) };
}
