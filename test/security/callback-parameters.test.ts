import { expect } from 'chai';
import { backendRequests, describeEach, expectRefused, isOAuth1 } from '../contract/harness.js';
import type { Subject } from '../contract/strategies.js';
import { Browser } from '../support/browser.js';
import { withParameters } from '../support/journey.js';

/** Parameters that no authorization response goes without. */
const NEEDED = ['state', 'oauth_token', 'code', 'oauth_verifier'];

describeEach('the parameters of an authorization response', (contract) => {
  const { subject, begin } = contract;

  it('C9: a parameter that comes twice, as an array, as an object or empty is 400, with no request to the network', async () => {
    const { world, browser, callback } = await begin();
    const [at = ''] = callback.split('?');
    const names = [...new URL(callback).searchParams.keys()];
    expect(names).to.have.length.above(1);
    const others = knownParameters(subject).filter((name) => !names.includes(name));
    const spoiled = [
      `${at}?${names.map((name) => `${name}=`).join('&')}`,
      ...others.map((name) => `${callback}&${name}=one&${name}=two`),
    ];
    for (const name of names) {
      const without = withParameters(callback, { [name]: undefined });
      const arrays = [`${name}[]=x`, `${name}[a]=x`, `${name}[]=x&${name}[]=y`];
      spoiled.push(`${callback}&${name}=again`, ...arrays.map((written) => `${without}&${written}`));
      if (NEEDED.includes(name)) spoiled.push(withParameters(callback, { [name]: '' }));
    }
    for (const url of spoiled) await expectRefused(world, () => browser.get(url), 'malformed_response', 400);
    expect((await browser.get(callback)).status).to.equal(200);
  });

  it('C10: no required parameter is read from the body', async () => {
    const { world, browser, callback } = await begin();
    const { origin, pathname, searchParams } = new URL(callback);
    for (const kept of NEEDED.filter((name) => searchParams.has(name))) {
      const body = Object.fromEntries([...searchParams].filter(([name]) => name !== kept));
      const query = new URLSearchParams([[kept, searchParams.get(kept) ?? '']]).toString();
      const url = `${origin}${pathname}?${query}`;
      await expectRefused(world, () => browser.post(url, body), 'method_not_allowed', 405);
    }
    expect((await browser.get(callback)).status).to.equal(200);
  });

  it('C12: a request with a single authorization response parameter is a failure and starts no new login', async () => {
    const { world, callback } = await begin();
    const requests = backendRequests(world);
    const { origin, pathname, searchParams } = new URL(callback);
    for (const name of new Set([...knownParameters(subject), ...searchParams.keys()])) {
      const alone = new URLSearchParams([[name, searchParams.get(name) ?? 'x']]).toString();
      const { status, location } = await new Browser().get(`${origin}${pathname}?${alone}`);
      expect([name, status, location]).to.deep.equal([name, name === 'payload' ? 400 : 403, '']);
    }
    expect(backendRequests(world)).to.deep.equal(requests);
  });

  if (isOAuth1(subject)) return;

  it('C11: an issuer other than the expected one is 403, with no request to the network', async () => {
    for (const iss of ['https://evil.example', 'null', 'https://127.0.0.1', '']) {
      const { world, browser, callback } = await begin();
      await expectRefused(world, () => browser.get(withParameters(callback, { iss })), 'wrong_issuer');
      expect((await browser.get(callback)).json.failure.code).to.equal('unknown_login');
    }
  });

  for (const [title, iss, error_description] of [
    ['C9: an empty error_description does no harm', false, ''],
    ['C11: a response with the right issuer logs in', true, undefined],
    ['C11: a response with no issuer logs in', false, undefined],
  ] as const) {
    it(title, async () => {
      const { world, browser, callback } = await begin();
      const changes = { error_description, iss: iss ? world.url : undefined };
      expect((await browser.get(withParameters(callback, changes))).status).to.equal(200);
    });
  }
});

/** The authorization response parameters that a network documents, or has been seen to send. */
function knownParameters(subject: Subject): readonly string[] {
  if (isOAuth1(subject)) return ['oauth_token', 'oauth_verifier', 'denied'];
  const standard = ['code', 'state', 'error', 'error_description', 'error_uri', 'iss'];
  return [...standard, ...subject.responseParameters];
}
