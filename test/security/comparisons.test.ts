import crypto = require('node:crypto');

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { equalSecrets } from '../../lib/core/proof.js';
import { describeEach } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { callbackOf } from '../support/journey.js';

describe('comparisons of secrets', () => {
  it('C19: texts of different lengths are unequal, and nothing is thrown', () => {
    for (const [one, other] of [
      ['abc', 'abcd'],
      ['', 'a'],
      ['a'.repeat(43), 'a'.repeat(1_000_000)],
      ['\ud800', 'a'],
    ] as const) {
      expect(equalSecrets(one, other)).to.equal(false);
      expect(equalSecrets(other, one)).to.equal(false);
    }
    expect(equalSecrets('abc', 'abc')).to.equal(true);
    expect(equalSecrets('abc', 'abd')).to.equal(false);
  });

  it('C19: no source compares a state, token, digest or seal with === or its like', () => {
    const found = sourcesOf('lib').flatMap(([file, source]) =>
      comparisonsIn(source).map((comparison) => `${file}: ${comparison}`),
    );
    expect(found.sort()).to.deep.equal(Object.keys(HARMLESS).sort());
  });

  it('C19: the search finds such a comparison', () => {
    for (const bad of [
      'if (callback.state !== pending.state) return;',
      'return login.id === loginID(owner, key);',
      'const ok = params.oauth_token === token;',
      'if (digestOf(a) == expected.digest) {}',
      'found.secret !== `verifier`',
      "a[0] === this.pending['verifier']",
    ]) {
      expect(comparisonsIn(bad), bad).to.have.length(1);
    }
    for (const fine of [
      'if (state === undefined) return;',
      "typeof login.id !== 'string'",
      "token === ''",
      '// state === other',
      "x.code === 'timeout'",
    ]) {
      expect(comparisonsIn(fine), fine).to.deep.equal([]);
    }
  });
});

describeEach('the state or request token of a callback', ({ subject, sandbox, strategy, app }) => {
  it('C19: is compared with timingSafeEqual, over digests of one length', async () => {
    const server = await app(strategy(await sandbox()));
    const browser = new Browser();
    const callback = await callbackOf(browser, server, subject.provider);
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
    // A SHA-256 digest in base64url; those of 32 bytes are express-session's own.
    expect(lengths.filter((length) => length === 43)).to.have.length.above(1);
    expect(lengths.filter((length) => length !== 43 && length !== 32)).to.deep.equal([]);
  });
});

const PUBLIC_NUMBER = "a person's number at the network, which is public";

/** Comparisons that give nothing away, each with its reason. */
const HARMLESS: Readonly<Record<string, string>> = {
  'lib/core/session-logins.ts: id !== login.id':
    'both are identifiers of logins in one session, and the new one was made by this process just now',
  'lib/core/session-logins.ts: login.id === id':
    'finds a record among those of one session; what is found is compared once more, in constant time, before it is believed',
  "lib/core/seal.ts: bytes.toString('base64url') !== sealed":
    'a text is compared with its own bytes written anew, and both came from the browser',
  'lib/core/callback.ts: key !== name': 'the names of parameters, not their values',
  'lib/microblog/oauth1.ts: params.user_id !== id': PUBLIC_NUMBER,
  'lib/social-network/classic.ts: expected !== id': PUBLIC_NUMBER,
  'lib/social-network/vk-id.ts: expected !== id': PUBLIC_NUMBER,
  'lib/social-network/vk-id.ts: found?.id === id': PUBLIC_NUMBER,
};

const SECRET_NAMES =
  /^(id|key|state|nonce|digest|digestOf|loginID|newSecret|code|secret|secrets|verifier|challenge|echo|sealed|seal|tag|denied|signature|\w*(_token|Token|_secret|Secret|_verifier|Verifier|_state|State|Digest)|token)$/;
const LITERAL = /^(undefined|null|true|false|-?\d[\d_]*|'[^']*'|"[^"]*")$/;
// An operand: names, calls and members in a row, a text, or a template.
const OPERAND = String.raw`(?:typeof\s+)?[\w$]+(?:\??\.[\w$]+|\([^()]*\)|\[[^[\]]*\])*|'[^']*'|"[^"]*"|\x60[^\x60]*\x60`;
const COMPARISON = new RegExp(`(${OPERAND})\\s*(?:===?|!==?)\\s*(${OPERAND})`, 'g');

/** The comparisons in a source of which a side has a secret's name, and neither is a literal. */
function comparisonsIn(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|(?<![:'"])\/\/.*$/gm, '');
  return [...code.matchAll(COMPARISON)]
    .filter(([, left = '', right = '']) => {
      if ([left, right].some((side) => LITERAL.test(side) || side.startsWith('typeof '))) return false;
      return [left, right].some((side) => namesIn(side).some((name) => SECRET_NAMES.test(name)));
    })
    .map(([comparison]) => comparison);
}

/** The last name of an operand: of a call, the function; of a template, every name in it. */
function namesIn(operand: string): string[] {
  if (operand.startsWith('`')) return operand.match(/[\w$]+/g) ?? [];
  const name = operand.replace(/\([^()]*\)$/, '').replace(/\['([^']*)'\]$/, '.$1');
  return [name.match(/[\w$]+$/)?.[0] ?? ''];
}

/** The library's sources, without the sandbox: its codes and tokens are toys. */
function sourcesOf(folder: string): [string, string][] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('sandbox'))
    .map((file) => join(folder, file))
    .map((file): [string, string] => [file.replaceAll('\\', '/'), readFileSync(file, 'utf8')]);
}
