import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Hints } from '../lib/core/http/index.js';
import { HINTS as microblog } from '../lib/microblog/error-responses.js';
import { HINTS as shortVideo } from '../lib/short-video/error-responses.js';
import { HINTS as socialNetwork } from '../lib/social-network/error-responses.js';

const networks: Record<string, Hints> = {
  'short-video': shortVideo,
  microblog,
  'social-network': socialNetwork,
};

describe('hints for error responses', () => {
  for (const [network, { byCode }] of Object.entries(networks)) {
    it(`the README of ${network} lists every hint as the errors show it`, () => {
      const page = readFileSync(join(__dirname, '..', 'lib', network, 'README.md'), 'utf8');
      const [, table = ''] = page.split('## When the network refuses\n');
      const [, ...rows] = [...table.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, code, hint]) => [
        code,
        hint,
      ]);
      expect(Object.fromEntries(rows)).to.deep.equal(byCode);
    });
  }
});
