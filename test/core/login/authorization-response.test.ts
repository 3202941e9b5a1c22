import { expect } from 'chai';
import { LoginFailure } from '../../../lib/core/errors/index.js';
import { LONGEST_PARAMETER, readAuthorizationResponse } from '../../../lib/core/login/index.js';
import { thrownBy } from '../../support/thrown.js';

const NAMES = ['code', 'state', 'error', 'error_description', 'scopes'];
const REQUIRED = ['code', 'state', 'error'];
const read = (query: unknown, url?: string) => readAuthorizationResponse({ query, url }, NAMES, REQUIRED);

function expectMalformed(query: unknown, name: string): void {
  const failure = thrownBy(() => read(query)) as LoginFailure;
  expect(failure).to.be.instanceOf(LoginFailure);
  expect(failure.code).to.equal('malformed_response');
  expect(failure.status).to.equal(400);
  expect(failure.message).to.include(`parameter ${name} `);
}

describe('authorization response', () => {
  it('the parameters that the network may send are read', () => {
    expect(read({ code: 'c', state: 's' })).to.deep.equal({ code: 'c', state: 's' });
  });

  it('an application’s own parameters are ignored', () => {
    expect(read({ code: 'c', utm_source: ['x', 'y'], lang: 'ru' })).to.deep.equal({ code: 'c' });
  });

  it('a request with none of the parameters starts a login', () => {
    expect(read({})).to.equal(undefined);
    expect(read({ lang: 'ru' })).to.equal(undefined);
  });

  it('C9: a parameter that comes twice is malformed, in every form of every query parser', () => {
    expectMalformed({ code: ['a', 'b'] }, 'code');
    expectMalformed({ code: ['a'] }, 'code');
    expectMalformed({ 'state[]': 'x' }, 'state');
    expectMalformed({ 'state[a][b]': 'x' }, 'state');
    expectMalformed({ state: { a: 'x' } }, 'state');
    expectMalformed({ code: 'a', error_description: ['x', 'y'] }, 'error_description');
  });

  it('C9: an empty code, state or error is malformed; an empty description or scope list is not', () => {
    for (const name of REQUIRED) expectMalformed({ [name]: '' }, name);
    expect(read({ code: 'c', error_description: '', scopes: '' })).to.deep.equal({
      code: 'c',
      error_description: '',
      scopes: '',
    });
  });

  it('C9: anything but a string is malformed', () => {
    for (const value of [null, undefined, 1, true, {}]) expectMalformed({ code: value }, 'code');
  });

  it('C8: a value of up to 8192 characters is read, a longer one is malformed', () => {
    expect(LONGEST_PARAMETER).to.equal(8_192);
    expect(read({ code: 'c'.repeat(8_192) })?.code).to.have.length(8_192);
    expectMalformed({ code: 'c'.repeat(8_193) }, 'code');
    expectMalformed({ code: 'c', error_description: 'd'.repeat(1_000_000) }, 'error_description');
  });

  it('C8: the failure names the parameter, and does not repeat its value', () => {
    const failure = thrownBy(() => read({ code: ['<script>', 'x'] })) as LoginFailure;
    expect(failure.message).to.equal(
      "The callback's parameter code was sent twice, is empty, is too long or is not a string. Start the login again.",
    );
  });

  it('C12: one parameter alone makes the request an authorization response', () => {
    for (const name of NAMES) expect(read({ [name]: 'x' })).to.deep.equal({ [name]: 'x' });
  });

  it('C10: the body is not read', () => {
    const request = { query: {}, body: { code: 'c', state: 's' } };
    expect(readAuthorizationResponse(request, NAMES, REQUIRED)).to.equal(undefined);
  });

  it('without a parsed query, the URL is parsed', () => {
    expect(read(undefined, '/callback?code=a%2Ab&state=s&x=1')).to.deep.equal({ code: 'a*b', state: 's' });
    expect(read(undefined, '/callback')).to.equal(undefined);
    expect(read(undefined, undefined)).to.equal(undefined);
    expect(() => read(undefined, '/callback?code=a&code=b')).to.throw(LoginFailure);
  });

  it('if the framework leaves the query empty, the URL is parsed', () => {
    expect(read({}, '/callback?code=a&state=s?t')).to.deep.equal({ code: 'a', state: 's?t' });
    expect(read({ code: 'parsed' }, '/callback?code=a')).to.deep.equal({ code: 'parsed' });
    expect(read(undefined, '//evil.example/callback?code=a')).to.deep.equal({ code: 'a' });
  });

  it('names of Object.prototype are parameters like any other', () => {
    expect(read({ constructor: 'x', toString: 'y' })).to.equal(undefined);
    expect(read(JSON.parse('{"__proto__":{"code":"c"}}'))).to.equal(undefined);
  });
});
