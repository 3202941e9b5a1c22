import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { realSockets } from '../support/real-sockets.js';
import { noFigures } from './figures.js';
import type { AnswersRun } from './generators/answer-runs.js';
import { AnswersWorld } from './properties/answers.js';
import { secretsShown } from './world/canaries.js';
import { plainAnswer } from './world/hostile-answer.js';
import { playedNetwork } from './world/network.js';
import { subjectCalled } from './world/subjects.js';

describe('what generated logins are watched for', () => {
  realSockets();

  it('letters that a request token shares with another answer are no leak', async () => {
    const letters = 'x'.repeat(40);
    const run: AnswersRun = {
      call: -1,
      script: {
        'request-token': [
          plainAnswer(`oauth_token=${letters}-token&oauth_token_secret=x0123&oauth_callback_confirmed=true`),
        ],
        token: [plainAnswer(JSON.stringify({ error: letters }))],
      },
      owner: 1,
      patient: false,
    };
    const world = await AnswersWorld.open(subjectCalled('microblog-1.0'), noFigures());
    try {
      await fc.assert(world.property(), { examples: [[run]], numRuns: 1 });
    } finally {
      await world.close();
    }
  });

  it('what is random in a request token is a secret, wherever it stands', async () => {
    const network = await playedNetwork();
    try {
      const random = randomUUID();
      network.play({}, 'microblog-1.0');
      network.tellState(`oauth_token ${random} and more`);
      expect(secretsShown(`the end: ${random}`, [...network.fresh])).to.have.lengthOf(1);
      expect(secretsShown('oauth_token of somebody', [...network.fresh])).to.deep.equal([]);
    } finally {
      await network.close();
    }
  });

  it('a state is a secret as a whole', async () => {
    const network = await playedNetwork();
    try {
      network.play({}, 'short-video');
      network.tellState('a-state-that-the-library-made');
      expect(secretsShown('a-state-that-the-library-made', [...network.fresh])).to.have.lengthOf(1);
    } finally {
      await network.close();
    }
  });
});
