import { expect } from 'chai';
import { fakeClock } from '../support/clock.js';
import { LOGIN, sessionRequest } from '../support/logins.js';
import { expectFailure, loginsIn, NAMES, OWNER, type StoreConstructor } from '../support/state-stores.js';
import { rejectionOf } from '../support/thrown.js';

const BaseStore = require('passport-oauth2/lib/state/store') as StoreConstructor;
const BasePKCEStore = require('passport-oauth2/lib/state/pkcesession') as StoreConstructor;

for (const [file, Store] of Object.entries({ 'store.js': BaseStore, 'pkcesession.js': BasePKCEStore })) {
  describe(`state-store: passport-oauth2's ${file}`, () => {
    const clock = fakeClock();

    it('keeps a login with verifier, scope and application state', async () => {
      const request = sessionRequest();
      const logins = loginsIn(new Store({ key: 'oauth2' }));
      const state = await logins.begin(request, LOGIN);
      expect(state).to.be.a('string').that.has.length.above(20);
      expect(await logins.take(request, state)).to.deep.include({ ...LOGIN, ...NAMES });
    });

    it('C2: a login is taken once', async () => {
      const request = sessionRequest();
      const logins = loginsIn(new Store({ key: 'oauth2' }));
      const state = await logins.begin(request, LOGIN);
      await logins.take(request, state);
      await expectFailure(logins.take(request, state), 'unknown_login');
    });

    it('C1: an unknown or missing state is unknown_login', async () => {
      const logins = loginsIn(new Store({ key: 'oauth2' }));
      await expectFailure(logins.take(sessionRequest(), 'forged'), 'unknown_login');
      await expectFailure(logins.take(sessionRequest(), undefined), 'unknown_login');
    });

    it('C4: the login of another strategy, client or network in the same store is not taken', async () => {
      const store = new Store({ key: 'oauth2' });
      for (const owner of [
        { ...OWNER, strategy: 'other' },
        { ...OWNER, clientID: 'other' },
        { ...OWNER, authorizationURL: 'https://other.example/' },
      ]) {
        const request = sessionRequest();
        const state = await loginsIn(store).begin(request, LOGIN);
        await expectFailure(loginsIn(store, owner).take(request, state), 'unknown_login');
      }
    });

    it('C6: a login expires after ten minutes', async () => {
      const request = sessionRequest();
      const logins = loginsIn(new Store({ key: 'oauth2' }));
      const state = await logins.begin(request, LOGIN);
      clock.advance(600_000);
      await expectFailure(logins.take(request, state), 'expired_login');
    });

    it('without a session, the error is the store’s own', async () => {
      const error = await rejectionOf(loginsIn(new Store({ key: 'oauth2' })).begin({}, LOGIN));
      expect((error as Error).message).to.include('requires session support');
    });
  });
}
