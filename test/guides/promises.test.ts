import { expect } from 'chai';
import { textOf } from './pages.js';

/** Words that promise something without exception. */
const STRONG = /\b(never|always|each|every|all|at most)\b/i;

/** Page -> the beginning of each sentence or row with a strong word -> file and title of the test that proves it. */
const PROMISES: Readonly<Record<string, Readonly<Record<string, readonly [file: string, title: string]>>>> = {
  'README.md': {
    '[The same questions](bench/peers/results.md), asked of each package': [
      'docs.test.ts',
      'compares the packages by what was measured',
    ],
    '| package | rejects a planted login link | 30 logins at once, each its own user': [
      'docs.test.ts',
      'compares the packages by what was measured',
    ],
    '| passport-social-networks | yes | yes | yes | yes | all |': [
      'docs.test.ts',
      'compares the packages by what was measured',
    ],
    'A login with each network, from the packed packages': [
      'docs.test.ts',
      'names only runtimes and frameworks in which a packed package logs in',
    ],
    '| Node 20, 22, 24, 26 | all;': [
      'docs.test.ts',
      'names only runtimes and frameworks in which a packed package logs in',
    ],
  },
  'docs/security.md': {
    'A strategy never trusts `X-Forwarded-...` by itself.': [
      'security/addresses.test.ts',
      'T3: forwarded headers are ignored by default',
    ],
    'Client secret or code verifier are in the body or a header, never in a URL.': [
      'security/requests.test.ts',
      'T11: no URL contains a token, code, secret or verifier, in a series of logins and token calls',
    ],
    'Each rule has tests whose titles begin with its number.': [
      'security/rules.test.ts',
      'fails if a rule has no test, and names the rule',
    ],
    '`shareConnections: false` ends that: each request has a connection of its own': [
      'core/http/connections.test.ts',
      'T16: with shareConnections: false, each request has a connection of its own, opened in advance or not',
    ],
  },
  'docs/pending-logins.md': {
    'Each login also sets a small cookie': [
      'security/browsers.test.ts',
      'C25: a planted session does not let another browser finish the login that was begun in it',
    ],
    '`cookieLogins({ secrets })` keeps each pending login in its own cookie.': [
      'security/cookie-logins.test.ts',
      'C18: the cookie of another login or another strategy is 403',
    ],
    '| `secrets` | one secret or several': [
      'security/cookie-logins.test.ts',
      'C18: a cookie encrypted with a removed secret is 403; one encrypted with the old secret of a rotation logs in',
    ],
    'Together with your application’s cookies they take 7,400 bytes at most': [
      'core/login/cookie-logins.test.ts',
      'the cookies of the application count in that size',
    ],
    'It is always `SameSite=Lax`': [
      'security/cookie-logins.test.ts',
      'C18: the cookie is HttpOnly, Lax and has path /; with an https callback URL it is also Secure and __Host-',
    ],
    'Each store also has a *replay guard*': [
      'security/replays.test.ts',
      'C26: two strategy objects with one store share its replay guard',
    ],
    'It is kept with the pending login and never appears in a URL.': [
      'security/app-state.test.ts',
      'C17: application state is never in a URL; the state there is random',
    ],
    'The store above needs a session: it keeps a random ID for each browser': [
      'guides/pending-logins.test.ts',
      "does not give a browser another browser's login",
    ],
  },
};

describe('strong promises of the guides', () => {
  const rules = JSON.parse(textOf('test/security/rules.json')) as Record<string, string>;

  for (const [page, proofs] of Object.entries(PROMISES)) {
    const promises = statementsOf(page).filter((statement) => STRONG.test(statement));

    it(`${page} makes none without a test`, () => {
      // `npm run rules` demands tests for each of these rows.
      const ruleOf = (statement: string) => /^\| ([CTOS]\d+) /.exec(statement)?.[1];
      const unproven = promises.filter((statement) => {
        const rule = ruleOf(statement);
        return rule === undefined
          ? !Object.keys(proofs).some((beginning) => statement.startsWith(beginning))
          : !(rule in rules);
      });
      expect(unproven).to.deep.equal([]);
    });

    it(`${page} still makes those that are listed here, and their tests exist`, () => {
      const gone = Object.keys(proofs).filter(
        (beginning) => !promises.some((statement) => statement.startsWith(beginning)),
      );
      expect(gone).to.deep.equal([]);
      for (const [file, title] of Object.values(proofs)) expect(textOf(`test/${file}`)).to.include(title);
    });
  }
});

/** The sentences and the rows of tables of a page, without headings, code and markers of lists. */
function statementsOf(page: string): string[] {
  const prose = textOf(page)
    .replace(/^```.*?^```$/gms, '')
    .replace(/<[^>]+>/g, '')
    .replaceAll("'", '’');
  return prose
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) |\||#)/)
    .map((text) => text.replace(/\s+/g, ' ').trim())
    .filter((text) => !text.startsWith('#'))
    .flatMap((text) =>
      text.startsWith('|') ? [text] : text.replace(/^(?:[-*]|\d+\.) /, '').split(/(?<=[.:;!?]) (?=[A-Z`*[])/),
    );
}
