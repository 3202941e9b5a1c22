import { expect } from 'chai';
import {
  identifierError,
  LoginFailure,
  MalformedError,
  ProviderError,
  RefusedError,
  UnreachableError,
} from '../../../lib/core/errors/index.js';
import * as library from '../../../lib/index.js';

const ORIGIN = { provider: 'network', step: 'token' } as const;
const unreachable = (code: UnreachableError['code']) =>
  new UnreachableError({ ...ORIGIN, code, message: 'no response.' });
const malformed = (code: MalformedError['code']) =>
  new MalformedError({ ...ORIGIN, code, message: 'not JSON.' });

const TABLE: readonly [string, ProviderError, number, string][] = [
  ['UnreachableError', unreachable('connection_failed'), 502, 'connection_failed'],
  ['UnreachableError', unreachable('tls_failed'), 502, 'tls_failed'],
  ['UnreachableError', unreachable('timeout'), 504, 'timeout'],
  ['UnreachableError', unreachable('response_cut_short'), 502, 'response_cut_short'],
  ['UnreachableError', unreachable('response_too_large'), 502, 'response_too_large'],
  ['UnreachableError', unreachable('redirected'), 502, 'redirected'],
  ['RefusedError', new RefusedError(ORIGIN), 502, 'refused'],
  ['RefusedError', new RefusedError({ ...ORIGIN, means: 'network fault' }), 503, 'refused'],
  ['RefusedError', new RefusedError({ ...ORIGIN, means: 'limit' }), 503, 'rate_limited'],
  ['MalformedError', malformed('unreadable_response'), 502, 'unreadable_response'],
  ['MalformedError', malformed('token_missing'), 502, 'token_missing'],
  ['MalformedError', malformed('token_type_unknown'), 502, 'token_type_unknown'],
  ['MalformedError', malformed('callback_unconfirmed'), 502, 'callback_unconfirmed'],
  ['MalformedError', malformed('state_mismatch'), 502, 'state_mismatch'],
  ['MalformedError', malformed('identifier_missing'), 502, 'identifier_missing'],
  ['MalformedError', malformed('identifier_mismatch'), 502, 'identifier_mismatch'],
];

describe('errors', () => {
  for (const [name, error, status, code] of TABLE) {
    it(`S7: ${name} ${code} has status ${status}, the same statusCode, and is not exposed`, () => {
      expect(error).to.be.instanceOf(ProviderError).and.instanceOf(Error);
      expect(error).to.include({ name, code, status, statusCode: status, expose: false, ...ORIGIN });
    });
  }

  it('a message has the provider, the step, what happened and the hint', () => {
    const error = new UnreachableError({
      ...ORIGIN,
      code: 'timeout',
      message: 'no response.',
      hint: 'Wait.',
    });
    expect(error.message).to.equal('network, token: no response. Wait.');
    expect(unreachable('timeout').message).to.equal('network, token: no response.');
  });

  it('a RefusedError quotes the network’s code and message if there are any', () => {
    const response = { networkCode: 'invalid_grant', networkMessage: 'Code expired.' };
    expect(new RefusedError({ ...ORIGIN, ...response, hint: 'Log in again.' }).message).to.equal(
      'network, token: the network refused: invalid_grant "Code expired." Log in again.',
    );
    expect(new RefusedError({ ...ORIGIN, networkCode: '453' }).message).to.equal(
      'network, token: the network refused: 453.',
    );
    expect(new RefusedError(ORIGIN).message).to.equal(
      'network, token: the network refused without a reason.',
    );
  });

  it('C8: an error response from a URL is not quoted, and its code only if it is a known one', () => {
    const response = { step: 'authorization', networkCode: 'x', networkMessage: 'Call 555-0123' } as const;
    expect(new RefusedError({ ...ORIGIN, ...response }).message).to.equal(
      'network, authorization: the network refused; networkCode and networkMessage have its reason.',
    );
    const known = new RefusedError({ ...ORIGIN, ...response, means: 'limit', hint: 'Try again.' });
    expect(known.message).to.equal('network, authorization: the network refused: x. Try again.');
    expect(known).to.include({ networkCode: 'x', networkMessage: 'Call 555-0123' });
  });

  it('a RefusedError has code, message, request ID and waiting time, and no property for what is absent', () => {
    const details = {
      networkCode: 'x',
      networkMessage: 'y',
      requestId: 'z',
      retryAfter: 7,
      networkStatus: 429,
    };
    expect(new RefusedError({ ...ORIGIN, ...details })).to.include(details);
    const bare = new RefusedError({ ...ORIGIN, networkCode: undefined });
    expect(Object.keys(bare)).to.not.include.members(Object.keys(details));
    expect('networkCode' in bare).to.equal(false);
  });

  it('an error has a cause only if it was given one', () => {
    const cause = new Error('ECONNRESET');
    expect(new UnreachableError({ ...ORIGIN, code: 'timeout', message: 'x', cause }).cause).to.equal(cause);
    expect('cause' in unreachable('timeout')).to.equal(false);
  });

  it('S3: an identifier error says what the response has, and that nobody is logged in', () => {
    const error = identifierError('network', 'profile', 'identifier_missing', 'no data.id');
    expect(error).to.include({ code: 'identifier_missing', status: 502 });
    expect(error.message).to.equal(
      'network, profile: the response has no data.id. Nobody is logged in unless the identifier is certain. Check the addresses in the options.',
    );
  });

  it('a LoginFailure has code and status, may be shown, and is no ProviderError', () => {
    const failure = new LoginFailure('access_denied', 'Declined.');
    expect(failure).to.include({ code: 'access_denied', status: 401, statusCode: 401, message: 'Declined.' });
    expect(failure.expose).to.equal(true);
    expect(failure).to.not.be.instanceOf(ProviderError);
  });

  it('the package exports the errors that applications meet', () => {
    expect(library).to.include({ ProviderError, UnreachableError, RefusedError, MalformedError });
  });
});
