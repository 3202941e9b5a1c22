import { expect } from 'chai';
import { checkedOf } from '../../check/lib/subject.js';
import { UnreachableError } from '../../lib/index.js';
import { type Sandbox, startSandbox } from '../../sandbox/lib/index.js';
import { backendRequests, describeEach } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { deny, start } from '../support/journey.js';
import { network } from '../support/server.js';
import { type Endpoint, failedLogin, hostileScene, type Meddling, neverCalled } from './hostile-network.js';

const STEPS: Readonly<Record<Endpoint, string>> = {
  requestTokenURL: 'request token',
  accessTokenURL: 'token',
  tokenURL: 'token',
  profileURL: 'profile',
};

/** One for all strategies, because a certificate takes long to make. No request may reach it. */
let secure: Sandbox | undefined;
after(() => secure?.close());

describeEach('a network that misbehaves', (contract) => {
  const { subject, sandbox, strategy, app, serving, closing } = contract;
  const { provider } = subject;

  /** Runs one login per endpoint with its reply replaced. @returns Each error with its number of requests. */
  async function failures(how: Meddling, options: object = {}) {
    const { endpoints } = await hostileScene(contract);
    return Promise.all(
      endpoints.map(async (endpoint) => {
        const scene = await hostileScene(contract, options);
        scene.meddle(endpoint, how);
        const { error, page } = await failedLogin(scene);
        expect([page.status, error.step]).to.deep.equal([error.status, STEPS[endpoint]]);
        return { error, requests: scene.seenAt(endpoint).length };
      }),
    );
  }

  it('T1: every URL option rejects an http URL on another machine', async () => {
    const world = await sandbox();
    const names = Object.keys(subject.options(world)).filter((name) => name.endsWith('URL'));
    expect(names).to.have.length.above(2);
    for (const name of names) {
      const insecure = { [name]: 'http://example.com/path' };
      expect(() => strategy(world, insecure)).to.throw(TypeError, `option ${name} must begin with https://`);
    }
  });

  it('T4: a redirect at any endpoint is an error that names only the other host, and is not followed', async () => {
    const other = closing(await network(() => ({ body: {} })));
    const location = `${other.url}/elsewhere?with=a-secret`;
    for (const status of [301, 302, 303, 307, 308]) {
      for (const { error, requests } of await failures(() => ({ status, headers: { location } }))) {
        expect(error).to.be.instanceOf(UnreachableError).with.property('code', 'redirected');
        expect(error.message).to.include(`HTTP ${status} redirects to 127.0.0.1:${other.port}, and`);
        expect(error.message).to.not.include('a-secret').and.not.include('elsewhere');
        expect(requests).to.equal(1);
      }
    }
    expect(other.requests).to.deep.equal([]);
  });

  it('T1: a network whose certificate no trusted authority has signed gets no request', async () => {
    secure ??= await startSandbox({ https: true });
    const world = secure;
    const server = await app(strategy(world));
    const browser = new Browser();
    const started = await browser.get(`${server.url}/login/${provider}`);
    const state = new URL(started.location || server.url).searchParams.get('state');
    const response = `${server.url}/api/auth/callback/${provider}?code=a-code&state=${state}&device_id=a-device`;
    // OAuth 1.0a sends its first request before the redirect.
    const page = started.location === '' ? started : await browser.get(response);
    expect([page.status, page.json.code]).to.deep.equal([502, 'tls_failed']);
    expect(world.requests()).to.deep.equal([]);
  });

  it('T5: the deadline of a request is ten seconds unless the option timeout sets another', async () => {
    const world = await sandbox();
    const deadlineOf = (options: object) => checkedOf(strategy(world, options))?.settings.timeout;
    expect([deadlineOf({}), deadlineOf({ timeout: 5_000 })]).to.deep.equal([10_000, 5_000]);
  });

  it('S7: a declined login is a failure with status 401 and code access_denied, and verify is not called', async () => {
    const { world, server } = await serving({}, {}, neverCalled);
    const browser = new Browser();
    const callback = await deny(browser, await start(browser, server, provider));
    const requests = backendRequests(world);
    const { status, json } = await browser.get(callback);
    // The network's own words are beside ours.
    const sent = new URL(callback).searchParams.get('error_description');
    const networkMessage = sent === null ? {} : { networkMessage: sent };
    const failure = { message: 'The user declined the login at the network.', code: 'access_denied' };
    expect([status, json]).to.deep.equal([401, { failure: { ...failure, ...networkMessage } }]);
    expect(backendRequests(world)).to.deep.equal(requests);
  });
});
