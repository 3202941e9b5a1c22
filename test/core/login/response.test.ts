import { expect } from 'chai';
import { keepPrivate, responseOf } from '../../../lib/core/login/outcome.js';

/** A response that notes every call. */
function noting(names: readonly string[], more: object = {}) {
  const calls: string[] = [];
  const methods = names.map((name) => [
    name,
    (...args: string[]) => void calls.push([name, ...args].join(' ')),
  ]);
  return { calls, ...Object.fromEntries(methods), ...more };
}

describe('the response to a request', () => {
  it('in Express is Node’s own, and cookies are appended', () => {
    const res = noting(['setHeader', 'appendHeader', 'header']);
    const response = responseOf({ res });
    response?.set('A', 'b');
    response?.addCookie('c=d');
    expect(res.calls).to.deep.equal(['setHeader A b', 'appendHeader Set-Cookie c=d']);
  });

  it('in Koa is the one of the context, because req.res can only replace headers', () => {
    const standIn = noting(['setHeader']);
    const res = noting(['setHeader', 'appendHeader']);
    responseOf({ res: standIn, ctx: { res } })?.addCookie('c=d');
    expect([standIn.calls, res.calls]).to.deep.equal([[], ['appendHeader Set-Cookie c=d']]);
  });

  it('in Fastify is the reply at req.res, whose method header sets and appends', () => {
    const res = noting(['header'], { sent: false });
    const response = responseOf({ res });
    response?.set('A', 'b');
    response?.addCookie('c=d');
    expect(res.calls).to.deep.equal(['header A b', 'header Set-Cookie c=d']);
  });

  it('is undefined if the framework offers none, and keepPrivate does nothing then', () => {
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

  it('C21: gets no header after it was sent', () => {
    for (const sent of [{ headersSent: true }, { sent: true }]) {
      const res = noting(['setHeader', 'appendHeader'], sent);
      keepPrivate({ res });
      expect(res.calls).to.deep.equal([]);
      expect(responseOf({ res })?.isSent).to.equal(true);
    }
  });
});
