import { expect } from 'chai';
import { Cluster } from './clusters.js';

const NETWORKS = ['short-video', 'microblog', 'microblog-1.0', 'social-network', 'social-network-2.1'];

describe('two processes that share nothing but secrets', function () {
  this.timeout(60_000);
  let cluster: Cluster;

  before(async () => {
    cluster = await Cluster.start('tokens, nothing shared but secrets');
  });

  after(() => cluster?.stop());

  for (const network of NETWORKS) {
    it(`finish each other's logins through ${network}`, async () => {
      expect(await cluster.finishElsewhere(network, 0)).to.match(/^200 \{"token":"/);
      expect(await cluster.finishElsewhere(network, 1)).to.match(/^200 \{"token":"/);
    });
  }
});
