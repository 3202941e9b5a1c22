import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { realSockets } from '../support/real-sockets.js';
import { noFigures } from './figures.js';
import type { ResponsesRun } from './generators/response-runs.js';
import { ResponsesWorld } from './properties/responses.js';
import { secretsShown } from './world/canaries.js';
import { plainResponse } from './world/hostile-response.js';
import { startFakeNetwork } from './world/network.js';
import { subjectCalled } from './world/subjects.js';

describe('the leak detection of generated logins', () => {
  realSockets();

  it('does not report text that a request token shares with another response', async () => {
    const letters = 'x'.repeat(40);
    const run: ResponsesRun = {
      call: -1,
      script: {
        'request-token': [
          plainResponse(
            `oauth_token=${letters}-token&oauth_token_secret=x0123&oauth_callback_confirmed=true`,
          ),
        ],
        token: [plainResponse(JSON.stringify({ error: letters }))],
      },
      owner: 1,
      allowsRetries: false,
    };
    const world = await ResponsesWorld.open(subjectCalled('microblog-1.0'), noFigures());
    try {
      await fc.assert(world.property(), { examples: [[run]], numRuns: 1 });
    } finally {
      await world.close();
    }
  });

  it('reports the random part of a request token anywhere', async () => {
    const network = await startFakeNetwork();
    try {
      const random = randomUUID();
      network.startRun({}, 'microblog-1.0');
      network.registerState(`oauth_token ${random} and more`);
      expect(secretsShown(`the end: ${random}`, [...network.fresh])).to.have.lengthOf(1);
      expect(secretsShown('oauth_token of another user', [...network.fresh])).to.deep.equal([]);
    } finally {
      await network.close();
    }
  });
});
