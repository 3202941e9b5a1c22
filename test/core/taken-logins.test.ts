import { expect } from 'chai';
import { LoginFailure } from '../../lib/core/errors.js';
import { TakenLogins } from '../../lib/core/taken-logins.js';
import { fakeClock } from '../support/clock.js';
import { thrownBy } from '../support/thrown.js';

describe('taken-logins', () => {
  const clock = fakeClock();

  it('C2: a login is claimed once, and refused from then on', () => {
    const taken = new TakenLogins();
    const until = Date.now() + 600_000;
    taken.refuse('a');
    taken.claim('a', until);
    taken.claim('b', until);
    for (const again of [() => taken.claim('a', until), () => taken.refuse('a')]) {
      const failure = thrownBy(again) as LoginFailure;
      expect(failure).to.be.instanceOf(LoginFailure);
      expect([failure.code, failure.status]).to.deep.equal(['used_login', 403]);
      expect(failure.message).to.include('Start the login again.');
    }
  });

  it('a login that would have expired is forgotten', () => {
    const taken = new TakenLogins();
    taken.claim('a', clock.stop() + 1_000);
    clock.advance(999);
    expect(() => taken.refuse('a')).to.throw(LoginFailure);
    clock.advance(1);
    taken.refuse('a');
  });

  it('a hundred thousand are remembered, and the oldest goes first', () => {
    const taken = new TakenLogins();
    const until = Date.now() + 600_000;
    for (let count = 0; count <= 100_000; count += 1) taken.claim(`login-${count}`, until);
    taken.refuse('login-0');
    expect(() => taken.refuse('login-1')).to.throw(LoginFailure);
    expect(() => taken.refuse('login-100000')).to.throw(LoginFailure);
  });
});
