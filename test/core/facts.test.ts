import { expect } from 'chai';
import fc from 'fast-check';
import { type ReadErrorResponse, type RefusedError, refused } from '../../lib/core/errors/index.js';
import { type ErrorRow, hintOf, type LoginStep, lookUp } from '../../lib/core/facts.js';
import { oauth1Facts, oauth2Facts } from '../../lib/microblog/facts.js';
import { readErrorResponse as readMicroblog } from '../../lib/microblog/responses.js';
import { facts } from '../../lib/short-video/facts.js';
import { readErrorResponse as readShortVideo } from '../../lib/short-video/responses.js';
import { classicFacts, vkIdFacts } from '../../lib/social-network/facts.js';
import { readErrorResponse as readSocialNetwork } from '../../lib/social-network/responses.js';

/** Whether every response that fits `later` fits `earlier`. Rows without a code or without words fit more. */
function hides(earlier: ErrorRow, later: ErrorRow): boolean {
  const codes = [earlier.code ?? []].flat();
  const fitsStep = earlier.step === undefined || earlier.step === later.step;
  const fitsCode =
    earlier.code === undefined ||
    (later.code !== undefined && [later.code].flat().every((code) => codes.includes(code)));
  const fitsWords =
    earlier.words === undefined ||
    later.words?.every((word) => earlier.words?.some((other) => word.includes(other))) === true;
  return fitsStep && fitsCode && fitsWords;
}

/** Each protocol: its facts, how its bodies are read, and an error response with a code. */
const PROTOCOLS = [
  [facts, readShortVideo, (code: string) => ({ error: { code, message: '', log_id: 'L' } })],
  [oauth2Facts, readMicroblog, problem],
  [oauth1Facts, readMicroblog, problem],
  [classicFacts, readSocialNetwork, vkError],
  [vkIdFacts, readSocialNetwork, vkError],
] as const;

function problem(code: string): object {
  return isNumber(code) ? { errors: [{ code: Number(code) }] } : { title: code, type: 'about:blank' };
}

function vkError(code: string): object {
  return { error: isNumber(code) ? { error_code: Number(code) } : code };
}

function isNumber(code: string): boolean {
  return /^\d+$/.test(code);
}

/** Those with a meaning of their own, their neighbours, and both ends. */
const STATUSES =
  '400 401 402 403 404 408 409 410 418 422 425 428 429 430 451 499 500 501 502 503 504 505 511 599'
    .split(' ')
    .map(Number);
const STEPS: readonly LoginStep[] = [
  'authorization',
  'request token',
  'token',
  'profile',
  'refresh',
  'revoke',
];

/** What an error says in which class; without a hint it says so. Not by `expect`, which takes longer than the rest. */
function saidOf(
  read: ReadErrorResponse,
  rows: readonly ErrorRow[],
  body: object,
  status: number,
  step: LoginStep,
): string {
  const request = { provider: 'network', step, url: 'https://n.example/', timeout: 1, usesOwnAgent: false };
  const response = { status, headers: {}, text: JSON.stringify(body), wellFormed: true, body };
  const error = refused({ ...request, secrets: [] }, response, read(response), rows) as RefusedError;
  const { name, networkCode, code, message, means, retryable, accessTokenSpent, tokenSpent } = error;
  const hint = message.split(`refused: ${networkCode}`).pop() ?? '';
  const hasHint = step === 'authorization' || /[A-Z].{9,}\.$/.test(hint);
  const spent = `${accessTokenSpent ? ' access' : ''}${tokenSpent ? ' refresh' : ''}`;
  return `${name} ${networkCode} ${code} ${error.status} ${retryable}${spent}${hasHint ? '' : ' without a hint'} | ${means} ${hint}`;
}

