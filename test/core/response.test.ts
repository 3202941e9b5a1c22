import { expect } from 'chai';
import { keepPrivate, responseOf } from '../../lib/core/response.js';

/** Notes every call. */
function noting(names: readonly string[], more: object = {}) {
  const calls: string[] = [];
  const methods = names.map((name) => [
    name,
    (...args: string[]) => void calls.push([name, ...args].join(' ')),
  ]);
  return { calls, ...Object.fromEntries(methods), ...more };
}

describe('response', () => {
  it('is Node’s own in Express, where a cookie is added to the others', () => {
    const res = noting(['setHeader', 'appendHeader', 'header']);
    const response = responseOf({ res });
    response?.set('A', 'b');
    response?.addCookie('c=d');
    expect(res.calls).to.deep.equal(['setHeader A b', 'appendHeader Set-Cookie c=d']);
  });

  it('is the one behind the context in Koa, where req.res can only replace headers', () => {
    const standIn = noting(['setHeader']);
    const res = noting(['setHeader', 'appendHeader']);
    responseOf({ res: standIn, ctx: { res } })?.addCookie('c=d');
    expect([standIn.calls, res.calls]).to.deep.equal([[], ['appendHeader Set-Cookie c=d']]);
  });

  it('is Fastify’s reply where an application put it, whose one method adds cookies', () => {
    const res = noting(['header'], { sent: false });
    const response = responseOf({ res });
    response?.set('A', 'b');
    response?.addCookie('c=d');
    expect(res.calls).to.deep.equal(['header A b', 'header Set-Cookie c=d']);
  });

  it('is none where nothing of the kind is there', () => {
    for (const req of [
      {},
      { res: null },
      { res: 'x' },
      { res: {} },
      { res: noting(['setHeader']) },
      { ctx: null },
    ]) {
      expect(responseOf(req)).to.equal(undefined);
      keepPrivate(req);
    }
  });

  it('C21: is left alone when it was sent', () => {
    for (const sent of [{ headersSent: true }, { sent: true }]) {
      const res = noting(['setHeader', 'appendHeader'], sent);
      keepPrivate({ res });
      expect(res.calls).to.deep.equal([]);
      expect(responseOf({ res })?.isSent).to.equal(true);
    }
  });
});
