import { expect } from 'chai';
import { cleanIdentifier, cleanText } from '../../../lib/core/errors/index.js';

/** Looks like a token. */
const TOKEN = 'act.s3cRet/+kQ9!~-4Zx7Lm2Wd8Vb5Tn1';
/** Is made of words. */
const PASSPHRASE = 'correct-horse-battery';

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
    expect(cleanText('re\u202edi\u200bre\u2066ct\ufeff_u\u00adr\u{e0041}i\ufe0f\u034f\u3164')).to.equal(
      'redirect_uri',
    );
  });

  it('C8: up to 300 characters stay, a longer text is cut', () => {
    const text = 'word '.repeat(200_000);
    expect(cleanText(text.slice(0, 299))).to.equal(text.slice(0, 299));
    expect(cleanText(text)).to.equal(`${text.slice(0, 299)}…`);
  });
});

describe('redaction: messages that stay as they are', () => {
  for (const message of [
    'redirect_uri does not match',
    'The scope user.info.basic was not granted; errCode 10003, log ID below',
    'code_verifier: HMAC-SHA256 or code_challenge_method=S256, in base64url',
    'OAuth 1.0a and OAuth2, version 5.126, HTTP/1.1 429 after 30s, 75 requests in 15 minutes',
    'accessToken of grantType "authorization_code" is invalid, see redirectURI',
    'Client Forbidden: client-not-enrolled, oauth1-permissions',
    '{"error":"invalid_grant","error_description":"Code expired."}',
    'See https://developers.example.com/oauth2/errors?code=invalid_scope#scopes',
    'getaddrinfo ENOTFOUND open.tiktokapis.com',
    'connect ECONNREFUSED 192.168.100.100:8443',
    'unable to verify the first certificate (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
    'since 2026-11-23T10:20:30.123Z, until 2026-11-24',
    'Неверный client_secret: токен недействителен 🌸',
    '授权码已过期，请重新授权 redirect_uri',
    'Weiterleitungsadresse ungültig, autorisation refusée, solicitud inválida, permintaan kedaluwarsa',
  ]) {
    it(message, () => {
      expect(cleanText(message)).to.equal(message);
    });
  }
});

describe('redaction: tokens that nobody knows', () => {
  const shapes = {
    'an access token': [`token ${TOKEN} expired`, 'token act.[redacted] expired'],
    'a token in a URL': [
      'https://app.example/callback?code=aB3xK9dLq2mZ&state=ok',
      'https://app.example/callback?code=[redacted]&state=ok',
    ],
    'a token in JSON': ['{"refresh_token":"kQ93xZ0pLm"}', '{"refresh_token":"[redacted]"}'],
    'a token beside other letters': ['令牌aB3xK9dLq2mZ无效', '令牌[redacted]无效'],
    'letters alone': ['not qWxhZGRpbjpv!', 'not [redacted]!'],
    'letters alone, in parts without a vowel': ['not PltrsDrnts!', 'not [redacted]!'],
    'digits alone': ['user 2244994945', 'user [redacted]'],
    'a UUID': ['not 550e8400-e29b-41d4-a716-446655440000', 'not [redacted]'],
    base64: [`not ${Buffer.from(PASSPHRASE).toString('base64')}`, 'not [redacted]'],
    hex: [`not ${Buffer.from(PASSPHRASE).toString('hex')}`, 'not [redacted]'],
    'hex with separators': ['not 63:6f:72:72:65:63:74', 'not [redacted]'],
    'percent escapes': ['not %63%6f%72%72%65%63%74', 'not [redacted]'],
    'JSON escapes': ['not \\u0063\\u006f\\u0072', 'not [redacted]'],
    'HTML escapes': ['not &#99;&#111;&#114;&#114;', 'not [redacted]'],
    'a token with spaces in between': ['not k Q 9 3 x Z 0 p L m', 'not [redacted]'],
    'a token, backwards': [`not ${TOKEN.split('').reverse().join('')}`, 'not [redacted].tca'],
  };
  for (const [title, [text, shown]] of Object.entries(shapes)) {
    it(`S10: hidden: ${title}`, () => {
      expect(cleanText(text)).to.equal(shown);
    });
  }

  it('S10: fewer than eight letters and digits stay', () => {
    expect(cleanText('not kQ93xZ0')).to.equal('not kQ93xZ0');
  });
});

