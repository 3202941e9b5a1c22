import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Remedies } from '../lib/core/network-client.js';
import { REMEDIES as microblog } from '../lib/microblog/refusals.js';
import { REMEDIES as shortVideo } from '../lib/short-video/refusals.js';
import { REMEDIES as socialNetwork } from '../lib/social-network/refusals.js';

const networks: Record<string, Remedies> = {
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
