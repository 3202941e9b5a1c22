import { expect } from 'chai';
import type { SandboxFault } from '../../sandbox/lib/index.js';
import { realSockets } from '../support/real-sockets.js';
import { DIALECTS, endingWith, FAULTS } from './fault-logins.js';

/** How a login ends: the same for every dialect, or with exceptions. */
type Endings = string | { readonly others: string; readonly [dialect: string]: string };

const TIMEOUT = 'UnreachableError timeout 504';
const BROKEN = 'UnreachableError connection_failed 502';
const CUT_SHORT = 'UnreachableError response_cut_short 502';
const TOO_LARGE = 'UnreachableError response_too_large 502';
const REDIRECTED = 'UnreachableError redirected 502';
const UNREADABLE = 'MalformedError unreadable_response 502';
const WITHOUT_TOKEN = 'MalformedError token_missing 502';
const REFUSED = 'RefusedError refused 502';
const RATE_LIMITED = 'RefusedError rate_limited 503';
const LOGGED_IN = 'logged in';
const IMPOSSIBLE = 'impossible';

const EXPECTED: Record<SandboxFault['kind'], { readonly token: Endings; readonly profile: Endings }> = {
  answer: { token: UNREADABLE, profile: UNREADABLE },
  delay: { token: LOGGED_IN, profile: LOGGED_IN },
  hang: { token: TIMEOUT, profile: TIMEOUT },
  reset: { token: BROKEN, profile: BROKEN },
  cut: { token: CUT_SHORT, profile: CUT_SHORT },
  drip: { token: TIMEOUT, profile: TIMEOUT },
  huge: { token: TOO_LARGE, profile: TOO_LARGE },
  // The OAuth 1.0a token response is a form, and any string can be parsed as a form.
  'wrong-type': { token: { others: UNREADABLE, 'microblog 1.0': WITHOUT_TOKEN }, profile: UNREADABLE },
  redirect: { token: REDIRECTED, profile: REDIRECTED },
  malformed: { token: { others: UNREADABLE, 'microblog 1.0': WITHOUT_TOKEN }, profile: UNREADABLE },
  'rate-limit': { token: RATE_LIMITED, profile: RATE_LIMITED },
  'expired-code': { token: REFUSED, profile: IMPOSSIBLE },
  // A login sends a code, which this fault does not apply to. Two of the dialects have no refresh tokens.
  'revoked-token': {
    token: { others: LOGGED_IN, 'microblog 1.0': IMPOSSIBLE, 'social-network': IMPOSSIBLE },
    profile: REFUSED,
  },
};

describe('A login at the sandbox with the fault', () => {
  realSockets();

  for (const fault of FAULTS) {
    for (const step of ['token', 'profile'] as const) {
      it(`"${fault.kind}" at the ${step} endpoint ends as expected with every network`, async () => {
        const endings = await Promise.all(
          DIALECTS.map(async (dialect) => [dialect.title, await endingWith(dialect, dialect[step], fault)]),
        );
        expect(Object.fromEntries(endings)).to.deep.equal(endingsOf(EXPECTED[fault.kind][step]));
      });
    }
  }
});

function endingsOf(expected: Endings): object {
  return Object.fromEntries(
    DIALECTS.map(({ title }) => [
      title,
      typeof expected === 'string' ? expected : (expected[title] ?? expected.others),
    ]),
  );
}
