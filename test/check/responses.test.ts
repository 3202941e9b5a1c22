import { expect } from 'chai';
import { check } from '../../check/lib/index.js';
import { MicroblogStrategy, ShortVideoStrategy, SocialNetworkStrategy } from '../../lib/index.js';
import { ExampleStrategy } from '../support/example-networks.js';
import { keyedLogins } from '../support/logins.js';
import { realSockets } from '../support/real-sockets.js';
import { network, type Reply, type SeenRequest, type TestNetwork } from '../support/server.js';
import { CALLBACK_URL, findingOn, type Kind, SECRET, strategyAt, verdictsOf } from './subjects.js';

const verify = () => false;

const error = (code: string, description = '', status = 200): Reply => ({
  status,
  body: { error: code, error_description: description },
});
const listed = (code: number, status: number): Reply => ({
  status,
  body: { errors: [{ code, message: 'A message.' }] },
});
const PAGE: Reply = { body: '<html></html>' };
const TOKEN: Reply = { body: { access_token: 'token', token_type: 'Bearer' } };
const CODE_REFUSED = error('invalid_grant', 'Authorization code is expired.');
const CLIENT_REFUSED = error('invalid_client', 'Client key or secret is incorrect.');
const isRight = ({ form, headers }: SeenRequest) =>
  form.get('client_secret') === SECRET ||
  form.get('service_token') === SECRET ||
  headers.authorization === `Basic ${btoa(`5100:${SECRET}`)}`;

const formsOf = ({ requests }: TestNetwork) =>
  requests.filter(({ method }) => method === 'POST').map(({ form }) => form);

