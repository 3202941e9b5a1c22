import { expect } from 'chai';
import { RefusedError } from '../../lib/index.js';
import { backendRequests, describeEach, expectRefused, isOAuth1 } from '../contract/harness.js';
import { type Subject, subjects } from '../contract/strategies.js';
import { attempt, fakeRequest } from '../support/attempt.js';
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

  it('C12, C30: a request with a single parameter of any network’s authorization response is a failure and starts no new login', async () => {
    const { world, callback } = await begin();
    const requests = backendRequests(world);
    const { origin, pathname, searchParams } = new URL(callback);
    const own = [...knownParameters(subject), ...searchParams.keys()];
    // These two of VK ID may mean anything at another network.
    const others = subjects().flatMap(knownParameters);
    const telling = others.filter((name) => name !== 'type' && name !== 'expires_in');
    for (const name of new Set([...own, ...telling])) {
      const alone = new URLSearchParams([[name, searchParams.get(name) ?? 'x']]).toString();
      const { status, location } = await new Browser().get(`${origin}${pathname}?${alone}`);
      const isMalformed = name === 'payload' && own.includes(name);
      expect([name, status, location]).to.deep.equal([name, isMalformed ? 400 : 403, '']);
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

/** Strings that must not be shown unchanged, with what may remain of them. */
const NASTY: Readonly<Record<string, readonly [sent: string, shown: string | undefined]>> = {
  'control characters': ['a\u0000b\r\nSet-Cookie: x=1\u001b[31m', 'ab  Set-Cookie: x=1[31m'],
  'nothing but invisible characters': ['\u200b\u00ad\ufe0f', undefined],
};

describeEach('an error in an authorization response', (contract) => {
  const { subject, begin } = contract;
  const { provider } = subject;

  /** A pending login that has not been used, and what a callback with a query ends with. */
  async function pending() {
    const begun = await begin();
    const { server, browser } = begun;
    const answer = async (query: string) => {
      const { status, json } = await browser.get(`${server.url}/api/auth/callback/${provider}?${query}`);
      return [status, json.failure?.code ?? json.message];
    };
    const { searchParams } = new URL(begun.callback);
    const state = searchParams.get('state') ?? searchParams.get('oauth_token') ?? '';
    return { ...begun, state, answer, requests: backendRequests(begun.world) };
  }

  if (isOAuth1(subject)) {
    it('C7: denied with an unknown request token belongs to no login', async () => {
      const other = await pending();
      const { world, state, answer, requests } = await pending();
      expect(await answer('denied=wrong')).to.deep.equal([403, 'unknown_login']);
      expect(await answer(`denied=${state}`)).to.deep.equal([401, 'access_denied']);
      const both = `oauth_token=${other.state}&oauth_verifier=x&denied=wrong`;
      expect(await other.answer(both)).to.deep.equal([401, 'access_denied']);
      expect(backendRequests(world)).to.deep.equal(requests);
    });
    return;
  }

  it('C7: an error with the state of a used login fails as any other response to it', async () => {
    const { browser, callback, state, answer } = await pending();
    expect((await browser.get(callback)).status).to.equal(200);
    for (const query of ['error=access_denied', 'error=server_error', 'code=another'])
      expect(await answer(`${query}&state=${state}`)).to.deep.equal([403, 'used_login']);
  });

  it('C8: the words of an error response, which anyone can write, mean nothing without a known code', async () => {
    for (const words of ['temporarily locked', 'wrong domain', 'try again later', 'user is blocked']) {
      const { server, state, answer } = await pending();
      await answer(String(new URLSearchParams({ error: 'x', error_description: words, state })));
      const { error } = server.endings.at(-1) ?? {};
      expect(error, words).to.include({ name: 'RefusedError', status: 502 }).and.not.have.property('means');
    }
  });

  for (const [title, [text, shown]] of Object.entries(NASTY)) {
    it(`C8: ${title} in an error response change no message, and are truncated and cleaned in the error's fields`, async () => {
      const { server, state, answer } = await pending();
      const query = new URLSearchParams({ error: text, error_description: text, state });
      const reason =
        shown === undefined ? ' without a reason' : '; networkCode and networkMessage have its reason';
      const message = `${provider}, authorization: the network refused${reason}.`;
      expect(await answer(query.toString())).to.deep.equal([502, message]);
      const { error } = server.endings.at(-1) as { error: RefusedError };
      expect(error).to.be.instanceOf(RefusedError);
      expect([error.networkMessage, error.networkCode]).to.deep.equal([shown, shown]);
    });
  }
});

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
