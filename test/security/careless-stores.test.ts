import { expect } from 'chai';
import type { LoginStore, PendingLogin } from '../../lib/index.js';
import { type Contract, describeEach, expectRefused } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { allow, start, withParameters } from '../support/journey.js';

/** A login store of an application that checks nothing: it returns its one login to every caller, again and again. */
interface CarelessStore {
  readonly store: LoginStore;
  /** The number of times that a login was requested. */
  calls(): number;
}

function carelessStore(): CarelessStore {
  let kept: PendingLogin | undefined;
  let calls = 0;
  return {
    calls: () => calls,
    store: {
      save(_req, login) {
        kept = login;
      },
      take() {
        calls += 1;
        return kept;
      },
    },
  };
}

describeEach('a careless login store', (contract) => {
  const { subject } = contract;
  const key = subject.oauth === '2.0' ? 'state' : 'oauth_token';

  it('C1: an authorization response without a state or request token is 403, and the store is not called', async () => {
    const { careless, world, browser, callback } = await pendingIn(contract);
    await expectRefused(world, () => browser.get(withParameters(callback, { [key]: undefined })));
    expect(careless.calls()).to.equal(0);
  });

  it('C1, O3: a careless store cannot pass off one login as another', async () => {
    const { world, browser, callback } = await pendingIn(contract);
    await expectRefused(world, () => browser.get(withParameters(callback, { [key]: 'forged' })));
    expect((await browser.get(callback)).status).to.equal(200);
  });

  it('C2: a careless store cannot return a login twice', async () => {
    const { world, browser, callback } = await pendingIn(contract);
    expect((await browser.get(callback)).status).to.equal(200);
    await expectRefused(world, () => browser.get(callback), 'used_login');
  });
});

/** Starts a login in such a store. @returns The authorization response that would finish it. */
async function pendingIn({ subject, sandbox, strategy, app }: Contract) {
  const careless = carelessStore();
  const world = await sandbox();
  const server = await app(strategy(world, { store: careless.store }));
  const browser = new Browser();
  const callback = await allow(browser, await start(browser, server, subject.provider));
  return { careless, world, server, browser, callback };
}
