import { inspect } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import { cleanText, Secrets } from '../../../lib/core/errors/index.js';
import { redact } from '../../../lib/core/errors/redaction.js';
import { percentEncode } from '../../../lib/core/http/index.js';
import { PARTIAL_ECHOES, PUNCTUATED_SECRET, showsRunOf } from '../../support/secret-spellings.js';

const SECRET = 'act.s3cret/+=*!~-0123456789';

describe('redaction: cleanText', () => {
  it('anything but a string or number becomes undefined', () => {
    for (const value of [undefined, null, true, {}, ['a'], () => 'a', 1n]) {
      expect(cleanText(value)).to.equal(undefined);
    }
    expect(cleanText(453)).to.equal('453');
    expect(cleanText('')).to.equal(undefined);
    expect(cleanText(' \n ')).to.equal(undefined);
  });

  it('C8: the result is one line without control characters', () => {
    expect(cleanText('a\r\nSet-Cookie: x\u2028b\tc')).to.equal('a  Set-Cookie: x b c');
    expect(cleanText('a\u0000b\u001b[31mc\u007f')).to.equal('ab[31mc');
  });

  it('C8: invisible characters, and those that change the reading direction, are removed', () => {
    expect(cleanText('a\u202eb\u200bc\u2066d\ufeffe\u00adf\u{e0041}g\ufe0fh\u034fi\u3164j')).to.equal(
      'abcdefghij',
    );
  });

  it('letters of all scripts, and emoji, stay', () => {
    expect(cleanText('Токен 花子 🌸 é')).to.equal('Токен 花子 🌸 é');
  });

  it('C8: up to 300 characters stay, a longer text is cut', () => {
    expect(cleanText('x'.repeat(300))).to.equal('x'.repeat(300));
    expect(cleanText('x'.repeat(301))).to.equal(`${'x'.repeat(299)}…`);
    expect(cleanText('x'.repeat(1_000_000))).to.equal(`${'x'.repeat(299)}…`);
  });

  it('S1: a secret is replaced before the text is cut', () => {
    const text = `${'x'.repeat(290)}${SECRET}`;
    expect(cleanText(text, [SECRET])).to.equal(`${'x'.repeat(290)}[redacted]`);
  });

  it('S1, S10: a secret that is cut off is replaced from eight characters on', () => {
    for (const length of [8, 13, SECRET.length - 1]) {
      for (const spell of [
        (text: string) => text,
        (text: string) => text.toUpperCase(),
        encodeURIComponent,
      ]) {
        const cut = spell(SECRET).slice(0, length);
        expect(cleanText(`not you, ${cut}`, ['another-secret', SECRET]), cut).to.equal('not you, [redacted]');
        expect(cleanText(`${cut}: cut`, [SECRET]), cut).to.equal('[redacted]: cut');
      }
    }
    expect(cleanText('not you, act.s3c', [SECRET])).to.equal('not you, act.s3c');
    expect(cleanText(`İ ${SECRET.slice(0, 13)}`, [SECRET])).to.equal('İ [redacted]');
    expect(cleanText('of xxxxxxxxxxxxx', ['xxxxxxxxxxxxxxxxy'])).to.equal('of [redacted]');
  });

  it('S1: a secret with invisible characters in it is replaced', () => {
    for (const separator of [
      '\u200b',
      '\ufeff',
      '\u00ad',
      '\u0000',
      '\ufe0f',
      '\u034f',
      '\u3164',
      '\u{e0061}',
    ]) {
      expect(cleanText(SECRET.split('').join(separator), [SECRET])).to.equal('[redacted]');
    }
  });
});

