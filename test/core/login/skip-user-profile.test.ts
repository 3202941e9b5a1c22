import { expect } from 'chai';
import { loadUnlessSkipped, type SkipUserProfile } from '../../../lib/core/login/index.js';
import { rejectionOf } from '../../support/thrown.js';

type Done = (error?: unknown, skip?: boolean) => void;
const load = async () => 'profile';

describe('skipUserProfile', () => {
  it('the profile is loaded unless the option is true or its function says so', async () => {
    for (const skip of [false, () => false, async () => false]) {
      expect(await loadUnlessSkipped(skip, ['token'], load)).to.equal('profile');
    }
    for (const skip of [true, () => true, async () => true]) {
      expect(await loadUnlessSkipped(skip, ['token'], load)).to.equal(undefined);
    }
  });

  it('a function with parameters gets the token, in OAuth 1.0a also its secret, and a callback', async () => {
    const seen: unknown[][] = [];
    const one: SkipUserProfile = (token: string, done: Done) => {
      seen.push([token]);
      done(null, true);
    };
    const two: SkipUserProfile = (token: string, secret: string, done: Done) => {
      seen.push([token, secret]);
      done(null, false);
    };
    expect(await loadUnlessSkipped(one, ['token'], load)).to.equal(undefined);
    expect(await loadUnlessSkipped(two, ['token', 'secret'], load)).to.equal('profile');
    expect(seen).to.deep.equal([['token'], ['token', 'secret']]);
  });

  it('T14: an exception, rejection or error of the function or of the profile request is the error', async () => {
    const failure = new Error('a bug');
    const throwing = () => {
      throw failure;
    };
    const failing: SkipUserProfile = (_token: string, done: Done) => done(failure);
    expect(await rejectionOf(loadUnlessSkipped(throwing, ['token'], load))).to.equal(failure);
    expect(await rejectionOf(loadUnlessSkipped(() => Promise.reject(failure), ['token'], load))).to.equal(
      failure,
    );
    expect(await rejectionOf(loadUnlessSkipped(failing, ['token'], load))).to.equal(failure);
    const broken = () => Promise.reject(failure);
    for (const skip of [false, () => false]) {
      expect(await rejectionOf(loadUnlessSkipped(skip, ['token'], broken))).to.equal(failure);
    }
  });
});
