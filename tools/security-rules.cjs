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
    /** By rule. */
    this.says = new Map(Array.from(rows, ([, rule = '', says = '']) => [rule, says]));
    /** By rule. @type {Map<string, Set<string>>} */
    this.tests = new Map([...this.says.keys()].map((rule) => [rule, new Set()]));
    runner.on('pass', ({ title, file = '' }) => {
      const [, ids = '', text] = NAMED.exec(title) ?? [];
      for (const id of ids.split(', ').filter(Boolean))
        this.tests.set(id, (this.tests.get(id) ?? new Set()).add(`${text}  (${path.relative('', file)})`));
    });
  }

  /** Mocha exits with the number that `end` gets. @param {number} _failures @param {(failures: number) => void} end */
  done(_failures, end) {
    for (const [rule, tests] of this.tests)
      console.log([`${rule}  ${this.says.get(rule)}`, ...tests].join('\n      '));
    const wrong = [...this.tests.keys()].filter(
      (rule) => !this.says.has(rule) || !this.tests.get(rule)?.size,
    );
    for (const rule of wrong) console.error(`${rule} is not in ${LIST}, or has no test.`);
    console.log(`\n${this.says.size} rules`);
    end(wrong.length);
  }
};
