import { Agent } from 'node:http';
import { inspect } from 'node:util';
import { expect } from 'chai';
import {
  cleanIdentifier,
  cleanText,
  MalformedError,
  RefusedError,
  UnreachableError,
} from '../../lib/core/errors/index.js';
import { Transaction } from '../../lib/core/http/index.js';
import { SPELLINGS } from '../hostility/world/secrets.js';
import { getRequest, networkClient } from '../support/network-client.js';
import { realSockets, resolving } from '../support/real-sockets.js';
import { network, serve, serveRaw } from '../support/server.js';
import { rejectionOf } from '../support/thrown.js';

const CONNECT_HINT =
  'Check that this machine may connect to that host and port: a firewall, a proxy (option agent) or IPv6 without a route is the usual cause.';

async function unreachable(sending: Promise<unknown>): Promise<UnreachableError> {
  const error = await rejectionOf(sending);
  expect(error).to.be.instanceOf(UnreachableError);
  return error as UnreachableError;
}

describe('requests without a usable response', () => {
  const close = realSockets();
  const failureOf = (url: string, options = {}) =>
    unreachable(networkClient(options).request(getRequest(url, { step: 'token' })));

  it('an unknown host is connection_failed, and the error says to check its name', async () => {
    const lookup = (_host: string, _options: object, done: (error: Error) => void) =>
      done(Object.assign(new Error('getaddrinfo ENOTFOUND n.example'), { code: 'ENOTFOUND' }));
    const error = await failureOf('http://n.example/token', { agent: new Agent({ lookup } as object) });
    expect(error.code).to.equal('connection_failed');
    expect(error.message).to.equal(
      'network, token: no usable response from n.example: ENOTFOUND. Check the host name and DNS; behind a proxy pass the option agent.',
    );
  });

  it('a host with several addresses that all fail says which ones, and why', async () => {
    const server = await serve(() => {});
    await server.close();
    close(resolving('127.0.0.1', '::ffff:127.0.0.2'));
    const error = await failureOf(`http://several.example:${server.port}/`);
    const reasons = `ECONNREFUSED 127.0.0.1:${server.port}, ECONNREFUSED ::ffff:127.0.0.2:${server.port}`;
    expect(error.message).to.equal(
      `network, token: no usable response from several.example:${server.port}: ${reasons}. ${CONNECT_HINT}`,
    );
    const facts = { code: 'connection_failed', status: 502, step: 'token', retryable: true };
    expect(error).to.include(facts);
    expect(error.cause).to.include({ message: reasons, code: 'ECONNREFUSED' });
  });

  it('a server without TLS is tls_failed, and the error says what to do; a reset is connection_failed', async () => {
    const { url } = close(await network(() => ({})));
    const error = await failureOf(url.replace('http:', 'https:'));
    expect(error.code).to.equal('tls_failed');
    expect(error.message).to.include('check the address and its port, and for a proxy');
    const resetting = close(await serveRaw((socket) => socket.resetAndDestroy()));
    const reset = await failureOf(resetting.url);
    expect(reset).to.include({ code: 'connection_failed', retryable: true });
    expect(reset.message).to.include('ECONNRESET. Try again later.');
  });

  it('a response that is not HTTP is connection_failed, and the error quotes nothing of it', async () => {
    const server = close(await serveRaw((socket) => socket.end('SSH-2.0-secret-0123456789\r\n\r\n')));
    const error = await failureOf(server.url);
    expect(error.code).to.equal('connection_failed');
    expect(JSON.stringify([error.message, error.cause, Object.values(error)])).to.not.include('secret');
  });
});

/** An agent that fails before it connects, as a proxy's may. */
function failingAgent(error: Error): Agent {
  return Object.assign(new Agent(), {
    createConnection() {
      throw error;
    },
  });
}

function agentFailure(error: Error, secrets: readonly string[] = []): Promise<UnreachableError> {
  const request = getRequest('http://n.example/', { transaction: new Transaction(...secrets) });
  return unreachable(networkClient({ agent: failingAgent(error) }).request(request));
}

describe('the name of an error', () => {
  it('is its own, whatever a bundler calls the class', () => {
    const details = { provider: 'network', step: 'token', message: '' } as const;
    class v extends RefusedError {}
    class w extends UnreachableError {}
    class x extends MalformedError {}
    expect(new v(details).name).to.equal('RefusedError');
    expect(new w({ ...details, code: 'timeout' }).name).to.equal('UnreachableError');
    expect(String(new x({ ...details, code: 'token_missing' }))).to.match(/^MalformedError: network, token:/);
  });
});

