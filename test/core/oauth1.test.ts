import { expect } from 'chai';
import fc from 'fast-check';
import type { OAuth } from 'oauth';
import { type SignedRequest, signatureBase, signer } from '../../lib/core/oauth1/signature.js';
import { type AttemptEnding, attempt, type Callback, called, fakeRequest } from '../support/attempt.js';
import { ExampleOAuth1Strategy, exampleOAuth1Answers } from '../support/example-networks.js';
import { fieldsOf, oauthSign } from '../support/oauth-sign.js';
import { realSockets } from '../support/real-sockets.js';
import { network, type Reply, type SeenRequest, type TestNetwork } from '../support/server.js';
import { verifyProfile } from '../support/verification.js';

describe('the OAuth 1.0a signature', () => {
  it('O6: the signature base string of RFC 5849 section 3.4.1.1 is reproduced exactly', () => {
    // Its query and body both have a parameter a3. Here both are in the query: the base string does not show where one came from.
    const request: SignedRequest = {
      method: 'POST',
      url: 'http://EXAMPLE.COM:80/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b&a3=2+q',
      form: { c2: '' },
    };
    const parameters = {
      oauth_consumer_key: '9djdj82h48djs9d2',
      oauth_token: 'kkk9d7dh3k39sjv7',
      oauth_signature_method: 'HMAC-SHA1',
      oauth_timestamp: '137131201',
      oauth_nonce: '7d8f3e4a',
    };
    expect(signatureBase(request, parameters)).to.equal(
      'POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26' +
        'c%2540%3D%26c2%3D%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26' +
        'oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7',
    );
  });

  it('O6: the example that the microblog network publishes is reproduced, whatever a caller has among the parameters', () => {
    const names = ['consumer_key', 'nonce', 'signature_method', 'timestamp', 'token', 'version'];
    const protocol = Object.fromEntries(names.map((name) => [`oauth_${name}`, 'OTHER']));
    const sign = signer({
      consumerKey: 'xvz1evFS4wEEPTGEFPHBog',
      consumerSecret: 'kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw',
    });
    const header = sign(
      {
        method: 'POST',
        url: 'https://api.x.com/1.1/statuses/update.json?include_entities=true',
        form: { status: 'Hello Ladies + Gentlemen, a signed OAuth request!' },
        protocol,
      },
      {
        token: '370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb',
        tokenSecret: 'LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE',
      },
      'kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg',
      1_318_622_958_000,
    );
    expect(header).to.equal(
      'OAuth oauth_consumer_key="xvz1evFS4wEEPTGEFPHBog", ' +
        'oauth_nonce="kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg", oauth_signature_method="HMAC-SHA1", ' +
        'oauth_timestamp="1318622958", oauth_token="370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb", ' +
        'oauth_version="1.0", oauth_signature="Ls93hJiZbQ3akF3HF3x1Bz8%2FzU4%3D"',
    );
  });

  it('O6: equals that of oauth-sign for any parameters', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
    const form = fc.dictionary(text, text, { maxKeys: 6 });
    fc.assert(
      fc.property(form, text, text, (parameters, consumerSecret, tokenSecret) => {
        const safe = Object.fromEntries(Object.entries(parameters).filter(([name]) => name !== '__proto__'));
        const request = { method: 'POST', url: 'https://api.example/path', form: safe };
        const sign = signer({ consumerKey: 'key', consumerSecret });
        const header = sign(request, { token: 'token', tokenSecret }, 'nonce', 1_000);
        const { oauth_signature, ...protocol } = fieldsOf(header);
        const all = { ...safe, ...protocol };
        expect(oauth_signature).to.equal(
          oauthSign.hmacsign('POST', request.url, all, consumerSecret, tokenSecret),
        );
        expect(signatureBase(request, protocol)).to.equal(oauthSign.generateBase('POST', request.url, all));
      }),
    );
  });
});

function isSignatureValid({ method, path, query, form, headers }: SeenRequest): boolean {
  const { oauth_signature, ...fields } = fieldsOf(headers.authorization);
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
  const parameters = { ...Object.fromEntries(query), ...(isForm && Object.fromEntries(form)), ...fields };
  const url = `http://${headers.host}${path}`;
  return (
    oauth_signature === oauthSign.hmacsign(method, url, parameters, 'the-consumer-secret', 'the-token-secret')
  );
}

