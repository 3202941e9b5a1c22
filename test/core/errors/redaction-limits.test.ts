import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { cleanText } from '../../../lib/core/errors/index.js';
import { stringProperty } from '../../../lib/core/http/index.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { getRequest, networkClient } from '../../support/network-client.js';
import { realSockets } from '../../support/real-sockets.js';
import { network } from '../../support/server.js';
import { rejectionOf } from '../../support/thrown.js';

/** A secret of any length in which nothing repeats. */
function secretOf(length: number): string {
  let text = '';
  for (let part = 0; text.length < length; part += 1) {
    text += createHash('sha256').update(String(part)).digest('base64url');
  }
  return text.slice(0, length);
}

/** Whether a text has eight consecutive characters of a secret. */
function showsPartOf(secret: string, text = ''): boolean {
  return Array.from({ length: Math.max(0, text.length - 7) }, (_, index) =>
    text.slice(index, index + 8),
  ).some((part) => secret.includes(part));
}

const SECRET = `k/9+?${secretOf(43)}<&"'>`;

describe('redaction: long secrets', () => {
  it('S1: a secret of nine thousand characters is not shown, and nothing throws', () => {
    const secret = secretOf(9_000);
    expect(cleanText(secret, [secret])).to.equal('[redacted]');
    expect(showsPartOf(secret, cleanText(`not you, ${secret}`, [secret]))).to.equal(false);
    expect(cleanText(`not ${secret.slice(1, 900)} you`, [secret])).to.equal('not [redacted] you');
  });

  it('S1, S10: nothing is quoted if there are more than ten thousand characters of secrets', () => {
    const secrets = [secretOf(6_000), secretOf(4_000)];
    expect(cleanText('client_secret is invalid', secrets)).to.equal('client_secret is invalid');
    expect(cleanText('client_secret is invalid', [...secrets, 'x'])).to.equal(undefined);
  });

  for (const length of [40, 200, 400, 700, 999, 1_000, 1_300, 1_900, 4_000, 5_000]) {
    it(`S1: a secret of ${length} characters is not shown in part if it repeats beyond the search limit`, () => {
      const secret = secretOf(length);
      for (const text of [
        Array.from({ length: 8_000 / length + 3 }, () => secret).join(' '),
        `${'-'.repeat(Math.max(0, 1_000 - Math.floor(length / 2)))}${secret}`,
        `${'\u200b'.repeat(5_000)}${' '.repeat(10)}${secret} ${secret} ${secret} ${secret}`,
      ]) {
        expect(showsPartOf(secret, cleanText(text, [secret]))).to.equal(false);
      }
    });
  }

  it('S1: a text longer than the search limit keeps its beginning', () => {
    const secret = secretOf(400);
    const shown = cleanText(`not you: ${secret} ${'.'.repeat(5_000)}`, [secret]);
    expect(shown)
      .to.be.a('string')
      .that.matches(/^not you: \[redacted\] \.+…$/);
  });
});

describe('redaction: spellings in which servers echo', () => {
  const bytes = Buffer.from(SECRET);
  const html = SECRET.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  const encodedAt = (offset: number, encoding: 'base64' | 'base64url') =>
    Buffer.concat([Buffer.from('id:').subarray(0, offset), bytes, Buffer.from('!!')]).toString(encoding);
  const spellings = {
    'in hex': bytes.toString('hex'),
    'in hex with colons': bytes.toString('hex').replace(/..(?=.)/g, '$&:'),
    'in hex with prefixes': bytes.toString('hex').replace(/../g, '0x$&, '),
    'in hex with capitals': bytes.toString('hex').toUpperCase(),
    'in base64 from its first byte': encodedAt(0, 'base64'),
    'in base64 from its second byte': encodedAt(1, 'base64'),
    'in base64 from its third byte': encodedAt(2, 'base64'),
    'in base64url from its first byte': encodedAt(0, 'base64url'),
    'in base64url from its second byte': encodedAt(1, 'base64url'),
    'in base64url from its third byte': encodedAt(2, 'base64url'),
    'percent-encoded twice': encodeURIComponent(encodeURIComponent(SECRET)),
    'with numeric HTML references': html,
    'split by spaces': Array.from(SECRET).join(' '),
    'split by line ends': (SECRET.match(/.{1,5}/gs) ?? []).join('\r\n'),
  };
  for (const [title, spelling] of Object.entries(spellings)) {
    it(`S1: a secret is not shown ${title}`, () => {
      const shown = cleanText(`<${spelling}>`, [SECRET]) ?? '';
      expect(shown).to.include('[redacted]');
      expect(showsPartOf(spelling.slice(8, -8).replace(/\s/g, ''), shown.replace(/\s/g, ''))).to.equal(false);
    });
  }
});

describe('redaction: responses with many secrets', () => {
  realSockets();
  const close = closesAfterEach();
  const tokens = (count: number) =>
    Array.from({ length: count }, (_, index) => `the-token-number-${index}-of-many`);

  async function errorOf(body: { readonly message: string; readonly tokens: readonly string[] }) {
    const { url } = close(await network(() => ({ status: 400, body })));
    const client = networkClient({
      errorResponses: {
        read: (response) => ({ networkMessage: stringProperty(response.body, 'message') }),
        hints: { byCode: {} },
      },
    });
    return rejectionOf(client.requestJSON(getRequest(url)));
  }

  it('S1: nothing is quoted from a response with more than two hundred secrets', async () => {
    const list = tokens(300);
    const error = (await errorOf({ message: `not ${list.at(-1)}`, tokens: list })) as Error;
    expect(error).to.include({ name: 'RefusedError', networkStatus: 400 });
    expect(error).to.not.have.property('networkMessage');
    expect(error.message).to.equal('network, profile: the network refused without a reason. HTTP 400.');
  });

  it('S1: a message from a response with two secrets is quoted without them', async () => {
    const list = tokens(2);
    const error = await errorOf({ message: `not ${list.at(-1)}`, tokens: list });
    expect(error).to.include({ networkMessage: 'not [redacted]' });
  });
});
