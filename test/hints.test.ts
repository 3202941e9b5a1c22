import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { NETWORKS } from './networks.js';

/** Network -> its page, where that has the name of the brand. */
const PAGES: Readonly<Record<string, string>> = {
  'short-video': 'tiktok',
  microblog: 'x',
  'social-network': 'vk',
};

describe('hints for error responses', () => {
  for (const { name, errorResponses } of NETWORKS) {
    it(`the page of ${name} lists every hint as the errors show it`, () => {
      const page = readFileSync(`docs/${PAGES[name] ?? name}.md`, 'utf8');
      const [, section = ''] = page.split('## When the network refuses\n');
      const [, ...rows] = section.matchAll(/^\| (`[^|]+?)(?: at the step (\w+))? \| (.+) \|$/gm);
      const listed = rows.flatMap(([, codes = '', step = 'any', hint]) =>
        [...codes.matchAll(/`([^`]+)`/g)].map(([, code]) => `${step} ${code} ${hint}`),
      );
      const { byCode, byStep = {} } = errorResponses.hints;
      const hints = Object.entries({ any: byCode, ...byStep }).flatMap(([step, codes]) =>
        Object.entries(codes).map(([code, hint]) => `${step} ${code} ${hint}`),
      );
      expect(listed.sort()).to.deep.equal(hints.sort());
    });
  }
});
