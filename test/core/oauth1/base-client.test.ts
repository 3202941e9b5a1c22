import { expect } from 'chai';
import { closesAfterEach } from '../../support/cleanup.js';
import { ExampleOAuth1Strategy } from '../../support/example-networks.js';
import { realSockets } from '../../support/real-sockets.js';
import { network, type Reply, type SeenRequest } from '../../support/server.js';

type Callback = (error: unknown, ...results: unknown[]) => void;

/** passport-oauth1's client, as applications use it. */
interface Client {
  get(url: string, token: string, secret: string, done: Callback): void;
  post(
    url: string,
    token: string,
    secret: string,
    body: unknown,
    type: string | undefined,
    done: Callback,
  ): void;
}
interface OAuthSign {
  hmacsign(method: string, uri: string, parameters: object, secret: string, tokenSecret: string): string;
}
const oauthSign = require('oauth-sign') as OAuthSign;

function isSignatureValid({ method, path, query, form, headers }: SeenRequest): boolean {
  const pairs = (headers.authorization ?? '')
    .replace(/^OAuth /, '')
    .split(/,\s*/)
    .map((field) => field.split(/="(.*)"/s).map(decodeURIComponent));
  const { oauth_signature, ...fields } = Object.fromEntries(pairs) as Record<string, string>;
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
  const parameters = { ...Object.fromEntries(query), ...(isForm && Object.fromEntries(form)), ...fields };
  const url = `http://${headers.host}${path}`;
  return (
    oauth_signature === oauthSign.hmacsign(method, url, parameters, 'the-consumer-secret', 'the-token-secret')
  );
}

describe('the _oauth of an OAuth 1.0a strategy', () => {
  realSockets();
  const close = closesAfterEach();

  async function client(reply: Reply = { body: 'a response' }) {
    const server = close(await network(() => reply));
    const strategy = new ExampleOAuth1Strategy(server.url, () => {});
    return { url: server.url, requests: server.requests, client: strategy._oauth as unknown as Client };
  }
  const called = (start: (done: Callback) => void) =>
    new Promise<unknown[]>((resolve) => start((...args) => resolve(args)));

  it('get is signed for the URL with its query', async () => {
    const { url, requests, client: http } = await client();
    const [error, text] = await called((done) =>
      http.get(`${url}/api?b=2&a=x%20y`, 'the-token', 'the-token-secret', done),
    );
    expect([error, text]).to.deep.equal([null, 'a response']);
    expect(requests[0]?.url).to.equal('/api?b=2&a=x%20y');
    expect(requests[0]?.headers.authorization).to.include('oauth_token="the-token"');
    expect(isSignatureValid(requests[0] as SeenRequest)).to.equal(true);
  });

  it('post of a form is signed with its fields', async () => {
    const { url, requests, client: http } = await client();
    await called((done) =>
      http.post(`${url}/api`, 'the-token', 'the-token-secret', { status: 'Hi!', n: 1 }, undefined, done),
    );
    expect(requests[0]?.form.get('status')).to.equal('Hi!');
    expect(requests[0]?.form.get('n')).to.equal('1');
    expect(isSignatureValid(requests[0] as SeenRequest)).to.equal(true);
  });

  it('post of a string is sent with its content type, and the string is not part of the signature', async () => {
    const { url, requests, client: http } = await client();
    await called((done) =>
      http.post(`${url}/api`, 'the-token', 'the-token-secret', '{"a":1}', 'application/json', done),
    );
    expect(requests[0]?.body).to.equal('{"a":1}');
    expect(requests[0]?.headers['content-type']).to.equal('application/json');
    expect(isSignatureValid(requests[0] as SeenRequest)).to.equal(true);
  });

  it('an error status is an error with statusCode and data, as in passport-oauth1', async () => {
    const { url, client: http } = await client({ status: 401, body: 'no' });
    const [error] = await called((done) => http.get(url, 'the-token', 'the-token-secret', done));
    expect(error).to.deep.equal({ statusCode: 401, data: 'no' });
  });

  it('T14: a callback that throws is called once more, with its exception', async () => {
    const { url, client: http } = await client();
    const bug = new RangeError('a bug');
    const seen = await new Promise((resolve) =>
      http.get(`${url}/api`, 'the-token', 'the-token-secret', (error) => {
        if (error) return resolve(error);
        throw bug;
      }),
    );
    expect(seen).to.equal(bug);
  });

  it('T18: a signed request is not sent over plain http to another machine', async () => {
    const { client: http } = await client();
    const [error] = await called((done) =>
      http.get('http://network.example/api', 'the-token', 'the-token-secret', done),
    );
    expect(error).to.be.instanceOf(TypeError);
    expect((error as Error).message).to.include('http://network.example is not https');
  });

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
    const base = http as unknown as { authHeader(...args: string[]): string };
    const nonce = () => /oauth_nonce="([^"]+)"/.exec(base.authHeader(url, 'the-token', 'x', 'GET'))?.[1];
    expect(nonce())
      .to.match(/^[0-9a-f]{32}$/)
      .and.not.equal(nonce());
  });
});
