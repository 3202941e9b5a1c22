import { expect } from 'chai';
import { PEOPLE, startSandbox } from '../../sandbox/lib/index.js';
import { protocolOf, subjects } from '../contract/strategies.js';
import { logIn } from '../support/journey.js';
import { loginApp } from '../support/login-app.js';
import { realSockets } from '../support/real-sockets.js';
import { strategyFor } from './fault-logins.js';

describe("Every one of the sandbox's people", () => {
  realSockets();

  for (const subject of subjects()) {
    const { provider, identify, unusable = {} } = subject;

    it(`logs in at ${protocolOf(subject)} with the exact identifier, unless the account is unusable there`, async () => {
      const sandbox = await startSandbox();
      const app = await loginApp(strategyFor(subject, sandbox, 5_000));
      for (const person of PEOPLE) {
        const { json } = await logIn(app, provider, person.id);
        expect([person.id, json.user?.id ?? json.failure?.code]).to.deep.equal([
          person.id,
          unusable[person.id] ?? identify(person),
        ]);
      }
      await app.close();
      await sandbox.close();
    });
  }
});
