import { expect } from 'chai';
import {
  expiryDate,
  Refreshes,
  readTokens,
  requireToken,
  scopeList,
  type Tokens,
} from '../../lib/core/tokens.js';
import { fakeClock } from '../support/clock.js';
import { rejectionOf } from '../support/thrown.js';

describe('tokens', () => {
  const clock = fakeClock();

  it('a token answer becomes tokens, with a date in place of seconds', () => {
    const now = clock.stop();
    const params = { access_token: 'a', refresh_token: 'new', expires_in: 60, scope: 'x y' };
    expect(readTokens(params, 'old')).to.deep.equal({
      accessToken: 'a',
      refreshToken: 'new',
      expiresAt: new Date(now + 60_000),
      scope: ['x', 'y'],
      params,
    });
  });

  it('what the answer does not say is absent, and the old refresh token is kept', () => {
    const params = { access_token: 'a' };
    expect(readTokens(params, 'old')).to.deep.equal({
      accessToken: 'a',
      refreshToken: 'old',
      scope: [],
      params,
    });
  });

  it('an expiry that is no positive number of seconds is none', () => {
    for (const expires_in of [undefined, null, 0, -1, 'soon', Number.NaN, 1e10, {}]) {
      expect(expiryDate({ expires_in })).to.equal(undefined);
    }
    const now = clock.stop();
    expect(expiryDate({ expires_in: '60' })).to.deep.equal(new Date(now + 60_000));
  });

  it('lists within lists, ten thousand deep, are no lifetime, and no error', () => {
    const deep = JSON.parse(`${'['.repeat(10_000)}60${']'.repeat(10_000)}`) as unknown;
    expect(expiryDate({ expires_in: deep })).to.equal(undefined);
    for (const expires_in of [[60], true, { valueOf: () => 60 }]) {
      expect(expiryDate({ expires_in })).to.equal(undefined);
    }
  });

  it('scopes are joined with spaces or commas', () => {
    expect(scopeList('a b,c  d')).to.deep.equal(['a', 'b', 'c', 'd']);
    expect([scopeList(''), scopeList(undefined)]).to.deep.equal([[], []]);
  });

  it('what cannot be a token is a TypeError that names the method', () => {
    for (const token of [undefined, null, '', 7, {}]) {
      expect(() => requireToken('network', 'revoke', token)).to.throw(
        TypeError,
        'network: revoke needs a token that is a non-empty text.',
      );
    }
    requireToken('network', 'revoke', 'a-token');
  });

  it('refreshes of one token at the same time are one; later ones are new', async () => {
    const refreshes = new Refreshes();
    let count = 0;
    const start = async () => {
      count += 1;
      return { accessToken: String(count) } as Tokens;
    };
    const [one, other] = await Promise.all([refreshes.once('a', start), refreshes.once('a', start)]);
    expect(one).to.equal(other);
    await refreshes.once('b', start);
    expect((await refreshes.once('a', start)).accessToken).to.equal('3');
  });

  it('a refresh that failed is forgotten', async () => {
    const refreshes = new Refreshes();
    const failure = new Error('refused');
    expect(await rejectionOf(refreshes.once('a', () => Promise.reject(failure)))).to.equal(failure);
    expect(await refreshes.once('a', async () => ({ accessToken: 'x' }) as Tokens)).to.include({
      accessToken: 'x',
    });
  });
});
