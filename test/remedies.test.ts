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

describe('the remedies', () => {
  for (const [network, { byCode }] of Object.entries(networks)) {
    it(`stand in the README of ${network} as the errors say them`, () => {
      const page = readFileSync(join(__dirname, '..', 'lib', network, 'README.md'), 'utf8');
      const [, table = ''] = page.split('## When the network refuses\n');
      const [, ...rows] = [...table.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, code, remedy]) => [
        code,
        remedy,
      ]);
      expect(Object.fromEntries(rows)).to.deep.equal(byCode);
    });
  }
});