describe('the _oauth of an OAuth 1.0a strategy', () => {
  const close = realSockets();

  async function client(reply: Reply = { body: 'a response' }) {
    const server = close(await network(() => reply));
    const strategy = new ExampleOAuth1Strategy(server.url, () => {});
    return { url: server.url, requests: server.requests, client: strategy._oauth as OAuth };
  }

  type Call = (http: OAuth, url: string, done: Callback) => void;
  const posting = (body: unknown, type?: string): Call => {
    return (http, url, done) => http.post(`${url}/api`, 'the-token', 'the-token-secret', body, type, done);
  };
  for (const [title, call, sent, type] of [
    [
      'get is signed for the URL with its query',
      (http, url, done) => http.get(`${url}/api?b=2&a=x%20y`, 'the-token', 'the-token-secret', done),
      { url: '/api?b=2&a=x%20y', body: '' },
      undefined,
    ],
    [
      'post of a form is signed with its fields',
      posting({ status: 'Hi!', n: 1 }),
      { body: 'status=Hi%21&n=1' },
      'application/x-www-form-urlencoded',
    ],
    [
      'post of a string is sent with its content type, and the string is not part of the signature',
      posting('{"a":1}', 'application/json'),
      { body: '{"a":1}' },
      'application/json',
    ],
  ] satisfies [string, Call, object, string | undefined][]) {
    it(title, async () => {
      const { url, requests, client: http } = await client();
      const [error, text] = await called((done) => call(http, url, done));
      expect([error, text]).to.deep.equal([null, 'a response']);
      const [request] = requests as [SeenRequest];
      expect(request).to.include(sent);
      expect(request.headers['content-type']).to.equal(type);
      expect(request.headers.authorization).to.include('oauth_token="the-token"');
      expect(isSignatureValid(request)).to.equal(true);
    });
  }

  it('S1, T4: a redirect is an error, is not signed again, and its host shows no secret', async () => {
    const {
      url,
      requests,
      client: http,
    } = await client({ status: 302, headers: { location: 'https://the-token-secret.evil.example/' } });
    const [error] = await called((done) => http.get(url, 'the-token', 'the-token-secret', done));
    expect(error).to.include({ name: 'UnreachableError', code: 'redirected' });
    expect((error as Error).message).to.include('redirects to [redacted].evil.example');
    expect(requests).to.have.length(1);
  });

  it('O5: the nonces of authHeader cannot be predicted', async () => {
    const { url, client: http } = await client();
    const nonce = () => /oauth_nonce="([^"]+)"/.exec(http.authHeader(url, 'the-token', 'x', 'GET'))?.[1];
    expect(nonce())
      .to.match(/^[0-9a-f]{32}$/)
      .and.not.equal(nonce());
  });
});

const CALLBACK = '/callback?oauth_token=the-request-token&oauth_verifier=the-verifier';

describe('an OAuth 1.0a strategy', () => {
  const close = realSockets();

  async function logIn(
    replies: Record<string, Reply> = {},
    { callback = CALLBACK, Strategy = ExampleOAuth1Strategy, options = {} } = {},
  ): Promise<{ start: AttemptEnding; ending: AttemptEnding; server: TestNetwork }> {
    const server = close(await network(exampleOAuth1Answers(replies)));
    const strategy = new Strategy(server.url, verifyProfile);
    const session = {};
    const start = await attempt(strategy, fakeRequest('/login', session), options);
    const ending = await attempt(strategy, fakeRequest(callback, session), options);
    return { start, ending, server };
  }

  it('parameters that a subclass adds are sent; oauth_token cannot be replaced', async () => {
    class Own extends ExampleOAuth1Strategy {
      override requestTokenParams(options: object): object {
        return { x_access: (options as { access: string }).access, skipped: undefined };
      }
      override userAuthorizationParams(): object {
        return { lang: 'ru', force: true, oauth_token: 'mine' };
      }
    }
    const { start, ending, server } = await logIn({}, { Strategy: Own, options: { access: 'read' } });
    const [first] = server.requests as [SeenRequest];
    expect(first.body).to.equal('x_access=read');
    expect(start.redirect).to.equal(
      `${server.url}/authenticate?lang=ru&force=true&oauth_token=the-request-token`,
    );
    expect(ending).to.have.property('user');
  });

  it('T14: an overridden parseErrorResponse makes the error of both token requests', async () => {
    class Own extends ExampleOAuth1Strategy {
      override parseErrorResponse(body: string, status: number): Error | null {
        return status === 400 ? new RangeError(`own reading of ${body}`) : null;
      }
    }
    const { start } = await logIn({ '/request_token': { status: 400, body: 'words' } }, { Strategy: Own });
    expect((start.error as Error).message).to.equal('own reading of words');
    const { ending } = await logIn(
      { '/access_token': { status: 401, body: { error: 'x' } } },
      { Strategy: Own },
    );
    expect(ending.error).to.include({ name: 'RefusedError', networkCode: 'x' });
  });
});
