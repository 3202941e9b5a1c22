import { expect } from 'chai';
import { appState } from './contract/app-state.js';
import { callbacks } from './contract/callbacks.js';
import { classes } from './contract/classes.js';
import { concurrency } from './contract/concurrency.js';
import { describeEach } from './contract/harness.js';
import { logins } from './contract/logins.js';
import { options } from './contract/options.js';
import { STRATEGY_NAMES, subjects } from './contract/strategies.js';
import { tabs } from './contract/tabs.js';
import { verifies } from './contract/verifies.js';

describeEach('every strategy', (contract) => {
  logins(contract);
  verifies(contract);
  options(contract);
  appState(contract);
  tabs(contract);
  callbacks(contract);
  concurrency(contract);
  classes(contract);
});

describe('the contract', () => {
  it('covers every strategy class that the package exports', () => {
    const covered = new Set(subjects().map(({ name }) => name));
    expect([...covered].sort()).to.deep.equal([...STRATEGY_NAMES].sort());
  });
});
