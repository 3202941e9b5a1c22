import { expect } from 'chai';
import { check } from '../../lib/check/index.js';
import {
  MicroblogOAuth1Strategy,
  MicroblogStrategy,
  ShortVideoStrategy,
  SocialNetworkStrategy,
} from '../../lib/index.js';
import { closesAfterEach } from '../support/cleanup.js';
import { ExampleStrategy } from '../support/example-networks.js';
import { keyedLogins } from '../support/logins.js';
import { realSockets } from '../support/real-sockets.js';
import { network, type Reply, type SeenRequest } from '../support/server.js';
import { findingOn, verdictsOf } from './findings.js';

const verify = () => false;
const callbackURL = 'https://app.example/callback';
const SECRET = 'The-Right-Secret-0123';

interface Options {
  readonly clientID: string;
  readonly clientSecret: string;
  readonly callbackURL: string;
  readonly tokenURL: string;
  readonly profileURL: string;
}

describe('check: what a response means', () => {
  realSockets();
  const close = closesAfterEach();

  /** A network that responds to requests with credentials. */
  const responding = async (respond: (request: SeenRequest) => Reply) =>
    close(await network((request) => (request.method === 'HEAD' ? {} : respond(request))));

  async function shortVideo(respond: (request: SeenRequest) => Reply, options = {}) {
    const { url } = await responding(respond);
    const urls = {
      authorizationURL: `${url}/authorize`,
      tokenURL: `${url}/token`,
      profileURL: `${url}/profile`,
    };
    const credentials = { clientID: 'awkey', clientSecret: SECRET };
    return check(new ShortVideoStrategy({ ...urls, ...credentials, callbackURL, ...options }, verify));
  }

  async function oauth1(respond: (request: SeenRequest) => Reply, options = {}) {
    const { url } = await responding(respond);
    const urls = {
      requestTokenURL: `${url}/request_token`,
      accessTokenURL: `${url}/access_token`,
      userAuthorizationURL: `${url}/authenticate`,
      profileURL: `${url}/profile`,
      lookupURL: `${url}/lookup`,
    };
    const credentials = { consumerKey: 'key', consumerSecret: SECRET };
    return check(new MicroblogOAuth1Strategy({ ...urls, ...credentials, callbackURL, ...options }, verify));
  }

  const error = (code: string, description = '', status = 200): Reply => ({
    status,
    body: { error: code, error_description: description },
  });
  const listed = (code: number, status: number): Reply => ({
    status,
    body: { errors: [{ code, message: 'A message.' }] },
  });
  const CODE_REFUSED = error('invalid_grant', 'Authorization code is expired.');
  const CLIENT_REFUSED = error('invalid_client', 'Client key or secret is incorrect.');
  const isRight = ({ form }: SeenRequest) => form.get('client_secret') === SECRET;

  it('a refused code proves the credentials if wrong ones get another response', async () => {
    const report = await shortVideo((request) => (isRight(request) ? CODE_REFUSED : CLIENT_REFUSED));
    const finding = findingOn(report, 'credentials');
    expect(finding.verdict).to.equal('passed');
    expect(finding.evidence).to.match(/^documented: https:\/\/developers\.tiktok\.com/);
  });

  it('a network that looks at the code first does not tell whether the credentials are right', async () => {
    const finding = findingOn(await shortVideo(() => CODE_REFUSED), 'credentials');
    expect(finding.verdict).to.equal('unknown');
    expect(finding.message).to.equal(
      'cannot tell: wrong credentials get the same response, invalid_grant "Authorization code is expired."',
    );
    expect(finding.remedy).to.match(/^If logins fail: Copy the client key and client secret again/);
  });

  for (const [title, reply] of [
    ['is busy', error('server_error')],
    ['has a fault', error('anything', '', 503)],
    ['sends a page', { body: '<html></html>' }],
    ['accepts them', { body: { access_token: 'token', token_type: 'Bearer' } }],
  ] as const) {
    it(`a network that ${title} when wrong credentials are tried does not tell either`, async () => {
      const report = await shortVideo((request) => (isRight(request) ? CODE_REFUSED : reply));
      expect(findingOn(report, 'credentials')).to.deep.equal({
        subject: 'credentials',
        verdict: 'unknown',
        message: 'cannot tell: wrong credentials, tried to compare, got no usable response',
        remedy: 'Try again later.',
        evidence: 'documented: https://developers.tiktok.com/doc/oauth-error-handling (read 2026-11)',
      });
    });
  }

  for (const [title, reply, message] of [
    ['server_error', error('server_error', 'Oh.'), 'the network is busy or has a fault: server_error "Oh."'],
    ['any code with 500', error('oops', '', 500), 'the network is busy or has a fault: oops'],
    ['429', { status: 429, body: 'Slow down' }, 'the network is busy or has a fault: HTTP 429'],
    [
      'a page with 503',
      { status: 503, body: '<html></html>' },
      'cannot tell: expected a response or an error, but HTTP 503 returned a page (HTML or XML, 13 characters). The network has a fault; try again later.',
    ],
    [
      'a page with 200',
      { body: '<html></html>' },
      'cannot tell: expected a JSON object, but HTTP 200 returned a page (HTML or XML, 13 characters). Check the address in the options, and for a proxy or a captive page in between.',
    ],
    [
      'an empty body',
      {},
      'cannot tell: expected a JSON object, but HTTP 200 returned an empty body. Check the address in the options, and for a proxy or a captive page in between.',
    ],
    [
      'an unknown code',
      error('invalid_scope', 'No such scope.'),
      'cannot tell what this means here: invalid_scope "No such scope."',
    ],
    [
      'a token for the invented code',
      { body: { access_token: 'token', token_type: 'Bearer' } },
      'cannot tell: an authorization code that nobody issued was accepted, as no real network does',
    ],
  ] as const) {
    it(`${title} does not tell whether the credentials are right`, async () => {
      const finding = findingOn(await shortVideo(() => reply), 'credentials');
      expect(finding).to.include({ verdict: 'unknown', message });
    });
  }

  for (const [network, make] of [
    ['X', (options: Options) => new MicroblogStrategy(options, verify)],
    ['VK', (options: Options) => new SocialNetworkStrategy(options, verify)],
  ] as const) {
    for (const [code, description] of [
      ['invalid_client', 'client authentication failed'],
      ['invalid_grant', 'grant request is invalid'],
    ] as const) {
      it(`${network}: ${code} in the words of another server does not tell`, async () => {
        const { url } = await responding((request) => {
          const isBasic = request.headers.authorization === `Basic ${btoa(`5100:${SECRET}`)}`;
          // A wrong secret gets something else: that alone proves nothing.
          return error(code, isBasic || isRight(request) ? description : 'something else', 400);
        });
        const urls = { tokenURL: `${url}/token`, profileURL: url };
        const report = await check(make({ clientID: '5100', clientSecret: SECRET, callbackURL, ...urls }));
        expect(findingOn(report, 'credentials').verdict).to.equal('unknown');
        expect(findingOn(report, 'credentials').message).to.equal(
          `cannot tell what this means here: ${code} "${description}"`,
        );
      });
    }
  }

  it('a wrong address of the token endpoint fails', async () => {
    const report = await shortVideo(() => ({ status: 404, body: 'Not Found' }));
    expect(findingOn(report, 'credentials')).to.include({
      verdict: 'failed',
      message:
        'expected a response or an error, but HTTP 404 returned text (9 characters). Check the address in the options, and for a proxy or a captive page in between.',
      remedy:
        'Compare the addresses in the options with those in the README of the network, slash for slash.',
      guide: 'docs/troubleshooting.md#errors',
    });
  });

  it('a token endpoint that redirects fails, and the credentials are not sent on', async () => {
    const other = close(await network(() => ({})));
    const report = await shortVideo(() => ({ status: 301, headers: { location: `${other.url}/token/` } }));
    const [host] = report.findings.filter(({ verdict }) => verdict === 'failed');
    expect(host?.subject).to.match(/^127\.0\.0\.1:\d+$/);
    expect(host?.message).to.equal(
      `HTTP 301 redirects to ${new URL(other.url).host}, and no redirect is followed with credentials. Check the address in the options: a missing slash or an old host is the usual cause.`,
    );
    expect(findingOn(report, 'credentials')).to.include({
      verdict: 'unknown',
      message: 'not checked: no usable response',
    });
    expect(other.requests).to.have.length(0);
  });

  it('a method of the application that throws is not taken for a response', async () => {
    const server = await responding(() => CODE_REFUSED);
    class Own extends ShortVideoStrategy {
      override tokenParams(): object {
        throw new Error('of the application');
      }
    }
    const options = {
      clientID: 'awkey',
      clientSecret: SECRET,
      tokenURL: `${server.url}/token`,
      profileURL: server.url,
    };
    expect(findingOn(await check(new Own(options, verify)), 'credentials')).to.include({
      verdict: 'unknown',
      message: "not checked: a method of the strategy's class threw an error before the request",
    });
  });

  it('a strategy of another network gets everything but the meaning of responses', async () => {
    const server = close(await network(() => ({})));
    const report = await check(
      new ExampleStrategy(server.url, verify, { callbackURL: 'http://app.example/' }),
    );
    expect(verdictsOf(report)).to.include({
      callbackURL: 'failed',
      registration: 'unknown',
      credentials: 'unknown',
    });
    expect(report).to.include({ provider: 'example', network: 'example' });
    const fine = await check(new ExampleStrategy(server.url, verify, { callbackURL }));
    expect(findingOn(fine, 'callbackURL').message).to.equal(
      'https://app.example/callback: this check does not know what the network demands',
    );
    expect(server.requests.map(({ method }) => method)).to.deep.equal(['HEAD', 'HEAD']);
  });

  describe('the requests', () => {
    it('OAuth 2.0: the code, the verifier and the wrong secret are invented, the rest is of the strategy', async () => {
      const server = await responding((request) => (isRight(request) ? CODE_REFUSED : CLIENT_REFUSED));
      const options = {
        clientID: 'awkey',
        clientSecret: SECRET,
        callbackURL,
        tokenURL: `${server.url}/token`,
      };
      await check(new ShortVideoStrategy({ ...options, profileURL: server.url }, verify));
      const [right, wrong] = server.requests
        .filter(({ method }) => method === 'POST')
        .map(({ form }) => form);
      expect([...(right?.keys() ?? [])].sort()).to.deep.equal([
        'client_key',
        'client_secret',
        'code',
        'code_verifier',
        'grant_type',
        'redirect_uri',
      ]);
      expect(right?.get('redirect_uri')).to.equal(callbackURL);
      expect(right?.get('code')).to.match(/^[\w-]{43}\*0!0000\.va$/);
      expect(wrong?.get('client_key')).to.equal('awkey');
      // The form of the right one, in case the network looks at the form first.
      expect(wrong?.get('client_secret'))
        .to.match(/^[A-Z][a-z]{2}-[A-Z][a-z]{4}-[A-Z][a-z]{5}-\d{4}$/)
        .and.not.equal(SECRET);
      expect(wrong?.get('code')).to.not.equal(right?.get('code'));
    });

    it('a public client is compared with a client ID that belongs to nobody', async () => {
      const server = await responding(() =>
        error('invalid_request', 'Value passed for the authorization code was invalid.', 400),
      );
      const options = {
        clientID: 'cHVibGljOjE6bmE',
        tokenURL: `${server.url}/token`,
        profileURL: server.url,
        store: keyedLogins(),
      };
      await check(new MicroblogStrategy(options, verify));
      const [right, wrong] = server.requests
        .filter(({ method }) => method === 'POST')
        .map(({ form }) => form);
      expect(right?.get('client_id')).to.equal('cHVibGljOjE6bmE');
      expect(right?.get('redirect_uri')).to.equal('https://callback.invalid/');
      expect(Buffer.from(wrong?.get('client_id') ?? '', 'base64url').toString()).to.match(/^[\w-]{20}:1:na$/);
      expect(right?.has('client_secret')).to.equal(false);
    });

    it('VK ID: a service key is replaced to compare, and the number is kept', async () => {
      const server = await responding(() => error('invalid_grant'));
      const options = {
        clientID: '5100',
        serviceToken: 'service-key',
        version: '2.1',
        tokenURL: `${server.url}/token`,
      } as const;
      await check(new SocialNetworkStrategy({ ...options, profileURL: server.url }, verify));
      const [right, wrong] = server.requests
        .filter(({ method }) => method === 'POST')
        .map(({ form }) => form);
      expect(right?.get('service_token')).to.equal('service-key');
      expect(right?.get('device_id')).to.match(/^[\w-]{43}$/);
      expect(wrong?.get('service_token'))
        .to.match(/^[a-z]{7}-[a-z]{3}$/)
        .and.not.equal('service-key');
      expect(wrong?.get('client_id')).to.equal('5100');
    });

    it('without a service key, VK ID is asked about a number that belongs to nobody', async () => {
      const server = await responding(() => error('invalid_grant'));
      const options = {
        clientID: '5100',
        clientSecret: SECRET,
        version: '2.1',
        tokenURL: `${server.url}/token`,
      } as const;
      await check(new SocialNetworkStrategy({ ...options, profileURL: server.url }, verify));
      const numbers = server.requests
        .filter(({ method }) => method === 'POST')
        .map(({ form }) => form.get('client_id'));
      expect(numbers).to.deep.equal(['5100', '2147483647']);
    });

    it('a strategy that skips the profile does not need its host', async () => {
      const server = await responding(() => CLIENT_REFUSED);
      const options = {
        clientID: 'awkey',
        clientSecret: SECRET,
        tokenURL: `${server.url}/token`,
        profileURL: 'http://127.0.0.1:1',
      };
      const skipping = await check(new ShortVideoStrategy({ ...options, skipUserProfile: true }, verify));
      expect(verdictsOf(skipping)).to.not.have.property('127.0.0.1:1');
      const loading = await check(new ShortVideoStrategy(options, verify));
      expect(verdictsOf(loading)).to.include({ '127.0.0.1:1': 'failed' });
    });
  });

  describe('OAuth 1.0a', () => {
    const ACCEPTED: Reply = { body: 'oauth_token=a&oauth_token_secret=b&oauth_callback_confirmed=true' };

    it('a callback URL that the application does not have fails, and the credentials are told apart', async () => {
      let requests = 0;
      const report = await oauth1(() => {
        requests += 1;
        return requests === 1 ? listed(415, 403) : listed(32, 401);
      });
      expect(findingOn(report, 'registration')).to.include({
        verdict: 'failed',
        message: 'X does not have this callback URL for the application: 415 "A message."',
        remedy: 'Register https://app.example/callback at console.x.com, character for character.',
        guide: 'docs/troubleshooting.md#the-network-shows-an-error-page',
      });
      expect(verdictsOf(report)).to.include({ callbackURL: 'passed', credentials: 'passed' });
      expect(requests).to.equal(2);
    });

    it('if wrong credentials get the same, the callback URL says nothing about them', async () => {
      const report = await oauth1(() => listed(417, 401));
      expect(verdictsOf(report)).to.include({ registration: 'failed', credentials: 'unknown' });
    });

    it('a refused "oob" says nothing about the callback URL', async () => {
      const report = await oauth1(() => listed(417, 401), { callbackURL: '/callback' });
      expect(verdictsOf(report)).to.include({ registration: 'unknown', credentials: 'unknown' });
    });

    for (const [code, status, message] of [
      [87, 403, 'X does not permit the application to do this: 87 "A message."'],
      [99, 403, 'X cannot verify this pair of API key and API key secret: 99 "A message."'],
      [215, 400, 'X cannot use these credentials: 215 "A message."'],
      [220, 403, 'X gives the application no access with these credentials: 220 "A message."'],
      [416, 401, 'X has suspended the application: 416 "A message."'],
      [453, 403, 'X does not include this in the access level of the application: 453 "A message."'],
    ] as const) {
      it(`code ${code} fails: ${message}`, async () => {
        const finding = findingOn(await oauth1(() => listed(code, status)), 'credentials');
        expect(finding).to.include({ verdict: 'failed', message });
        expect(finding.remedy).to.be.a('string');
      });
    }

    it('an unknown code fails logins, and does not tell whether the credentials are wrong', async () => {
      const report = await oauth1(() => listed(9999, 403));
      expect(findingOn(report, 'login')).to.deep.equal({
        subject: 'login',
        verdict: 'failed',
        message: 'X refuses the request that begins each login: 9999 "A message."',
        remedy: "Look at the application's state and settings at console.x.com.",
        guide: 'docs/troubleshooting.md#what-the-networks-codes-mean',
      });
      expect(findingOn(report, 'credentials')).to.include({
        verdict: 'unknown',
        message: 'cannot tell what this means here: 9999 "A message."',
      });
      expect(report.verdict).to.equal('failed');
    });

    it('an unknown code for "oob" does not tell whether logins fail', async () => {
      const report = await oauth1(() => listed(9999, 403), { callbackURL: '/callback' });
      expect(verdictsOf(report)).to.include({ credentials: 'unknown' }).and.not.have.property('login');
    });

    for (const [code, status] of [
      [88, 429],
      [130, 503],
      [131, 500],
    ] as const) {
      it(`code ${code} is no reason to doubt the credentials`, async () => {
        const finding = findingOn(await oauth1(() => listed(code, status)), 'credentials');
        expect(finding).to.include({
          verdict: 'unknown',
          message: `the network is busy or has a fault: ${code} "A message."`,
        });
      });
    }

    it('a refusal in plain text is understood', async () => {
      const text = 'Failed to validate oauth signature and token';
      const finding = findingOn(await oauth1(() => ({ status: 401, body: text })), 'credentials');
      expect(finding).to.include({
        verdict: 'failed',
        message: `X cannot validate what API key and API key secret sign: "${text}"`,
      });
    });

    it('a server that does not confirm the callback fails', async () => {
      const report = await oauth1(() => ({ body: 'oauth_token=a&oauth_token_secret=b' }));
      expect(findingOn(report, 'credentials')).to.include({
        verdict: 'failed',
        message:
          'the network did not confirm the callback URL, as OAuth 1.0a demands. Check requestTokenURL.',
      });
    });

    it('an accepted callback URL passes, whatever the documents say of such URLs', async () => {
      const report = await oauth1(() => ACCEPTED, { callbackURL: 'http://localhost:3000/callback' });
      expect(report.verdict).to.equal('passed');
      expect(findingOn(report, 'callbackURL').message).to.equal(
        'http://localhost:3000/callback: X accepts it',
      );
      expect(findingOn(report, 'credentials').evidence).to.match(/^documented: https:\/\/docs\.x\.com/);
    });

    it('an accepted callback URL in the clear does not pass', async () => {
      const report = await oauth1(() => ACCEPTED, { callbackURL: 'http://app.example/callback' });
      expect(findingOn(report, 'callbackURL')).to.include({
        verdict: 'unknown',
        message:
          'http://app.example/callback: X accepts it, but a browser would send the verifier in the clear',
        remedy: 'Use https.',
      });
      expect(verdictsOf(report)).to.include({ registration: 'passed', credentials: 'passed' });
    });

    it('a refused timestamp is blamed on the clock, even if the host does not tell the time', async () => {
      const server = close(
        await network(({ method }) => (method === 'HEAD' ? { headers: { age: '60' } } : listed(135, 401))),
      );
      const options = {
        consumerKey: 'key',
        consumerSecret: SECRET,
        requestTokenURL: server.url,
        accessTokenURL: server.url,
      };
      const urls = { profileURL: server.url, lookupURL: server.url };
      const report = await check(new MicroblogOAuth1Strategy({ ...options, ...urls }, verify));
      expect(findingOn(report, 'clock').message).to.equal(
        'X refuses the timestamp of the request: 135 "A message."; no host says what time it is',
      );
    });
  });
});