describe('redaction: redact', () => {
  const spellings = {
    unchanged: SECRET,
    'percent-encoded': encodeURIComponent(SECRET),
    'percent-encoded in lower case': encodeURIComponent(SECRET).replace(/%../g, (code) => code.toLowerCase()),
    'percent-encoded strictly': percentEncode(SECRET),
    'as in a form': new URLSearchParams({ a: SECRET }).toString().slice(2),
    'in base64': Buffer.from(SECRET).toString('base64'),
    'in base64url': Buffer.from(SECRET).toString('base64url'),
    'in base64 without padding': Buffer.from(SECRET).toString('base64').replace(/=+$/, ''),
    'percent-encoded twice': encodeURIComponent(encodeURIComponent(SECRET)),
    'in hex': Buffer.from(SECRET).toString('hex'),
    'in capitals': SECRET.toUpperCase(),
  };
  for (const [title, spelling] of Object.entries(spellings)) {
    it(`S1: a secret is replaced, ${title}`, () => {
      expect(redact(`before ${spelling} after`, [SECRET]).replace('==', '').replace('=', '')).to.equal(
        'before [redacted] after',
      );
    });
  }

  it('S1: a secret with quotes and line ends is replaced in JSON', () => {
    const secret = 'a"quoted"\nsecret';
    expect(redact(JSON.stringify({ secret }), [secret])).to.equal('{"secret":"[redacted]"}');
  });

  it('S1: a secret with markup is replaced in HTML', () => {
    const secret = 'a<b>&"secret"-0123';
    const html = secret
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;');
    expect(redact(`<p>${html}</p>`, [secret])).to.equal('<p>[redacted]</p>');
  });

  const bytes = [...Buffer.from(SECRET)].map((byte) => byte.toString(16).padStart(2, '0'));
  const escapes = {
    'with every character percent-encoded': bytes.map((byte) => `%${byte}`).join(''),
    'with every character percent-encoded twice': bytes.map((byte) => `%25${byte}`).join(''),
    'in JSON escapes': bytes.map((byte) => `\\u00${byte}`).join(''),
    'in JavaScript escapes': bytes.map((byte) => `\\x${byte}`).join(''),
    'in decimal HTML references': [...Buffer.from(SECRET)].map((byte) => `&#${byte};`).join(''),
    'in hexadecimal HTML references': bytes.map((byte) => `&#x${byte};`).join(''),
    'with spaces in between': SECRET.split('').join(' '),
    'with one half escaped':
      SECRET.slice(0, 5) +
      bytes
        .slice(5)
        .map((byte) => `%${byte}`)
        .join(''),
  };
  for (const [title, spelling] of Object.entries(escapes)) {
    it(`S1: a secret is replaced ${title}`, () => {
      expect(redact(`before ${spelling} after`, [SECRET])).to.equal('before [redacted] after');
    });
  }

  it('an escape of no character stays as it is', () => {
    expect(redact('&#x110000; &#9999999; %zz', ['the-secret'])).to.equal('&#x110000; &#9999999; %zz');
  });

  it('S1: every occurrence is replaced', () => {
    expect(redact(`${SECRET} ${SECRET}`, [SECRET])).to.equal('[redacted] [redacted]');
  });

  it('S1: a secret that is part of a longer one leaves nothing of the longer one', () => {
    expect(redact('token-0123456789-long', ['0123456789', 'token-0123456789-long'])).to.equal('[redacted]');
  });

  it('characters with a meaning in regular expressions are taken literally', () => {
    expect(redact('a.b*c(d)', ['a.b*c(d)'])).to.equal('[redacted]');
    expect(redact('axbbc', ['a.b*c'])).to.equal('axbbc');
  });

  it('secrets of fewer than four characters are ignored: ordinary words would disappear', () => {
    expect(redact('the cat sat', ['', 'a', 'cat'])).to.equal('the cat sat');
  });

  it('S1: a random secret is removed from a random text that repeats it', () => {
    const secret = fc
      .string({ unit: 'grapheme', minLength: 8, maxLength: 40 })
      .filter((text) => /^[^[\]]{8,}$/.test(text));
    fc.assert(
      fc.property(secret, fc.string(), (value, around) => {
        const text = `${around}|${value}|${encodeURIComponent(value.toWellFormed())}|${Buffer.from(value).toString('base64')}`;
        expect(redact(text, [value])).to.not.include(value);
      }),
    );
  });
});

