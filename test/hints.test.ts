import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { NETWORKS } from './networks.js';

describe('hints for error responses', () => {
  for (const { name, errorResponses } of NETWORKS) {
    it(`the README of ${name} lists every hint as the errors show it`, () => {
      const page = readFileSync(join(__dirname, '..', 'lib', name, 'README.md'), 'utf8');
      const [, table = ''] = page.split('## When the network refuses\n');
      const [, ...rows] = [...table.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, code, hint]) => [
        code,
        hint,
      ]);
      expect(Object.fromEntries(rows)).to.deep.equal(errorResponses.hints.byCode);
    });
  }
});
