import crypto = require('node:crypto');

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { areEqual } from '../../lib/core/login/index.js';
import { describeEach } from '../contract/harness.js';

describe('comparisons of secrets', () => {
  it('C19: strings of different lengths are unequal, and nothing is thrown', () => {
    for (const [one, other] of [
      ['abc', 'abcd'],
      ['', 'a'],
      ['a'.repeat(43), 'a'.repeat(1_000_000)],
      ['\ud800', 'a'],
    ] as const) {
      expect(areEqual(one, other)).to.equal(false);
      expect(areEqual(other, one)).to.equal(false);
    }
    expect(areEqual('abc', 'abc')).to.equal(true);
    expect(areEqual('abc', 'abd')).to.equal(false);
  });

  it('C19: no source file compares a state, token, digest or encrypted value with === or a similar operator', () => {
    const found = sourcesOf('lib').flatMap(([file, source]) =>
      comparisonsIn(source).map((comparison) => `${file}: ${comparison}`),
    );
    expect(found.sort()).to.deep.equal(Object.keys(HARMLESS).sort());
  });
});

describeEach('the state or request token of an authorization response', ({ begin }) => {
  it('C19: the state or request token is compared with timingSafeEqual, as digests of equal length', async () => {
    const { browser, callback } = await begin();
    const { timingSafeEqual } = crypto;
    const lengths: number[] = [];
    Object.assign(crypto, {
      timingSafeEqual(one: Buffer, other: Buffer) {
        lengths.push(one.length, other.length);
        return timingSafeEqual(one, other);
      },
    });
    try {
      expect((await browser.get(callback)).status).to.equal(200);
    } finally {
      Object.assign(crypto, { timingSafeEqual });
    }
    // 43 is a SHA-256 digest in base64url; the comparisons of 32 bytes are express-session's.
    expect(lengths.filter((length) => length === 43)).to.have.length.above(1);
    expect(lengths.filter((length) => length !== 43 && length !== 32)).to.deep.equal([]);
  });
});

const PUBLIC_NUMBER = "a user's ID at the network, which is public";

/** Comparisons that leak nothing, each with its reason. */
const HARMLESS: Readonly<Record<string, string>> = {
  'lib/core/errors/failed-request.ts: cleanIdentifier(code, secrets) === code':
    'it asks whether an error code of the machine repeats a secret, and nobody else sees the outcome',
  'lib/core/facts.ts: codes === code': 'error codes of the network, which its documents list',
  "lib/core/login/cookie-logins.ts: bytes.toString('base64url') !== encrypted":
    'compares a string with its own bytes encoded again; both came from the browser',
  'lib/core/login/request.ts: key === name': 'compares parameter names, not values',
  'lib/core/oauth2/strategy.ts: accessToken !== login?.params.access_token':
    'both are tokens of the application, which asks whether one more is to be hidden in messages',
  'lib/core/oauth2/strategy.ts: id !== clientID': 'client IDs are in every authorization URL',
  'lib/microblog/oauth1.ts: user_id !== id': PUBLIC_NUMBER,
  'lib/social-network/vk-id.ts: found?.id === id': PUBLIC_NUMBER,
};

const SECRET_NAMES =
  /^(id|key|state|nonce|digest|idOf|randomSecret|code|secret|secrets|verifier|challenge|echo|encrypted|tag|denied|signature|\w*(_token|Token|_secret|Secret|_verifier|Verifier|_state|State|Digest)|token)$/;
const LITERAL = /^(undefined|null|true|false|-?\d[\d_]*|'[^']*'|"[^"]*")$/;
// An operand: a chain of names, calls and properties, a string, or a template.
const OPERAND = String.raw`(?:typeof\s+)?[\w$]+(?:\??\.[\w$]+|\([^()]*\)|\[[^[\]]*\])*|'[^']*'|"[^"]*"|\x60[^\x60]*\x60`;
const COMPARISON = new RegExp(`(${OPERAND})\\s*(?:===?|!==?)\\s*(${OPERAND})`, 'g');

/** The comparisons in a source file where one side has the name of a secret and neither side is a literal. */
function comparisonsIn(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|(?<![:'"])\/\/.*$/gm, '');
  return [...code.matchAll(COMPARISON)]
    .filter(([, left = '', right = '']) => {
      if ([left, right].some((side) => LITERAL.test(side) || side.startsWith('typeof '))) return false;
      return [left, right].some((side) => namesIn(side).some((name) => SECRET_NAMES.test(name)));
    })
    .map(([comparison]) => comparison);
}

function namesIn(operand: string): string[] {
  if (operand.startsWith('`')) return operand.match(/[\w$]+/g) ?? [];
  const name = operand.replace(/\([^()]*\)$/, '').replace(/\['([^']*)'\]$/, '.$1');
  return [name.match(/[\w$]+$/)?.[0] ?? ''];
}

/** The library's source files, without the sandbox, whose codes and tokens protect nothing. */
function sourcesOf(folder: string): [string, string][] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('sandbox'))
    .map((file) => join(folder, file))
    .map((file): [string, string] => [file.replaceAll('\\', '/'), readFileSync(file, 'utf8')]);
}
