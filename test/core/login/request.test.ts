import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import { LoginFailure } from '../../../lib/core/errors/index.js';
import {
  keepHeaders,
  keepPrivate,
  LONGEST_PARAMETER,
  readAuthorizationResponse,
  requireNavigation,
  responseOf,
} from '../../../lib/core/login/index.js';
import { exposeResponse } from '../../../lib/index.js';
import { thrownBy } from '../../support/thrown.js';

const NAMES = ['code', 'state', 'error', 'error_description', 'scopes'];
const REQUIRED = ['code', 'state', 'error'];
const read = (query: unknown, more: object = {}) =>
  readAuthorizationResponse({ query, ...more }, new Set(NAMES), REQUIRED);

/** The code and status of the LoginFailure that is thrown. */
function failureOf(code: () => unknown): [code: string, status: number] {
  const failure = thrownBy(code) as LoginFailure;
  expect(failure).to.be.instanceOf(LoginFailure);
  return [failure.code, failure.status];
}

describe('authorization response', () => {
  it('has the parameters that the network may send; those of the application are ignored', () => {
    expect(read({ code: 'c', state: 's' })).to.deep.equal({ code: 'c', state: 's' });
    expect(read({ code: 'c', utm_source: ['x', 'y'], lang: 'ru' })).to.deep.equal({ code: 'c' });
    for (const name of NAMES) expect(read({ [name]: 'x' }), `C12: ${name}`).to.deep.equal({ [name]: 'x' });
  });

  it('is absent if none of them came, or if they came in the body: the request starts a login', () => {
    const polluted: unknown = JSON.parse('{"__proto__":{"code":"c"}}');
    for (const query of [{}, { lang: 'ru' }, { constructor: 'x', toString: 'y' }, polluted]) {
      expect(read(query)).to.equal(undefined);
    }
    expect(read({}, { body: { code: 'c', state: 's' } }), 'C10').to.equal(undefined);
  });

  it('C8, C9: is malformed if a parameter comes twice, is no string, is empty or too long, which names the parameter only', () => {
    expect(LONGEST_PARAMETER).to.equal(8_192);
    expect(read({ code: 'c'.repeat(8_192) })?.code).to.have.length(8_192);
    const malformed: [object, string][] = [
      [{ code: ['a', 'b'] }, 'code'],
      [{ code: ['a'] }, 'code'],
      [{ 'state[]': 'x' }, 'state'],
      [{ 'state[a][b]': 'x' }, 'state'],
      [{ state: { a: 'x' } }, 'state'],
      [{ code: 'a', error_description: ['x', 'y'] }, 'error_description'],
      [{ code: 'c'.repeat(8_193) }, 'code'],
      [{ code: 'c', error_description: 'd'.repeat(1_000_000) }, 'error_description'],
      ...REQUIRED.map((name): [object, string] => [{ [name]: '' }, name]),
      ...[null, undefined, 1, true, {}].map((code): [object, string] => [{ code }, 'code']),
    ];
    for (const [query, name] of malformed) {
      expect(failureOf(() => read(query))).to.deep.equal(['malformed_response', 400]);
      expect((thrownBy(() => read(query)) as Error).message).to.equal(
        `The callback's parameter ${name} was sent twice, is empty, is too long or is not a string. Start the login again.`,
      );
    }
    const optional = { code: 'c', error_description: '', scopes: '' };
    expect(read(optional)).to.deep.equal(optional);
  });

  it('is read from the URL if the framework does not parse the query, or leaves it empty', () => {
    for (const query of [undefined, {}]) {
      const readURL = (url?: string) => read(query, { url });
      expect(readURL('/callback?code=a%2Ab&state=s&x=1')).to.deep.equal({ code: 'a*b', state: 's' });
      expect(readURL('/callback?code=a&state=s?t')).to.deep.equal({ code: 'a', state: 's?t' });
      expect(readURL('//evil.example/callback?code=a')).to.deep.equal({ code: 'a' });
      for (const url of ['/callback', undefined]) expect(readURL(url)).to.equal(undefined);
      expect(failureOf(() => readURL('/callback?code=a&code=b'))[0]).to.equal('malformed_response');
    }
    expect(read({ code: 'parsed' }, { url: '/callback?code=a' })).to.deep.equal({ code: 'parsed' });
  });
});

/** A response that notes every call. */
function noting(names: readonly string[], more: object = {}) {
  const calls: string[] = [];
  const note = (name: string) => [name, (...args: string[]) => void calls.push([name, ...args].join(' '))];
  return { calls, ...(Object.fromEntries(names.map(note)) as object), ...more };
}

describe('a start without fetch metadata, as over plain http', () => {
  const at = (headers: Record<string, string>) =>
    requireNavigation({ headers: { host: 'shop.example', ...headers } });

  it('C34: comes from another site if the referrer or the origin says so, or the browser says something unknown', () => {
    expect(at({ referer: 'http://evil.example/page' })).to.equal(true);
    expect(at({ 'sec-fetch-site': 'Cross-Site' })).to.equal(true);
    expect(at({ referer: 'http://shop.example/sign-in' })).to.equal(false);
    expect(at({})).to.equal(false);
  });

  it('C33: over HTTP/2 the host is in :authority; a program may send no headers at all', () => {
    const headers = { ':authority': 'a.example', origin: 'https://a.example' };
    for (const request of [{ method: 'POST', headers }, {}])
      expect(requireNavigation(request)).to.equal(false);
  });
});