describe('redaction: secrets of the request', () => {
  const json = (text: string) => JSON.stringify(text).slice(1, -1);
  const html = (text: string) => text.replace(/[&<>"'-]/g, (character) => `&#${character.charCodeAt(0)};`);
  const echoes: Readonly<Record<string, (secret: string) => string>> = {
    unchanged: (secret) => secret,
    'in capitals': (secret) => secret.toUpperCase(),
    'percent-encoded': encodeURIComponent,
    'as in a form': (secret) => new URLSearchParams({ a: secret }).toString().slice(2),
    'in base64': (secret) => Buffer.from(secret).toString('base64url'),
    'in hex': (secret) => Buffer.from(secret).toString('hex'),
    'in JSON': (secret) => json(`${secret}"`),
    'in HTML': html,
    'cut short': (secret) => secret.slice(0, 12),
    'over two lines': (secret) => `${secret.slice(0, 10)}\r\n${secret.slice(10)}`,
    'with invisible characters': (secret) => secret.split('').join('\u200b'),
  };
  for (const [title, echo] of Object.entries(echoes)) {
    it(`S1: a secret is not shown ${title}`, () => {
      for (const secret of [TOKEN, PASSPHRASE]) {
        const shown = cleanText(`not <${echo(secret)}>, but another`, ['another-secret', secret]);
        expect(shown).to.match(/^not <.{0,8}\[redacted\].{0,2}>, but another$/);
      }
    });
  }

  it('S1: the decoded form of a secret that is percent-encoded is hidden', () => {
    expect(
      cleanText('not клиент:ключ от двери', [
        '%D0%BA%D0%BB%D0%B8%D0%B5%D0%BD%D1%82:%D0%BA%D0%BB%D1%8E%D1%87',
      ]),
    ).to.equal('not [redacted] от двери');
    for (const secret of ['100%zz', 'red-%41-sky'])
      expect(cleanText(`not ${secret}`, [secret])).to.equal('not [redacted]');
  });

  it('S1: every occurrence is hidden, and nothing stays of a secret around another one', () => {
    expect(cleanText(`${PASSPHRASE} and ${PASSPHRASE}`, [PASSPHRASE])).to.equal('[redacted] and [redacted]');
    expect(cleanText('the-token-of-a-login', ['token-of', 'the-token-of-a-login'])).to.equal('[redacted]');
    expect(cleanText('abcabcabcabcx', ['abcabcabcx'])).to.equal('[redacted]');
  });

  it('S1: a secret of four to seven characters is hidden as a whole only, a shorter one never', () => {
    expect(cleanText('not bird, but bir', ['bird', 'but'])).to.equal('not [redacted], but bir');
  });

  it('S1: a secret is hidden before the text is cut', () => {
    const text = `${'word '.repeat(58)}${PASSPHRASE}`;
    expect(cleanText(text, [PASSPHRASE])).to.equal(`${'word '.repeat(58)}[redacted]`);
    expect(cleanText(`${'\u200b'.repeat(5_000)}${PASSPHRASE}`, [PASSPHRASE])).to.equal(undefined);
  });

  it('S1: of many secrets the first ones are searched for, of a long text and a long secret the beginning', () => {
    const long = `${PASSPHRASE}${'%41'.repeat(100_000)}`;
    const secrets = [long, ...Array.from({ length: 100_000 }, (_, index) => `word-${index}`)];
    expect(cleanText(`not ${long}`, secrets)).to.equal('not [redacted]');
    expect(cleanText(`not ${PASSPHRASE}`, secrets)).to.equal('not [redacted]');
  });
});

describe('redaction: cleanIdentifier', () => {
  it('error codes and request IDs stay', () => {
    for (const text of [
      'invalid_grant',
      'oauth1-permissions',
      'Too Many Requests',
      '20220829194722CBE87ED59D524E727021',
    ]) {
      expect(cleanIdentifier(text)).to.equal(text);
    }
    expect(cleanIdentifier(10_003)).to.equal('10003');
    expect(cleanIdentifier(undefined)).to.equal(undefined);
  });

  it('S1: anything with a secret in it, two letter cases or more than 40 characters is a text', () => {
    expect(cleanIdentifier('20220829194722CBE87', ['194722CBE'])).to.equal('[redacted]');
    expect(cleanIdentifier('aB3xK9dLq2mZ')).to.equal('[redacted]');
    const key = 'rb0dnNIxhMrQEIkv1dNZ';
    expect(cleanIdentifier(Buffer.from(key).toString('hex'), [key])).to.equal('[redacted]');
    expect(cleanIdentifier(Buffer.from(PASSPHRASE).toString('hex'))).to.equal('[redacted]');
  });
});
