import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import { keepHeaders, keepPrivate, requireNavigation, responseOf } from '../../../lib/core/login/index.js';
import { readAuthorizationResponse } from '../../../lib/core/login/request.js';

/** A response that notes every call. */
function noting(names: readonly string[], more: object = {}) {
  const calls: string[] = [];
  const note = (name: string) => [name, (...args: string[]) => void calls.push([name, ...args].join(' '))];
  return { calls, ...(Object.fromEntries(names.map(note)) as object), ...more };
}

it('C9: a parameter that comes twice in a query that no framework parsed is malformed', () => {
  const request = { url: '/cb?state=a&state=a' };
  expect(() => readAuthorizationResponse(request, new Set(['state']), [])).to.throw('was sent twice');
});

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