describe('check: what a response means', () => {
  const close = realSockets();

  type Respond = (request: SeenRequest) => Reply;
  const responding = async (respond: Respond) =>
    close(await network((request) => (request.method === 'HEAD' ? {} : respond(request))));
  const checked = async (kind: Kind, respond: Respond, options: object = {}) =>
    check(strategyAt(kind, (await responding(respond)).url, options));
  const shortVideo = (respond: Respond) => checked('short-video', respond);
  const oauth1 = (respond: Respond, options?: object) => checked('microblog 1.0', respond, options);

  for (const [kind, code, text] of [
    ['short-video', 'invalid_request', 'Redirect_uri is not matched with the uri when requesting code.'],
    ['social-network 2.1', 'invalid_grant', ''],
    ['social-network 2.1', 'invalid_request', 'device_id is invalid'],
  ] as const) {
    it(`${kind}: a refused code proves the credentials if wrong ones get another code: ${code} "${text}"`, async () => {
      const report = await checked(kind, (request) =>
        isRight(request) ? error(code, text, 400) : error('invalid_client', 'wrong', 401),
      );
      const { verdict, evidence } = findingOn(report, 'credentials');
      expect(verdict).to.equal('passed');
      expect(evidence).to.match(/^(documented|observed): /);
    });
  }

  it('the same code in other words does not prove them: words can be new in each response', async () => {
    const report = await checked('social-network', (request) =>
      error('invalid_grant', isRight(request) ? 'Code is invalid or expired.' : 'Request 7 is refused.', 400),
    );
    const message =
      'cannot tell: wrong credentials get the same response, invalid_grant "Code is invalid or expired."';
    const finding = findingOn(report, 'credentials');
    expect(finding).to.include({ verdict: 'unknown', message });
    expect(finding.remedy).to.match(/^If logins fail, compare .* with those at id\.vk\.ru\./);
  });

  it('invalid_client in words that no report has is a refusal of the credentials, by the standard', async () => {
    const report = await checked('microblog', () => error('invalid_client', 'authentication failed', 401));
    expect(findingOn(report, 'credentials')).to.include({
      verdict: 'failed',
      message: 'X does not accept the client ID and client secret: invalid_client "authentication failed"',
      evidence: 'documented: RFC 6749 section 5.2',
    });
  });

  it('what is only supposed of a network makes no verdict', async () => {
    const report = await checked('social-network', () => error('unauthorized_client', 'No.', 400));
    const message = 'cannot tell what this means here: unauthorized_client "No."';
    expect(findingOn(report, 'credentials')).to.include({ verdict: 'unknown', message });
  });

  it('VK: a redirect URI that the application does not have is told before a login', async () => {
    const report = await checked('social-network', (request) =>
      isRight(request)
        ? error('invalid_request', 'redirect_uri is incorrect, check application redirect uri', 400)
        : error('invalid_client', 'client_secret is incorrect', 401),
    );
    expect(findingOn(report, 'registration')).to.include({
      verdict: 'failed',
      remedy: 'Register https://app.example/callback at id.vk.ru, character for character.',
      evidence: 'observed: selesnow/rvkstat#21, mamantoha/omniauth-vkontakte#39',
    });
    expect(verdictsOf(report)).to.include({ credentials: 'passed' });
  });

  for (const [title, reply] of [
    ['is busy', error('server_error')],
    ['has a fault', error('anything', '', 503)],
    ['sends a page', PAGE],
    ['accepts them', TOKEN],
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

  const AGAIN = 'Check the address in the options, and for a proxy or a captive page in between.';
  const expected = (what: string) => `expected ${what}, but HTTP`;
  for (const [title, reply, message] of [
    ['server_error', error('server_error', 'Oh.'), 'the network is busy or has a fault: server_error "Oh."'],
    ['any code with 500', error('oops', '', 500), 'the network is busy or has a fault: oops'],
    ['429', { status: 429, body: 'Slow down' }, 'the network is busy or has a fault: HTTP 429'],
    [
      'a page with 503',
      { ...PAGE, status: 503 },
      `cannot tell: ${expected('a response or an error')} 503 returned a page (HTML or XML, 13 characters). The network has a fault; try again later.`,
    ],
    [
      'a page with 200',
      PAGE,
      `cannot tell: ${expected('a JSON object')} 200 returned a page (HTML or XML, 13 characters). ${AGAIN}`,
    ],
    ['an empty body', {}, `cannot tell: ${expected('a JSON object')} 200 returned an empty body. ${AGAIN}`],
    [
      'an unknown code',
      error('invalid_scope', 'No such scope.'),
      'cannot tell what this means here: invalid_scope "No such scope."',
    ],
    [
      'a token for the invented code',
      TOKEN,
      'cannot tell: an authorization code that nobody issued was accepted, as no real network does',
    ],
  ] as const) {
    it(`${title} does not tell whether the credentials are right`, async () => {
      const finding = findingOn(await shortVideo(() => reply), 'credentials');
      expect(finding).to.include({ verdict: 'unknown', message });
    });
  }

  it('a wrong address of the token endpoint fails', async () => {
    for (const status of [404, 405, 410]) {
      const report = await shortVideo(() => ({ status, body: 'Not Found' }));
      expect(findingOn(report, 'credentials')).to.include({
        verdict: 'failed',
        message: `${expected('a response or an error')} ${status} returned text (9 characters). ${AGAIN}`,
        remedy: 'Compare the addresses in the options with the defaults, slash for slash.',
        guide: 'docs/troubleshooting.md#errors',
      });
    }
  });

  it('a token endpoint that redirects fails, and the credentials are not sent on', async () => {
    const other = close(await network(() => ({})));
    const report = await shortVideo(() => ({ status: 301, headers: { location: `${other.url}/token/` } }));
    const [host] = report.findings.filter(({ verdict }) => verdict === 'failed');
    expect(host?.subject).to.match(/^127\.0\.0\.1:\d+$/);
    expect(host?.message).to.equal(
      `HTTP 301 redirects to ${new URL(other.url).host}, and no redirect is followed with credentials. Check the address in the options: a missing slash, an old host, or the login page of a proxy in between is the usual cause.`,
    );
    const message = 'not checked: no usable response';
    expect(findingOn(report, 'credentials')).to.include({ verdict: 'unknown', message });
    expect(other.requests).to.have.length(0);
  });

  it('a method of the application that throws is not taken for a response', async () => {
    const { url } = await responding(() => CODE_REFUSED);
    class Own extends ShortVideoStrategy {
      override tokenParams(): object {
        throw new Error('of the application');
      }
    }
    const credentials = { clientID: 'awkey', clientSecret: SECRET };
    const own = new Own({ ...credentials, tokenURL: `${url}/token`, profileURL: url }, verify);
    expect(findingOn(await check(own), 'credentials')).to.include({
      verdict: 'unknown',
      message: "not checked: a method of the strategy's class threw an error before the request",
    });
  });

  it('a strategy of another network is checked by its own facts', async () => {
    const server = await responding(() => error('who_are_you', '', 400));
    const report = await check(
      new ExampleStrategy(server.url, verify, { callbackURL: 'http://app.example/' }),
    );
    expect(report).to.include({ provider: 'example', network: 'The network' });
    expect(findingOn(report, 'callbackURL')).to.include({
      verdict: 'failed',
      message: 'http://app.example/: The network takes https only',
    });
    expect(findingOn(report, 'credentials').message).to.equal(
      'cannot tell what this means here: who_are_you',
    );
  });

  describe('the requests', () => {
    it('OAuth 2.0: the code, the verifier and the wrong secret are invented, the rest is of the strategy', async () => {
      const server = await responding((request) => (isRight(request) ? CODE_REFUSED : CLIENT_REFUSED));
      await check(strategyAt('short-video', server.url));
      const [right, wrong] = formsOf(server);
      expect([...(right?.keys() ?? [])].sort().join(' ')).to.equal(
        'client_key client_secret code code_verifier grant_type redirect_uri',
      );
      expect(right?.get('redirect_uri')).to.equal(CALLBACK_URL);
      expect(right?.get('code')).to.match(/^[\w-]{43}\*0!0000\.va$/);
      expect(wrong?.get('client_key')).to.equal('5100');
      // The form of the right one, in case the network looks at the form first.
      expect(wrong?.get('client_secret'))
        .to.match(/^[A-Z][a-z]{2}-[A-Z][a-z]{4}-[A-Z][a-z]{5}-\d{4}$/)
        .and.not.equal(SECRET);
      expect(wrong?.get('code')).to.not.equal(right?.get('code'));
    });

    it('a public client is compared with a client ID that belongs to nobody', async () => {
      const message = 'Value passed for the authorization code was invalid.';
      const server = await responding(() => error('invalid_request', message, 400));
      const options = { clientID: 'cHVibGljOjE6bmE', tokenURL: `${server.url}/token`, store: keyedLogins() };
      await check(new MicroblogStrategy({ ...options, profileURL: server.url }, verify));
      const [right, wrong] = formsOf(server);
      expect(right?.get('client_id')).to.equal('cHVibGljOjE6bmE');
      expect(right?.get('redirect_uri')).to.equal('https://callback.invalid/');
      expect(Buffer.from(wrong?.get('client_id') ?? '', 'base64url').toString()).to.match(/^[\w-]{20}:1:na$/);
      expect(right?.has('client_secret')).to.equal(false);
    });

    it('VK ID: a service key is replaced to compare, and the number is kept', async () => {
      const server = await responding(() => error('invalid_grant'));
      await check(strategyAt('social-network 2.1', server.url, {}, 'service-key'));
      const [right, wrong] = formsOf(server);
      expect(right?.get('service_token')).to.equal('service-key');
      expect(right?.get('device_id')).to.match(/^[\w-]{43}$/);
      expect(wrong?.get('service_token'))
        .to.match(/^[a-z]{7}-[a-z]{3}$/)
        .and.not.equal('service-key');
      expect(wrong?.get('client_id')).to.equal('5100');
    });

    it('without a service key, VK ID is asked about a number that belongs to nobody', async () => {
      const server = await responding(() => error('invalid_grant'));
      const options = { clientID: '5100', clientSecret: SECRET, version: '2.1' } as const;
      const urls = { tokenURL: `${server.url}/token`, profileURL: server.url };
      await check(new SocialNetworkStrategy({ ...options, ...urls }, verify));
      expect(formsOf(server).map((form) => form.get('client_id'))).to.deep.equal(['5100', '2147483647']);
    });

    it('a strategy that skips the profile does not need its host', async () => {
      const options = { profileURL: 'http://127.0.0.1:1' };
      const skipping = { ...options, skipUserProfile: true };
      const lean = await checked('short-video', () => CLIENT_REFUSED, skipping);
      expect(verdictsOf(lean)).to.not.have.property('127.0.0.1:1');
      const loading = await checked('short-video', () => CLIENT_REFUSED, options);
      expect(verdictsOf(loading)).to.include({ '127.0.0.1:1': 'failed' });
    });
  });

  describe('OAuth 1.0a', () => {
    const ACCEPTED: Reply = { body: 'oauth_token=a&oauth_token_secret=b&oauth_callback_confirmed=true' };

    it('a callback URL that the application does not have fails, and says what to register', async () => {
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

    const OOB = { callbackURL: '/callback' };
    for (const [title, code, options, verdicts] of [
      ['wrong credentials get the same: nothing is known of them', 417, {}, ['failed', 'unknown', undefined]],
      ['a refused "oob" says nothing of the callback URL', 417, OOB, ['unknown', 'unknown', undefined]],
      ['an unknown code fails logins, for whatever reason', 9999, {}, ['unknown', 'unknown', 'failed']],
      ['an unknown code for "oob" does not even tell that', 9999, OOB, ['unknown', 'unknown', undefined]],
      [
        'a refused key fails, and nothing is known of the callback URL',
        99,
        {},
        ['unknown', 'failed', undefined],
      ],
      ['a suspended application fails, and so does its key', 416, {}, ['unknown', 'failed', undefined]],
    ] as const) {
      it(`code ${code}: ${title}`, async () => {
        const report = await oauth1(() => listed(code, 403), options);
        const { registration, credentials, login } = verdictsOf(report);
        expect([registration, credentials, login]).to.deep.equal(verdicts);
        const { message, remedy = '' } = findingOn(report, 'credentials');
        expect(message).to.include(`${code} "A message."`);
        expect(remedy).to.include('console.x.com');
      });
    }

    const PLAIN_TEXT = 'Failed to validate oauth signature and token';
    for (const [title, reply, message] of [
      [
        'a refusal in plain text is understood',
        { status: 401, body: PLAIN_TEXT },
        `X does not accept the API key and API key secret: "${PLAIN_TEXT}"`,
      ],
      [
        'a server that does not confirm the callback fails',
        { body: 'oauth_token=a&oauth_token_secret=b' },
        'the network did not confirm the callback URL, as OAuth 1.0a demands. Check requestTokenURL.',
      ],
    ] as const) {
      it(title, async () => {
        const finding = findingOn(await oauth1(() => reply), 'credentials');
        expect(finding).to.include({ verdict: 'failed', message });
      });
    }

    it('an accepted callback URL in the clear does not pass', async () => {
      const callbackURL = 'http://app.example/callback';
      const report = await oauth1(() => ACCEPTED, { callbackURL });
      expect(findingOn(report, 'callbackURL')).to.include({
        verdict: 'unknown',
        message: `${callbackURL}: X accepts it, but a browser would send the verifier in the clear`,
        remedy: 'Use https.',
      });
      expect(verdictsOf(report)).to.include({ registration: 'passed', credentials: 'passed' });
    });
  });
});
