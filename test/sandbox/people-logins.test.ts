import { expect } from 'chai';
import { PEOPLE, startSandbox } from '../../sandbox/lib/index.js';
import { logIn } from '../support/journey.js';
import { loginApp } from '../support/login-app.js';
import { realSockets } from '../support/real-sockets.js';
import { DIALECTS } from './fault-logins.js';

/** People whom a network does not log in, with the code of the failure. */
const UNUSABLE: Readonly<Record<string, string>> = { boris: 'account_unusable', dora: 'account_unusable' };

const IDENTIFIERS = {
  'short-video': ({ openId }: (typeof PEOPLE)[number]) => openId,
  microblog: ({ microblogId }: (typeof PEOPLE)[number]) => microblogId,
  'social-network': ({ socialNetworkId }: (typeof PEOPLE)[number]) => String(socialNetworkId),
};

describe("Every one of the sandbox's people", () => {
  realSockets();

  for (const { title, network, strategy } of DIALECTS) {
    const failures = title === 'social-network' ? UNUSABLE : {};

    it(`logs in at ${title} with the exact identifier, unless the account is unusable there`, async () => {
      const sandbox = await startSandbox();
      const app = await loginApp(strategy(sandbox, 5_000));
      for (const person of PEOPLE) {
        const { json } = await logIn(app, network, person.id);
        expect([person.id, json.user?.id ?? json.failure?.code]).to.deep.equal([
          person.id,
          failures[person.id] ?? IDENTIFIERS[network](person),
        ]);
      }
      await app.close();
      await sandbox.close();
    });
  }
});