describe('errors of agents', () => {
  const close = realSockets();
  const FAILED = 'network, profile: no usable response from n.example: the agent failed.';
  const AGAIN =
    'Try again later. If it stays so, look at the option agent, and for a proxy or a firewall in between.';
  const shown = (error: unknown) => inspect(error, { depth: 9, showHidden: true });

  for (const message of [
    'tunnel through http://user:pr%xy@pass/word@proxy.example:8080/ failed',
    "407 for 'Basic cHJveHktdXNlcjpwcm94eS1wYXNzd29yZA=='",
    "{ auth: 'proxy-user:proxy-password' }",
  ]) {
    it(`S1, S10: ${message} is neither in the message nor in the cause, also of an agent that is set later`, async () => {
      const failure = await agentFailure(new Error(message));
      expect(failure).to.include({ code: 'connection_failed', message: `${FAILED} ${AGAIN}` });
      expect(failure.cause).to.include({ message: 'the agent failed' }).and.not.have.property('code');
      const client = networkClient();
      client.agent = failingAgent(new Error(message));
      const later = await unreachable(client.request(getRequest('http://n.example/')));
      expect(later.message).to.equal(`${FAILED} ${AGAIN}`);
      for (const error of [failure, later]) expect(shown(error)).to.not.match(/proxy-|proxy\.|cHJveHk/);
    });
  }

  it('S1: a code that is no system error code is neither in the message nor in the cause', async () => {
    const codes = ['the-secret-0123456789', 'user:password', 'Ebad secret', '', 'A'.repeat(60), 5, ['EPIPE']];
    for (const code of codes) {
      const failure = await agentFailure(Object.assign(new Error('refused'), { code }));
      expect(failure.message).to.equal(`${FAILED} ${AGAIN}`);
      expect(failure.cause).to.be.instanceOf(Error).and.not.have.property('code');
    }
  });

  it('a system error code is in the message and in the cause; a TLS error keeps its hint', async () => {
    const failure = await agentFailure(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    expect(failure.message).to.equal(`${FAILED.replace('the agent failed', 'ECONNREFUSED')} ${CONNECT_HINT}`);
    expect(failure.cause).to.include({ message: 'ECONNREFUSED', code: 'ECONNREFUSED' });
    for (const [code, hint] of [
      [
        'SELF_SIGNED_CERT_IN_CHAIN',
        'If the network or a proxy uses a private certificate authority, name it in',
      ],
      ['CERT_HAS_EXPIRED', "Compare this machine's clock"],
      ['CERT_NOT_YET_VALID', "Compare this machine's clock"],
      ['ERR_TLS_CERT_ALTNAME_INVALID', 'Another server answers in place of the host'],
    ] as const) {
      const { code: kind, message } = await agentFailure(Object.assign(new Error('x'), { code }));
      expect(kind).to.equal('tls_failed');
      expect(message).to.include(`n.example: ${code}. ${hint}`);
    }
    for (const [code, meaning] of [
      ['EPROTO', 'tls_failed'],
      ['EPROTOTYPE', 'connection_failed'],
      ['XCERT_A', 'connection_failed'],
    ] as const) {
      expect((await agentFailure(Object.assign(new Error('x'), { code }))).code, code).to.equal(meaning);
    }
  });

  it('S1, S10: a code that repeats a secret, other properties and the cause of the error are left out', async () => {
    const repeating = Object.assign(new Error('x'), { code: 'THE_TOKEN_0123456789' });
    expect(shown(await agentFailure(repeating, ['the_token_0123456789']))).to.not.include('TOKEN');
    const error = Object.assign(new Error('refused', { cause: new Error('cause-0123456789') }), {
      options: { auth: 'property-0123456789' },
    });
    expect(shown(await agentFailure(error))).to.not.include('0123456789');
  });

  it('the reason of a response that was cut short stays, with an agent too', async () => {
    const cut = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc';
    const { url } = close(await serveRaw((socket) => socket.end(cut)));
    const failure = await unreachable(networkClient({ agent: new Agent() }).request(getRequest(url)));
    expect(failure.code).to.equal('response_cut_short');
    expect(failure.message).to.include('the response was cut short');
  });
});

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
  const echoes: Readonly<Record<string, (secret: string) => string>> = {
    ...SPELLINGS,
    'with its hyphens in HTML': (secret) => secret.replaceAll('-', '&#45;'),
    'cut short': (secret) => secret.slice(0, 12),
    'over two lines': (secret) => `${secret.slice(0, 10)}\r\n${secret.slice(10)}`,
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
