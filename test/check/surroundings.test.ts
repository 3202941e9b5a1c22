import { readFileSync } from 'node:fs';
import { Agent as HTTPAgent } from 'node:http';
import { Agent as HTTPSAgent } from 'node:https';
import { mock } from 'node:test';
import { inspect } from 'node:util';
import { expect } from 'chai';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { check } from '../../check/lib/index.js';
import { ProxyAgent } from '../../check/lib/proxy.js';
import { nodeFinding } from '../../check/lib/surroundings.js';
import { MicroblogStrategy } from '../../lib/index.js';
import { restoresVariable } from '../support/cleanup.js';
import { realSockets } from '../support/real-sockets.js';
import { network, serve, serveRaw } from '../support/server.js';
import {
  connectProxy,
  oneAuthority,
  type PrivateAuthority,
  privateAuthority,
  serveTLS,
} from '../support/tls-front.js';
import { findingOn, type Kind, strategyAt, verdictsOf } from './subjects.js';

const CLIENT_REFUSED = JSON.stringify({
  error: 'invalid_client',
  error_description: 'Client key or secret is incorrect.',
});

import tls = require('node:tls');

const HERE = ['IP:127.0.0.1'];
const COMPANY = { subject: '/O=Test/CN=Company CA' };

const checkAt = (url: string, options: object = {}, kind: Kind = 'short-video') =>
  check(strategyAt(kind, url, options));

const foundAt = async ({ url }: { readonly url: string }, options?: object, kind?: Kind) =>
  findingOn(await checkAt(url, options, kind), new URL(url).host);

