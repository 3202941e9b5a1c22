import { expect } from 'chai';
import {
  exactIdentifier,
  identifierError,
  isObject,
  member,
  readForm,
  readJSONObject,
  textMember,
  tryJSON,
  unreadable,
  withMembers,
} from '../../lib/core/answer.js';
import { MalformedError } from '../../lib/core/errors.js';
import type { Answer } from '../../lib/core/exchange.js';
import { thrownBy } from '../support/thrown.js';

const ORIGIN = { provider: 'network', step: 'profile' } as const;
const answer = (text: string, status = 200, wellFormed = true): Answer => ({
  status,
  headers: {},
  text,
  wellFormed,
});

describe('answer: members', () => {
  it('only own members are read', () => {
    expect(member({ a: 1 }, 'a')).to.equal(1);
    expect(member({}, 'constructor')).to.equal(undefined);
    expect(member(JSON.parse('{"__proto__":{"id":"x"}}'), 'id')).to.equal(undefined);
    for (const value of [null, undefined, 'text', 7, ['a']])
      expect(member(value, 'length')).to.equal(undefined);
  });

  it('a text member is a text that is not empty', () => {
    expect(textMember({ a: 'x' }, 'a')).to.equal('x');
    for (const a of ['', 7, null, true, {}, ['x']]) expect(textMember({ a }, 'a')).to.equal(undefined);
  });

  it('an object is neither null nor an array', () => {
    expect([{}, { a: 1 }, null, [], 'x', undefined].map(isObject)).to.deep.equal([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('answer: reading', () => {
  it('T8: a JSON object is read', () => {
    expect(readJSONObject(answer('{"a":1}'), ORIGIN)).to.deep.equal({ a: 1 });
  });

  const bodies: Readonly<Record<string, [string, string]>> = {
    'an empty body': ['', 'an empty body'],
    'white space': [' \n', 'an empty body'],
    null: ['null', 'JSON null'],
    'an array': ['[{"id":1}]', 'a JSON array (10 characters)'],
    'a JSON text': ['"secret"', 'a JSON string (8 characters)'],
    'a number': ['42', 'a JSON number (2 characters)'],
    'a page': ['<html>secret</html>', 'a page (HTML or XML, 19 characters)'],
    'a form': ['access_token=secret', 'text (19 characters)'],
    'JSON that is cut short': ['{"access_token":"secret', 'text (23 characters)'],
  };
  for (const [title, [text, described]] of Object.entries(bodies)) {
    it(`T8: ${title} is unreadable, and the error does not quote it`, () => {
      const error = thrownBy(() => readJSONObject(answer(text), ORIGIN)) as MalformedError;
      expect(error).to.be.instanceOf(MalformedError);
      expect(error).to.include({ code: 'unreadable_answer', networkStatus: 200, ...ORIGIN });
      expect(error.message).to.equal(
        `network, profile: expected a JSON object, but HTTP 200 brought ${described}. Check the address in the options, and for a proxy or a captive page in between.`,
      );
    });
  }

  it('T8: a text that is not UTF-8 is unreadable', () => {
    const error = thrownBy(() => readJSONObject(answer('{"a":"\ufffd"}', 200, false), ORIGIN)) as Error;
    expect(error.message).to.include('brought text that is not UTF-8 (9 characters)');
  });

  it('a fault of the network has another remedy than a wrong address', () => {
    expect(unreadable(answer('<html>', 503), ORIGIN, 'JSON').message).to.include(
      'HTTP 503 brought a page (HTML or XML, 6 characters). The network has a fault; try again later.',
    );
  });

  it('a form is read with each name once, decoded', () => {
    expect(readForm(answer('oauth_token=a%2Bb&x=c+d'), ORIGIN)).to.deep.equal({
      oauth_token: 'a+b',
      x: 'c d',
    });
  });

  it('O4: a form with a name twice, an empty one or one that is not UTF-8 is unreadable', () => {
    for (const bad of [answer('a=1&a=2'), answer(''), answer('a=1', 200, false)]) {
      expect(() => readForm(bad, ORIGIN)).to.throw(MalformedError, 'expected a form with each name once');
    }
  });

  it('S3: an identifier error says what was found and that nobody is logged in', () => {
    const error = identifierError(ORIGIN, 'identifier_missing', 'no data.id');
    expect(error).to.include({ code: 'identifier_missing', status: 502 });
    expect(error.message).to.equal(
      'network, profile: the answer has no data.id. Nobody is logged in without a certain identifier. Check the addresses in the options.',
    );
  });
});

describe('answer: exactIdentifier', () => {
  const id = (text: string) =>
    exactIdentifier({ text, body: tryJSON(text) }, (parsed) => member(parsed, 'id'));

  it('S3: 2^53+1, and longer numbers, keep every digit', () => {
    expect(id('{"id":9007199254740993}')).to.equal('9007199254740993');
    expect(id('{"id":1823456789012345679}')).to.equal('1823456789012345679');
    expect(id('{"id":123456789012345678901234567890}')).to.equal('123456789012345678901234567890');
  });

  it('small numbers and texts are taken as they are', () => {
    expect(id('{"id":1}')).to.equal('1');
    expect(id('{"id":0}')).to.equal('0');
    expect(id('{"id":-5}')).to.equal('-5');
    expect(id('{"id":9007199254740991}')).to.equal('9007199254740991');
    expect(id('{"id":"007"}')).to.equal('007');
    expect(id('{"id":"-0Xq"}')).to.equal('-0Xq');
  });

  it('S3: what is neither a whole number nor a text is no identifier', () => {
    for (const value of [
      '""',
      'null',
      'true',
      '{}',
      '[1]',
      '1.5',
      '1e3000',
      '1e20',
      '1.0',
      '9007199254740990.7',
      '1.00000000000000000001',
      '4503599627370496.4',
      '1e0',
    ]) {
      expect([value, id(`{"id":${value}}`)]).to.deep.equal([value, undefined]);
    }
    expect(id('{}')).to.equal(undefined);
    expect(id('not JSON')).to.equal(undefined);
  });

  it('digits inside texts stay, whatever stands around them', () => {
    const text = '{"name":"id\\":12345678901234567890,","id":9007199254740993,"n":"12345678901234567890"}';
    const parsed: unknown[] = [];
    expect(
      exactIdentifier({ text, body: tryJSON(text) }, (body) => parsed.push(body) && member(body, 'id')),
    ).to.equal('9007199254740993');
    expect(parsed).to.deep.equal([
      { name: 'id":12345678901234567890,', id: '9007199254740993', n: '12345678901234567890' },
    ]);
  });
});

describe('answer: withMembers', () => {
  it('is a copy with more members, which win', () => {
    const members = { a: 1, b: 2 };
    expect(withMembers(members, { b: 3, c: 4 })).to.deep.equal({ a: 1, b: 3, c: 4 });
    expect(members).to.deep.equal({ a: 1, b: 2 });
  });

  it('S3: a __proto__ of the network’s is a member like any other', () => {
    const poisoned = tryJSON('{"__proto__":{"id":"another"},"a":1}') as object;
    for (const copy of [withMembers(poisoned, { b: 2 }), withMembers({ b: 2 }, poisoned)]) {
      expect(Object.getPrototypeOf(copy)).to.equal(Object.prototype);
      expect(Object.keys(copy)).to.include('__proto__');
      expect((copy as { id?: string }).id).to.equal(undefined);
    }
  });
});