describe('redaction: runs of a secret', () => {
  for (const [title, echo] of Object.entries(PARTIAL_ECHOES)) {
    it(`S10: a secret is not shown ${title}`, () => {
      const echoed = echo(PUNCTUATED_SECRET);
      const shown = cleanText(`not ${echoed} is wrong`, ['another-secret', PUNCTUATED_SECRET]) ?? '';
      expect(showsRunOf(echoed, shown), shown).to.equal(false);
      expect(shown).to.match(/^not \S{0,7}\[redacted\].* is wrong$/);
    });
  }

  it('S10: 34 of 38 characters of a secret, shortened in the middle, are hidden', () => {
    const secret = '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Jf5';
    const echoed = `${secret.slice(0, 17)}...${secret.slice(-17)}`;
    expect(cleanText(`client_secret ${echoed} is wrong`, [secret])).to.equal(
      'client_secret [redacted]...[redacted] is wrong',
    );
  });

  it('S10: a secret is hidden between other escapes, whatever its punctuation', () => {
    const secret = 'abcdefg+/=hijklmn+/=opqrstu+/=';
    const hex = (text: string) =>
      text.replace(/./g, (character) => `%${character.charCodeAt(0).toString(16)}`);
    expect(redact(`not ${hex(secret)} or &#x61;${secret.slice(1)}`, [secret])).to.equal(
      'not [redacted] or [redacted]',
    );
    expect(redact(`not ${hex(hex(secret))}, ${secret.split('').join(' ')}`, [secret])).to.equal(
      'not [redacted], [redacted]',
    );
  });

  it('S10: a secret outside ASCII is hidden in percent-encoding and JSON escapes', () => {
    const secret = 'пароль-Σίσυφος-花子-İ';
    const units = Array.from({ length: secret.length }, (_, index) => secret.charCodeAt(index));
    const json = units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
    const echoes = [secret, secret.slice(3, 12), encodeURIComponent(secret), json];
    for (const echoed of echoes) expect(redact(`not ${echoed}!`, [secret])).to.equal('not [redacted]!');
  });

  it('S10: a secret that contains what looks like an escape is hidden in escapes of one kind', () => {
    const secret = 'a"b%41c&#65;d\\t/e<f';
    for (const echoed of [
      JSON.stringify(secret).slice(1, -1),
      secret.replaceAll('/', '\\/'),
      encodeURIComponent(secret),
      encodeURI(secret),
      secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
    ]) {
      expect(redact(`not ${echoed}!`, [secret])).to.equal('not [redacted]!');
    }
  });

  it('S10: seven characters of a secret stay, and so does a text without it', () => {
    const secret = 'client-secret-0123456789';
    for (const text of [
      'client_secret is invalid',
      'not client- or 0123456',
      'client_secret%20is%2520invalid &amp; wrong &unknown; \\q',
      'The authorization code is expired, log ID 20221122010203040506',
    ]) {
      expect(cleanText(text, [secret])).to.equal(text);
    }
  });

  it('S1: a secret of four to seven characters is hidden as a whole only', () => {
    expect(redact('not s3c/et, s3c%2Fet, S3C\\/ET or s 3 c / e t', ['s3c/et'])).to.equal(
      'not [redacted], [redacted], [redacted] or [redacted]',
    );
    expect(redact('not s3c/e', ['s3c/et'])).to.equal('not s3c/e');
  });
});

describe('redaction: Secrets', () => {
  const secretsIn = (...sources: unknown[]) => new Secrets(...sources).list();

  it('lists strings as they are, and in a response the strings under names of secrets', () => {
    const body = {
      access_token: 'a',
      data: { refresh_token: 'b', list: [{ client_secret: 'c' }] },
      id_token: 'd',
      code_verifier: 'e',
      Password: 'f',
      'set-cookie': 'g',
    };
    expect(secretsIn(body)).to.have.members(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    expect(secretsIn('the-code', body, 'the-state')).to.include.members(['the-code', 'a', 'the-state']);
  });

  it('ignores other names, other values, and the network’s error codes', () => {
    expect(
      secretsIn({ code: 'invalid_grant', token_type: 'bearer', access_token: 7, expires_in: 1 }),
    ).to.deep.equal([]);
    for (const value of [null, 7, undefined, true]) expect(secretsIn(value)).to.deep.equal([]);
  });

  it('S1: a secret that is added later is listed as well', () => {
    const secrets = new Secrets('the-code');
    secrets.add('the-verifier', { access_token: 'the-token' });
    expect(secrets.list()).to.deep.equal(['the-code', 'the-verifier', 'the-token']);
  });

  it('S2: printing shows none of them', () => {
    const secrets = new Secrets('the-code', { access_token: 'the-token' });
    expect(inspect(secrets, { depth: 9, showHidden: true })).to.equal('Secrets {}');
    expect(JSON.stringify(secrets)).to.equal('{}');
  });

  it('stops in a response that is nested very deep', () => {
    let body: object = { access_token: 'deep' };
    for (let level = 0; level < 1_000; level += 1) body = { body };
    expect(secretsIn(body)).to.deep.equal([]);
  });
});