describe('check: the surroundings', () => {
  const close = realSockets();
  restoresVariable('HTTPS_PROXY');

  it('an old Node fails', () => {
    for (const version of ['20.19.0', '20.20.2', '22.0.0', '26.1.0']) {
      expect(nodeFinding(version)).to.deep.equal({ subject: 'Node', verdict: 'passed', message: version });
    }
    for (const version of ['20.18.3', '18.20.0', '9.11.2']) {
      expect(nodeFinding(version)).to.deep.equal({
        subject: 'Node',
        verdict: 'failed',
        message: `${version} is older than 20.19`,
        remedy: 'Install Node 20.19 or newer.',
      });
    }
  });

  it('each host that a login requests is checked once, and the authorization page is none of them', async () => {
    const token = close(await network(() => ({ body: CLIENT_REFUSED })));
    const profile = close(await network(() => ({ status: 404 })));
    const profileURL = `${profile.url}/profile`;
    const report = await checkAt(token.url, { profileURL, authorizationURL: 'http://127.0.0.1:1/' });
    const hosts = Object.keys(verdictsOf(report)).filter((subject) => subject.startsWith('127.'));
    expect(hosts).to.deep.equal([new URL(token.url).host, new URL(profile.url).host]);
    expect(profile.requests.map(({ method, url }) => `${method} ${url}`)).to.deep.equal(['HEAD /']);
    expect(profile.requests[0]?.headers).to.deep.equal({
      host: new URL(profile.url).host,
      connection: 'close',
      'user-agent': 'passport-social-networks',
      accept: '*/*',
    });
  });

  it('VK ID’s host of profileFields is checked if there are any', async () => {
    const server = close(await network(() => ({ body: CLIENT_REFUSED })));
    const lookup = close(await network(() => ({ status: 404 })));
    for (const [profileFields, requests] of [
      [undefined, []],
      [['screen_name'], ['HEAD']],
    ]) {
      await checkAt(server.url, { lookupURL: lookup.url, profileFields }, 'social-network 2.1');
      expect(lookup.requests.map(({ method }) => method)).to.deep.equal(requests);
    }
  });

  it('a host that is up passes, also on a connection that the agent kept', async () => {
    const server = close(await network(() => ({ body: CLIENT_REFUSED })));
    const finding = await foundAt({ url: server.url.replace('127.0.0.1', 'localhost') });
    expect(finding.verdict).to.equal('passed');
    expect(finding.message).to.match(/^reached in \d+ ms$/);
    const agent = new HTTPAgent({ keepAlive: true });
    close({ close: () => agent.destroy() });
    await foundAt(server, { agent });
    const again = await foundAt(server, { agent });
    expect(again.message).to.match(/^reached in \d+ ms through the option agent$/);
  });

  it('a network that is down fails, and the credentials are not sent', async () => {
    const server = await network(() => ({}));
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    await checkAt(server.url, { agent: new HTTPAgent() });
    await server.close();
    const report = await checkAt(server.url);
    // Otherwise the command would end only with the timeout.
    expect(timers()).to.equal(before);
    const { host, port } = new URL(server.url);
    const finding = findingOn(report, host);
    expect(finding).to.include({
      verdict: 'failed',
      message: `no connection to port ${port} (ECONNREFUSED 127.0.0.1:${port})`,
      remedy: `Is the sandbox running at that URL? Start it: npx passport-social-networks-sandbox --port ${port}, or correct the URL.`,
      guide: 'docs/deploying.md#check-before-the-first-login',
    });
    expect(findingOn(report, 'credentials')).to.include({
      verdict: 'unknown',
      message: `not checked: see ${host}`,
    });
    expect(findingOn(report, 'clock')).to.include({
      verdict: 'unknown',
      message: 'no host sent its time',
    });
  });

  it('a proxy that only the environment knows is named', async () => {
    process.env.HTTPS_PROXY = 'http://proxy.example:3128';
    const { remedy } = await foundAt({ url: 'https://no-such-host.invalid' });
    expect(remedy).to.include('HTTPS_PROXY is set, but a strategy uses only the proxy of its option agent.');
  });

  it('a name without an address fails', async () => {
    const finding = await foundAt({ url: 'https://network.invalid' }, { timeout: 5_000 });
    expect(finding.verdict).to.equal('failed');
    expect(finding.message).to.match(/^DNS has no address for this name \(E\w+\)$/);
    expect(finding.remedy).to.match(/^Check the name in the options, and the DNS of this machine\./);
  });

  const NO_RESPONSE = { verdict: 'failed', message: 'connected (TCP), but no response (ETIMEDOUT)' };
  const UNCHECKED = { verdict: 'unknown', message: 'not checked: no usable response' };
  const UNUSABLE = { verdict: 'failed', guide: 'docs/troubleshooting.md#errors' };
  const [passed, failed, unknown] = ['passed', 'failed', 'unknown'].map((verdict) => ({ verdict }));
  for (const [title, answered, host, credentials] of [
    ['a network that hangs fails within the timeout of the strategy', 'nothing', NO_RESPONSE, UNCHECKED],
    ['a host that ignores HEAD, but responds to the login’s own request, is fine', 'POST', passed, failed],
    ['a host that responds to HEAD, but not to the login’s own request, fails', 'HEAD', UNUSABLE, unknown],
  ] as const) {
    it(title, async () => {
      const server = close(
        await serve(({ method }, response) => method === answered && response.end(CLIENT_REFUSED)),
      );
      // What is answered must be in time on a busy machine, too.
      const timeout = answered === 'nothing' ? 200 : 1_000;
      const report = await checkAt(server.url, { timeout });
      const found = findingOn(report, new URL(server.url).host);
      expect(found).to.include(host as object);
      expect(findingOn(report, 'credentials')).to.include(credentials as object);
      if (answered !== 'HEAD') return;
      expect(found.message).to.match(
        /^no usable response from 127\.0\.0\.1:\d+: no complete response in time\. The deadline is the option timeout, now 1000 milliseconds\.$/,
      );
    });
  }

  it('a host that switches protocols or closes connections fails', async () => {
    for (const reply of [
      'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
      '',
      'nonsense\r\n\r\n',
    ]) {
      const server = close(await serveRaw((socket) => socket.end(reply)));
      const finding = await foundAt(server);
      expect(finding.verdict).to.equal('failed');
      expect(finding.message).to.match(/^connected \(TCP\), but no response \([A-Z_]+\)$/);
      expect(finding.guide).to.equal('docs/deploying.md#out-through-a-proxy');
    }
  });

  describe('the clock', () => {
    async function shifted(seconds: number, headers = {}) {
      const date = new Date(Date.now() + seconds * 1_000).toUTCString();
      return close(await network(() => ({ headers: { date, ...headers }, body: CLIENT_REFUSED })));
    }

    it('OAuth 1.0a: a clock that is minutes or hours off fails', async () => {
      for (const [seconds, text] of [
        [310, '5 minutes behind'],
        [-3_600, '60 minutes ahead of'],
        [-90_000, '25 hours ahead of'],
      ] as const) {
        const server = await shifted(seconds);
        expect(findingOn(await checkAt(server.url, {}, 'microblog 1.0'), 'clock')).to.deep.equal({
          subject: 'clock',
          verdict: 'failed',
          message: `${text} that of ${new URL(server.url).host}, and OAuth 1.0a signs the time`,
          remedy: "Set this machine's clock, and let it follow a time server (NTP).",
          guide: 'docs/deploying.md#check-before-the-first-login',
        });
      }
    });

    it('OAuth 2.0: a clock an hour off does not fail logins, but is reported; a minute is fine with both', async () => {
      const hour = findingOn(await checkAt((await shifted(3_600)).url), 'clock');
      expect(hour.verdict).to.equal('unknown');
      expect(hour.message).to.match(/^60 minutes behind that of \S+\. OAuth 2\.0 sends no time, but/);
      const minute = findingOn(await checkAt((await shifted(-60)).url, {}, 'microblog 1.0'), 'clock');
      expect(minute.verdict).to.equal('passed');
      expect(minute.message).to.match(/^(59|60|61) seconds ahead of that of/);
    });

    it('a response from a cache, or without a time, tells nothing', async () => {
      const cached = await shifted(-3_600, { age: '3600' });
      expect(findingOn(await checkAt(cached.url), 'clock').verdict).to.equal('unknown');
      const timeless = close(
        await serve((_request, response) => {
          response.sendDate = false;
          response.end(CLIENT_REFUSED);
        }),
      );
      expect(findingOn(await checkAt(timeless.url), 'clock').verdict).to.equal('unknown');
    });
  });

  describe('certificates', () => {
    const company = oneAuthority(HERE, COMPANY);
    const russian = oneAuthority(HERE, { subject: '/O=Test/CN=Russian Trusted Root CA' });

    const respond = async (certificate: Pick<PrivateAuthority, 'key' | 'cert'>) =>
      close(await serveTLS(certificate, (_request, response) => response.end(CLIENT_REFUSED)));

    it('a private authority fails, and is named with what to do', async () => {
      const server = await respond(company);
      const report = await checkAt(server.url);
      const finding = findingOn(report, `127.0.0.1:${server.port}`);
      expect(finding).to.include({
        verdict: 'failed',
        message:
          'the certificate is signed by Company CA (Test), which Node does not trust (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
        guide: 'docs/deploying.md#a-private-certificate-authority',
      });
      expect(finding.remedy).to.match(
        /^If that is your company's authority, save its root certificate as a PEM file and start Node with NODE_EXTRA_CA_CERTS=<file>/,
      );
      expect(findingOn(report, 'credentials').verdict).to.equal('unknown');
    });

    it('a private authority that the agent trusts passes, and is named, also if the agent is set later', async () => {
      const server = await respond(company);
      const trusting = () => new HTTPSAgent({ ca: readFileSync(company.file) });
      const strategy = strategyAt('short-video', server.url);
      Reflect.get(strategy, '_oauth2').setAgent(trusting());
      for (const report of [await checkAt(server.url, { agent: trusting() }), await check(strategy)]) {
        expect(findingOn(report, `127.0.0.1:${server.port}`).message).to.match(
          /^reached in \d+ ms through the option agent, certificate signed by Company CA \(Test\)$/,
        );
        expect(findingOn(report, 'credentials').verdict).to.equal('failed');
      }
    });

    it('an authority without a name is an unknown one', async () => {
      const nameless = privateAuthority(HERE, { subject: '/C=NL' });
      nameless.close();
      const { message } = await foundAt(await respond(nameless));
      expect(message).to.include('is signed by an unknown authority, which Node does not trust');
    });

    it('VK: the Russian root is named, with its fingerprint, where it is published, and what to set', async () => {
      const server = await respond(russian);
      expect(await foundAt(server, {}, 'social-network')).to.deep.equal({
        subject: `127.0.0.1:${server.port}`,
        verdict: 'failed',
        message:
          'the certificate is signed by Russian Trusted Root CA (Test), which Node does not trust (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
        remedy:
          'Download the root certificate of Russian Trusted Root CA from https://www.gosuslugi.ru/crt as a PEM file, compare its SHA-256 fingerprint with D2:6D:2D:02:31:B7:C3:9F:92:CC:73:85:12:BA:54:10:35:19:E4:40:5D:68:B5:BD:70:3E:97:88:CA:8E:CF:31, and start Node with NODE_EXTRA_CA_CERTS=<file>, or put it into the option ca of the agent.',
        guide: 'docs/deploying.md#a-private-certificate-authority',
      });
    });

    it('VK: an authority that only has the name of the Russian root is not to be trusted; no other network names it', async () => {
      const server = await respond({ key: russian.key, cert: russian.chain });
      const { remedy } = await foundAt(server, {}, 'social-network');
      expect(remedy).to.match(
        /^Do not trust it: a certificate of this name was sent, but it is not the root of Russian Trusted Root CA/,
      );
      expect((await foundAt(await respond(russian))).remedy).to.not.include('gosuslugi');
    });

    for (const [title, names, days, code, remedy] of [
      ['that has expired', HERE, -1, 'CERT_HAS_EXPIRED', /^Check this machine's clock\./],
      [
        'for another name',
        ['DNS:other.example'],
        2,
        'ERR_TLS_CERT_ALTNAME_INVALID',
        /^Check the address in the options\./,
      ],
    ] as const) {
      it(`a certificate ${title} fails`, async () => {
        const wrong = privateAuthority(names, { ...COMPANY, days });
        close(wrong);
        const server = await respond(wrong);
        const agent = new HTTPSAgent({ ca: readFileSync(wrong.file) });
        const finding = await foundAt(server, { agent });
        expect(finding.verdict).to.equal('failed');
        expect(finding.message)
          .to.match(/^the certificate, signed by Company CA \(Test\), is .*\(/)
          .and.include(code);
        expect(finding.remedy).to.match(remedy);
      });
    }

    it('a host that speaks no TLS fails', async () => {
      const server = close(await network(() => ({})));
      const finding = await foundAt({ url: server.url.replace('http:', 'https:') });
      expect(finding.message).to.match(/^no encrypted connection \((EPROTO|ERR_SSL_\w+)\)$/);
    });

    for (const [how, isAnswered] of [
      ['answers', true],
      ['closes the connection', false],
    ] as const) {
      it(`an agent that verifies nothing fails, and the credentials are not sent, if the host ${how}`, async () => {
        let requests = 0;
        const server = close(
          await serveTLS(company, (request, response) => {
            if (request.method !== 'HEAD') requests += 1;
            if (isAnswered || request.method !== 'HEAD') response.end();
            else request.socket.destroy();
          }),
        );
        const agent = new HTTPSAgent({ rejectUnauthorized: false });
        const report = await checkAt(server.url, { agent });
        expect(findingOn(report, `127.0.0.1:${server.port}`)).to.include({
          verdict: 'failed',
          message: 'its certificate is not verified, so anyone on the way can read the credentials',
        });
        expect(findingOn(report, 'credentials').verdict).to.equal('unknown');
        expect(requests).to.equal(0);
      });
    }
  });

  describe('proxies', () => {
    const company = oneAuthority(['DNS:api.x.com'], COMPANY);

    /** The network behind a proxy with a password. */
    async function behindProxy() {
      const front = close(await serveTLS(company, (_request, response) => response.end(CLIENT_REFUSED)));
      return close(await connectProxy(front.port, 'user:PROXY-PASSWORD'));
    }

    it('K1: through the proxy of the environment, a certificate is compared with the host, also with an address', async () => {
      const { port } = await behindProxy();
      const agent = new ProxyAgent(new URL(`http://user:PROXY-PASSWORD@127.0.0.1:${port}`));
      const connect = mock.method(tls, 'connect');
      close({ close: () => connect.mock.restore() });
      expect((await foundAt({ url: 'https://192.0.2.1' }, { agent })).verdict).to.equal('failed');
      const compared = connect.mock.calls.map((call) => (call.arguments[0] as { host?: string }).host);
      expect(new Set(compared)).to.deep.equal(new Set(['192.0.2.1']));
    });

    it('a proxy that cannot be reached, refuses, or hangs fails, and its password is not shown', async () => {
      const proxy = await behindProxy();
      const hanging = close(await serveRaw(() => {}));
      const responding = close(await serve((_request, response) => response.writeHead(503).end()));
      const page = close(
        await serveRaw((socket) => socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 2\r\n\r\nno')),
      );
      for (const [port, code] of [
        [1, 'ECONNREFUSED'],
        [proxy.port, 'HTTP 407'],
        [page.port, 'HTTP 502'],
        [hanging.port, 'ETIMEDOUT'],
        [responding.port, 'no code'],
      ] as const) {
        const url = `http://user:WRONG-PASSWORD@127.0.0.1:${port}`;
        for (const [agent, name] of [
          [new HttpsProxyAgent(url), 'the option agent'],
          [new ProxyAgent(new URL(url)), 'the proxy of HTTPS_PROXY'],
        ] as const) {
          const timeout = port === hanging.port ? 200 : 10_000;
          const options = { clientID: 'a', clientSecret: 'b', agent, timeout };
          const report = await check(new MicroblogStrategy(options, () => false));
          const finding = findingOn(report, 'api.x.com');
          expect(finding.verdict).to.equal('failed');
          expect(finding.message.startsWith(`no connection through ${name} (`), finding.message).to.equal(
            true,
          );
          expect(finding.remedy).to.equal(
            'Check the address and the password of the proxy, and whether it allows api.x.com, port 443.',
          );
          if (agent instanceof HttpsProxyAgent && code !== 'no code')
            expect(finding.message).to.include(code);
          if (agent instanceof ProxyAgent) expect(inspect(agent)).to.not.include('WRONG-PASSWORD');
          expect(JSON.stringify(report)).to.not.include('PASSWORD');
        }
      }
    });
  });
});