describe('the response to a request', () => {
  const NODE = ['setHeader', 'appendHeader'];

  it('in Express is Node’s own, and cookies are appended', () => {
    const res = noting([...NODE, 'header']);
    const response = responseOf({ res });
    response?.set('A', 'b');
    response?.addCookie('c=d');
    expect(res.calls).to.deep.equal(['setHeader A b', 'appendHeader Set-Cookie c=d']);
  });

  it('in Koa is the one of the context, because req.res can only replace headers', () => {
    const standIn = noting(['setHeader']);
    const res = noting(NODE);
    responseOf({ res: standIn, ctx: { res } })?.addCookie('c=d');
    expect([standIn.calls, res.calls]).to.deep.equal([[], ['appendHeader Set-Cookie c=d']]);
  });

  it('elsewhere is what exposeResponse puts at req.res; the method header of Fastify sets and appends', () => {
    const res = noting(['header'], { sent: false });
    const req = {};
    let calls = 0;
    exposeResponse(req, res, () => {
      calls += 1;
    });
    expect(calls).to.equal(1);
    const response = responseOf(req);
    response?.set('A', 'b');
    response?.addCookie('c=d');
    expect(res.calls).to.deep.equal(['header A b', 'header Set-Cookie c=d']);
  });

  it('is undefined if the framework offers none, and keepPrivate does nothing then', () => {
    const unusable = [null, 'x', {}, noting(['setHeader']), noting(['appendHeader'])];
    for (const req of [{}, { ctx: null }, ...unusable.map((res) => ({ res }))]) {
      expect(responseOf(req)).to.equal(undefined);
      keepPrivate(req);
    }
  });

  it('C21: is private, unless it was sent already', () => {
    const open = noting(NODE);
    keepPrivate({ res: open });
    const headers = ['setHeader Cache-Control no-store', 'setHeader Referrer-Policy no-referrer'];
    expect(open.calls).to.deep.equal(headers);
    for (const sent of [{ headersSent: true }, { sent: true }]) {
      const res = noting(NODE, sent);
      keepPrivate({ res });
      expect(res.calls).to.deep.equal([]);
      expect(responseOf({ res })?.isSent).to.equal(true);
    }
  });

  describe('to an error, in Koa', () => {
    const PRIVATE = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' };
    const koa = (...cookies: string[]) => {
      const req = { ctx: { res: new ServerResponse(new IncomingMessage(new Socket())) } };
      for (const cookie of cookies) responseOf(req)?.addCookie(cookie);
      return req;
    };
    const headersOf = (error: object) => (error as { headers?: unknown }).headers;

    it('C36: is that of its own login, also where the application fails with the same error again, and never a login that was begun', () => {
      const error = new Error('the database is away');
      keepHeaders(koa('login.a=; Max-Age=0'), error);
      keepHeaders(koa('login.b=; Max-Age=0', 'login.c=secret; Max-Age=600'), error);
      expect(headersOf(error)).to.deep.equal({ ...PRIVATE, 'Set-Cookie': ['login.b=; Max-Age=0'] });
      keepHeaders(koa(), error);
      expect(headersOf(error)).to.deep.equal(PRIVATE);
    });

    it('C36: has the headers and cookies of the login, which the error carries out of sight', () => {
      const error = new Error('the network is away');
      keepHeaders(koa('login.a=; Max-Age=0', 'login.b=; Max-Age=0'), error);
      const cookies = ['login.a=; Max-Age=0', 'login.b=; Max-Age=0'];
      expect(headersOf(error)).to.deep.equal({ ...PRIVATE, 'Set-Cookie': cookies });
      expect(Object.keys(error)).to.deep.equal([]);
      const without = new Error('no login was taken');
      keepHeaders(koa(), without);
      expect(headersOf(without)).to.deep.equal(PRIVATE);
    });

    it('C36: keeps the headers that the error has already', () => {
      const own = { 'Retry-After': '7', 'Set-Cookie': 'theme=dark' };
      const error = Object.assign(new Error('busy'), { headers: own });
      keepHeaders(koa('login.a=; Max-Age=0'), error);
      expect(headersOf(error)).to.deep.equal({
        ...PRIVATE,
        'Set-Cookie': ['theme=dark', 'login.a=; Max-Age=0'],
        'Retry-After': '7',
      });
      // The application can set others.
      expect(Object.assign(error, { headers: {} })).to.have.deep.property('headers', {});
    });

    it('C36: leaves a frozen error, a value that is no error, and other frameworks alone', () => {
      const frozen = Object.freeze(new Error('frozen'));
      const plain = new Error('Express keeps its headers');
      const value = {};
      keepHeaders(koa('login.a='), frozen);
      keepHeaders(koa('login.a='), value);
      keepHeaders(koa('login.a='), undefined);
      for (const req of [{ res: noting(NODE) }, { ctx: {} }, { ctx: { res: null } }]) keepHeaders(req, plain);
      for (const error of [frozen, value, plain]) expect(error).to.not.have.property('headers');
    });
  });
});
