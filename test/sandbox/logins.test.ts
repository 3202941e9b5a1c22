import { expect } from 'chai';
import { PEOPLE, type SandboxFault } from '../../sandbox/lib/index.js';
import { protocolOf, type Subject, subjects } from '../contract/strategies.js';
import { logIn } from '../support/journey.js';
import { loginApp } from '../support/login-app.js';
import { realSockets } from '../support/real-sockets.js';
import { endingWith, FAULTS, strategyFor } from './fault-logins.js';
import { withSandbox } from './requests.js';

const TIMEOUT = 'UnreachableError timeout 504';
const BROKEN = 'UnreachableError connection_failed 502';
const CUT_SHORT = 'UnreachableError response_cut_short 502';
const TOO_LARGE = 'UnreachableError response_too_large 502';
const REDIRECTED = 'UnreachableError redirected 502';
const FAULTY = 'MalformedError unreadable_response 503';
const UNREADABLE = 'MalformedError unreadable_response 502';
const REFUSED = 'RefusedError refused 502';
const RATE_LIMITED = 'RefusedError rate_limited 503';
const LOGGED_IN = 'logged in';
const IMPOSSIBLE = 'impossible';

/** How a login ends. A network's own `tokenEndings` come first. */
const EXPECTED: Record<SandboxFault['kind'], { readonly token: string; readonly profile: string }> = {
  answer: { token: FAULTY, profile: FAULTY },
  delay: { token: LOGGED_IN, profile: LOGGED_IN },
  hang: { token: TIMEOUT, profile: TIMEOUT },
  reset: { token: BROKEN, profile: BROKEN },
  cut: { token: CUT_SHORT, profile: CUT_SHORT },
  drip: { token: TIMEOUT, profile: TIMEOUT },
  huge: { token: TOO_LARGE, profile: TOO_LARGE },
  'wrong-type': { token: UNREADABLE, profile: UNREADABLE },
  redirect: { token: REDIRECTED, profile: REDIRECTED },
  malformed: { token: UNREADABLE, profile: UNREADABLE },
  'rate-limit': { token: RATE_LIMITED, profile: RATE_LIMITED },
  'expired-code': { token: REFUSED, profile: IMPOSSIBLE },
  // A login sends a code, which this fault does not apply to.
  'revoked-token': { token: LOGGED_IN, profile: REFUSED },
};

describe('A login at the sandbox with the fault', () => {
  realSockets();

  for (const fault of FAULTS) {
    for (const step of ['token', 'profile'] as const) {
      it(`"${fault.kind}" at the ${step} endpoint ends as expected with every network`, async () => {
        const endings = await Promise.all(
          subjects().map(async (subject) => [protocolOf(subject), await endingWith(subject, step, fault)]),
        );
        const expected = subjects().map((subject) => [
          protocolOf(subject),
          expectedEnding(subject, step, fault),
        ]);
        expect(Object.fromEntries(endings)).to.deep.equal(Object.fromEntries(expected));
      });
    }
  }
});

function expectedEnding({ faults }: Subject, step: 'token' | 'profile', { kind }: SandboxFault): string {
  return (step === 'token' && faults.tokenEndings?.[kind]) || EXPECTED[kind][step];
}

describe("Every one of the sandbox's people", () => {
  realSockets();

  for (const subject of subjects()) {
    const { provider, identify, unusable = {} } = subject;

    it(`logs in at ${protocolOf(subject)} with the exact identifier, unless the account is unusable there`, async () => {
      await withSandbox({}, async (sandbox) => {
        const app = await loginApp(strategyFor(subject, sandbox, 5_000));
        for (const person of PEOPLE) {
          const { json } = await logIn(app, provider, person.id);
          expect([person.id, json.user?.id ?? json.failure?.code]).to.deep.equal([
            person.id,
            unusable[person.id] ?? identify(person),
          ]);
        }
        await app.close();
      });
    });
  }
});
