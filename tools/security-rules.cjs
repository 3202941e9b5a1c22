const { readFileSync } = require('node:fs');
const path = require('node:path');

const LIST = 'test/security/README.md';
const NAMED = /^([CEKOST]\d+(?:, [CEKOST]\d+)*): (.+)/s;

/**
 * Mocha's reporter of `npm run step -- rules`: every security rule with the tests that cover it. A test covers the rules at the start of its
 * title: `C2, C18: a replayed authorization response is 403`. The run fails if a rule has no test, or a test names an unknown rule.
 */
module.exports = class SecurityRules {
  /** @param {import('mocha').Runner} runner */
  constructor(runner) {
    const rows = readFileSync(LIST, 'utf8').matchAll(/^\| ([CEKOST]\d+) (.+?) \|/gm);
    /** Rule -> what it says, and how often a title is there. @type {Map<string, { says: string, titles: Map<string, number> }>} */
    this.rules = new Map(Array.from(rows, ([, rule = '', says = '']) => [rule, { says, titles: new Map() }]));
    /** @type {Set<string>} */
    this.unknown = new Set();
    this.tests = 0;
    runner.on('pass', (test) => this.add(test));
  }

  /** @param {import('mocha').Test} test */
  add({ title, file = '' }) {
    const [, ids, text] = NAMED.exec(title) ?? [];
    if (ids === undefined) return;
    this.tests += 1;
    const line = `${text}  (${path.relative('', file)})`;
    for (const id of ids.split(', ')) {
      const titles = this.rules.get(id)?.titles;
      if (titles) titles.set(line, (titles.get(line) ?? 0) + 1);
      else this.unknown.add(`A test names the rule ${id}, which is not in ${LIST}: ${line}`);
    }
  }

  /** Mocha exits with the number that `end` gets. @param {number} _failures @param {(failures: number) => void} end */
  done(_failures, end) {
    for (const [rule, { says, titles }] of this.rules) {
      console.log(`${rule}  ${says}`);
      for (const [line, count] of titles) console.log(`      ${count > 1 ? `${count} x ` : ''}${line}`);
    }
    console.log(`\n${this.rules.size} rules, ${this.tests} tests.`);
    const untested = [...this.rules].filter(([, { titles }]) => titles.size === 0);
    const problems = [...this.unknown, ...untested.map(([rule]) => `The rule ${rule} has no test.`)];
    for (const problem of problems) console.error(problem);
    end(problems.length);
  }
};