for (const [{ title, errorRows }, read, bodyOf] of PROTOCOLS) {
  const codes = [...new Set(errorRows.flatMap(({ code = [] }) => code))];
  describe(`the error responses of ${title}`, () => {
    // Their stacks take longer than the errors.
    const { stackTraceLimit } = Error;
    before(() => void Object.assign(Error, { stackTraceLimit: 0 }));
    after(() => void Object.assign(Error, { stackTraceLimit }));

    it('with a known code say the same whatever the status, and what to do', () => {
      for (const code of codes) {
        const step = errorRows.find((row) => [row.code].flat().includes(code))?.step ?? 'profile';
        const said = STATUSES.map((status) => saidOf(read, errorRows, bodyOf(code), status, step));
        expect([...new Set(said)], code).to.have.length(1);
        expect(said[0]?.startsWith(`RefusedError ${code} `)).to.equal(true);
        expect(said[0]).to.match(
          / (?:refused 502 false( access| refresh)?|(?:refused|rate_limited) 503 true) \|/,
        );
      }
    });

    it('with an unknown code follow the status, at every step', () => {
      const unknown = fc
        .oneof(fc.stringMatching(/^[a-z]{3,12}(?:_[a-z]{3,12})?$/), fc.integer({ min: 10_000 }).map(String))
        .filter((code) => !codes.includes(code));
      const property = fc.property(unknown, fc.constantFrom(...STEPS), (code, step) => {
        for (const status of STATUSES) {
          const isLater = status === 429 || status >= 500;
          const spent = status === 401 && step === 'profile' ? ' access' : '';
          const kind = `${status === 429 ? 'rate_limited' : 'refused'} ${isLater ? 503 : 502} ${isLater}${spent}`;
          const [said] = saidOf(read, errorRows, bodyOf(code), status, step).split(' |');
          if (said !== `RefusedError ${code} ${kind}`) expect(said).to.equal(`RefusedError ${code} ${kind}`);
        }
      });
      fc.assert(property, { numRuns: 40 });
    });

    it('with an unknown code and 401 are about the token or the client (RFC 6750 section 3.1, RFC 6749 section 5.2)', () => {
      for (const [step, means] of [
        ['profile', 'access token spent'],
        ['token', 'client refused'],
        ['refresh', 'client refused'],
        ['request token', 'client refused'],
        ['revoke', undefined],
      ] as const)
        expect(saidOf(read, errorRows, bodyOf('a_new_code'), 401, step), step).to.include(`| ${means} `);
    });

    it('are documented, observed or supposed, each with its source', () => {
      const marked = /^(?:(?:documented|observed): \S|supposed)/;
      expect(errorRows.filter(({ source }) => !marked.test(source))).to.deep.equal([]);
      expect(errorRows.length).to.be.greaterThan(10);
    });

    it('are not hidden behind an earlier row', () => {
      const hidden = errorRows.filter((row, index) =>
        errorRows.slice(0, index).some((earlier) => hides(earlier, row)),
      );
      expect(hidden).to.deep.equal([]);
    });

    it('say of the credentials what completes "BRAND ..."', () => {
      for (const { says } of errorRows) if (says !== undefined) expect(says).to.match(/^[a-z].*[^.]$/);
    });
  });
}

/** By protocol: texts with the network's own words, observed or put together, and what they mean to whoever reads them. */
const TEXTS = [
  [
    oauth2Facts,
    ['profile', '', 'For your security, this account is temporarily locked.', 'account unusable', /owner/],
  ],
  [
    oauth1Facts,
    ['token', '', 'Whoa there! There is no request token for this page', 'code spent', /again/],
    ['profile', '', 'Invalid / used nonce', 'clock refused', /clock/],
  ],
  [
    facts,
    ['token', 'invalid_request', 'code_verifier is missing', 'code spent', /codeChallengeEncoding/],
    ['token', '10002', 'Parameter error', 'request refused', /tokenURL/],
    ['token', '10001', 'Please try again later', 'network fault', /later/],
  ],
  [
    classicFacts,
    ['authorization', 'invalid_request', 'code challenge is unsupported', 'application closed', /2\.1/],
    ['token', 'invalid_request', 'device_id is missing', 'application closed', /version: '2\.1'/],
    ['authorization', 'invalid_request', 'redirect uri is incorrect', 'redirect URI refused', /callbackURL/],
    ['token', 'invalid_grant', 'redirect_uri does not match', 'code spent', /callbackURL/],
  ],
  [
    vkIdFacts,
    ['token', 'invalid_request', 'code_challenge does not match code_verifier', 'code spent', /another/],
    ['token', 'invalid_request', 'device_id is invalid', 'code spent', /device_id of the callback/],
  ],
] as const;

describe('the texts of error responses', () => {
  for (const [{ title, errorRows }, ...texts] of TEXTS) {
    for (const [step, code, description, means, hint] of texts) {
      it(`${title}: ${JSON.stringify(description)} means ${means}`, () => {
        const known = lookUp(errorRows, { code, description, step });
        expect(known?.means).to.equal(means);
        expect(known && hintOf(known)).to.match(hint);
      });
    }
  }
});
