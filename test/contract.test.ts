import { expect } from 'chai';
import { NETWORKS as SANDBOX_NETWORKS } from '../sandbox/lib/networks.js';
import { classes } from './contract/classes.js';
import { costs } from './contract/costs.js';
import { describeEach } from './contract/harness.js';
import { logins } from './contract/logins.js';
import { mistakes } from './contract/mistakes.js';
import { options } from './contract/options.js';
import { reports } from './contract/reports.js';
import { classNamesOf, STRATEGY_NAMES, subjects } from './contract/strategies.js';
import { surroundings } from './contract/surroundings.js';
import { verifies } from './contract/verifies.js';
import { NETWORKS } from './networks.js';

describeEach('every strategy', (contract) => {
  logins(contract);
  verifies(contract);
  options(contract);
  surroundings(contract);
  reports(contract);
  costs(contract);
  classes(contract);
  mistakes(contract);
});

describe('the contract test suite', () => {
  it('covers every strategy class that the package exports', () => {
    const covered = new Set(subjects().flatMap(classNamesOf));
    expect([...covered].sort()).to.deep.equal([...STRATEGY_NAMES].sort());
  });

  it('covers every network that the sandbox plays', () => {
    const names = NETWORKS.map(({ name }) => name);
    expect(names).to.deep.equal(SANDBOX_NETWORKS.map(({ name }) => name));
  });
});
