import { expect } from 'chai';
import {
  backendRequests,
  type Contract,
  describeEach,
  expectRefused,
  isOAuth1,
  isOAuth2,
} from '../contract/harness.js';
import type { Subject } from '../contract/strategies.js';
import { attempt, fakeRequest } from '../support/attempt.js';
import { Browser } from '../support/browser.js';
import { allow, callbackOf, withParameters } from '../support/journey.js';

/** Parameters that no authorization response goes without. */
const NEEDED = ['state', 'oauth_token', 'code', 'oauth_verifier'];

describeEach('the parameters of an authorization response', (contract) => {
  it('C9: a parameter that comes twice, as an array, as an object or empty is 400, with no request to the network', async () => {
    const { world, browser, callback } = await pendingCallback(contract);
    const names = [...callback.searchParams.keys()];
    expect(names).to.have.length.above(1);
    const empty = names.map((name) => `${name}=`).join('&');
    const spoiled = [`${callback.origin}${callback.pathname}?${empty}`];
    for (const name of names) {
      const others = withParameters(callback.href, { [name]: undefined });
      const arrays = [`${name}[]=x`, `${name}[a]=x`, `${name}[]=x&${name}[]=y`];
      spoiled.push(`${callback.href}&${name}=again`, ...arrays.map((written) => `${others}&${written}`));
      if (NEEDED.includes(name)) spoiled.push(withParameters(callback.href, { [name]: '' }));
    }
    for (const url of spoiled) await expectRefused(world, () => browser.get(url), 'malformed_response', 400);
    expect((await browser.get(callback.href)).status).to.equal(200);
  });

  it('C10: no required parameter is read from the body', async () => {
    for (const kept of NEEDED) {
      const { world, browser, callback } = await pendingCallback(contract);
      if (!callback.searchParams.has(kept)) continue;
      const body = Object.fromEntries([...callback.searchParams].filter(([name]) => name !== kept));
      const query = `${callback.origin}${callback.pathname}?${kept}=${encodeURIComponent(callback.searchParams.get(kept) ?? '')}`;
      await expectRefused(world, () => browser.post(query, body), 'method_not_allowed', 405);
    }
  });

  it('C10: a body that the application has parsed is not read', async () => {
    const { sandbox, strategy } = contract;
    const world = await sandbox();
    const made = strategy(world);
    const start = new URL((await attempt(made)).redirect ?? '');
    const callback = new URL(await allow(new Browser(), start.href));
    const body = Object.fromEntries(callback.searchParams);
    const requests = backendRequests(world);
    const request = Object.assign(fakeRequest('/callback'), { method: 'POST', body, query: {} });
    // Without a query, the request starts a new login.
    const { redirect = '' } = await attempt(made, request);
    expect(redirect).to.include(`${start.origin}${start.pathname}?`);
    expect(redirect).to.not.include(body.state ?? body.oauth_token);
    expect(backendRequests(world).slice(requests.length)).to.not.include('token');
  });

  it('C12: a request with a single authorization response parameter is a failure and starts no new login', async () => {
    const { world, callback } = await pendingCallback(contract);
    const requests = backendRequests(world);
    const names = new Set([...knownParameters(contract.subject), ...callback.searchParams.keys()]);
    for (const name of names) {
      const value = callback.searchParams.get(name) ?? 'x';
      const alone = `${callback.origin}${callback.pathname}?${name}=${encodeURIComponent(value)}`;
      const page = await new Browser().get(alone);
      expect([name, page.status, page.location]).to.deep.equal([name, name === 'payload' ? 400 : 403, '']);
    }
    expect(backendRequests(world)).to.deep.equal(requests);
  });
});

describeEach(
  'the optional parameters of an authorization response',
  (contract) => {
    it('C11: an issuer other than the expected one is 403, with no request to the network', async () => {
      for (const iss of ['https://evil.example', 'null', 'https://127.0.0.1', '']) {
        const { world, browser, callback } = await pendingCallback(contract);
        await expectRefused(world, () => browser.get(withParameters(callback.href, { iss })), 'wrong_issuer');
        expect((await browser.get(callback.href)).json.failure.code).to.equal('unknown_login');
      }
    });

    it('C9: an empty error_description does no harm', async () => {
      const { browser, callback } = await pendingCallback(contract);
      const { status } = await browser.get(withParameters(callback.href, { error_description: '' }));
      expect(status).to.equal(200);
    });

    it('C11: a response with the right issuer, or with none, logs in', async () => {
      const { world, browser, callback } = await pendingCallback(contract);
      expect((await browser.get(withParameters(callback.href, { iss: world.url }))).status).to.equal(200);
      const other = await pendingCallback(contract);
      expect((await other.browser.get(other.callback.href)).status).to.equal(200);
    });
  },
  isOAuth2,
);

/** Starts a login. @returns Its browser and an authorization response that would log in. */
async function pendingCallback({ subject, sandbox, strategy, app }: Contract) {
  const world = await sandbox();
  const server = await app(strategy(world));
  const browser = new Browser();
  const callback = new URL(await callbackOf(browser, server, subject.provider));
  return { world, browser, callback };
}

/** The authorization response parameters that a network documents, or has been seen to send. */
function knownParameters(subject: Subject): readonly string[] {
  if (isOAuth1(subject)) return ['oauth_token', 'oauth_verifier', 'denied'];
  const standard = ['code', 'state', 'error', 'error_description', 'error_uri', 'iss'];
  return [...standard, ...subject.responseParameters];
}
