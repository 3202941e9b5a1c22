import { expect } from 'chai';
import { LoginFailure } from '../../lib/core/errors.js';
import { type StateStore, StateStoreLogins } from '../../lib/core/state-store.js';
import { rejectionOf } from './thrown.js';

export type StoreConstructor = new (options: { key: string }) => StateStore;

/** The owner fields of a stored login. */
export const NAMES = { strategy: 'network', clientID: 'client' };
export const OWNER = { ...NAMES, authorizationURL: 'https://network.example/' };
export const META = {
  authorizationURL: 'https://n.example/authorize',
  tokenURL: 'https://n.example/token',
  clientID: 'client',
};
export const loginsIn = (store: StateStore, owner = OWNER) => new StateStoreLogins(store, owner, META);

export async function expectFailure(taking: Promise<unknown>, code: string): Promise<void> {
  const failure = (await rejectionOf(taking)) as LoginFailure;
  expect(failure).to.be.instanceOf(LoginFailure);
  expect([failure.code, failure.status]).to.deep.equal([code, 403]);
}
