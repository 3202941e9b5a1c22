import { expect } from 'chai';
import { MalformedError, ProviderError, RefusedError, UnreachableError } from '../../lib/index.js';
import { backendRequests, type Done, describeEach } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { deny, logIn, start } from '../support/journey.js';
import { hostileScene, type Meddling } from './hostile-network.js';

/** What a network can do to a login, with the resulting error. */
const FAULTS: Readonly<Record<string, { how: Meddling; status: number; code: string; type: unknown }>> = {
  'that resets the connection': {
    how: (_honest, { socket }) => {
      socket.resetAndDestroy();
      return new Promise<never>(() => {});
    },
    status: 502,
    code: 'connection_failed',
    type: UnreachableError,
  },
  'that redirects': {
    how: () => ({ status: 302, headers: { location: 'https://other.example/' } }),
    status: 502,
    code: 'redirected',
    type: UnreachableError,
  },
  'that sends an error response': {
    how: () => ({ status: 400, body: { error: 'invalid_request' } }),
    status: 502,
    code: 'refused',
    type: RefusedError,
  },
  'that limits requests': {
    how: () => ({ status: 429, headers: { 'retry-after': '7' } }),
    status: 503,
    code: 'rate_limited',
    type: RefusedError,
  },
  'that sends an empty body': {
    how: () => ({ body: '' }),
    status: 502,
    code: 'unreadable_response',
    type: MalformedError,
  },
};

describeEach('the status of a failed login', (contract) => {
  const { subject, sandbox, strategy, app } = contract;
  const { provider } = subject;

  for (const [title, { how, status, code, type }] of Object.entries(FAULTS)) {
    it(`S7: a network ${title} is ${code} with status ${status}, and expose is false`, async () => {
      const scene = await hostileScene(contract);
      for (const endpoint of scene.endpoints) {
        scene.meddle(endpoint, how);
        const page = await scene.attempt();
        expect([endpoint, page.status]).to.deep.equal([endpoint, status]);
        const { error } = scene.app.endings.at(-1) as { error: ProviderError };
        expect(error).to.be.instanceOf(type as never);
        expect(error).to.be.instanceOf(ProviderError);
        expect(error).to.include({ code, status, statusCode: status, expose: false, provider });
        if (code === 'rate_limited') expect((error as RefusedError).retryAfter).to.equal(7);
      }
    });
  }

  it('S7: a network that does not respond in time is timeout with status 504', async () => {
    const scene = await hostileScene(contract, { timeout: 300 });
    scene.meddle('profileURL', () => new Promise<never>(() => {}));
    expect((await scene.attempt()).status).to.equal(504);
    const { error } = scene.app.endings.at(-1) as { error: ProviderError };
    expect(error).to.include({ code: 'timeout', status: 504, statusCode: 504, expose: false });
  });

  it('S7: a declined login is a failure with status 401 and code access_denied, and verify is not called', async () => {
    const world = await sandbox();
    let called = 0;
    const verify = () => {
      called += 1;
    };
    const server = await app(strategy(world, {}, verify));
    const browser = new Browser();
    const callback = await deny(browser, await start(browser, server, provider));
    const requests = backendRequests(world);
    const page = await browser.get(callback);
    expect(page.status).to.equal(401);
    expect(page.json).to.deep.equal({
      failure: { message: 'The user declined the login at the network.', code: 'access_denied' },
    });
    expect(called).to.equal(0);
    expect(backendRequests(world)).to.deep.equal(requests);
  });

  it('S7: a login that verify rejects is a failure with the info from verify', async () => {
    const world = await sandbox();
    const verify = (_token: string, _refresh: unknown, _profile: unknown, done: Done) =>
      done(null, false, { message: 'Members only.' });
    const page = await logIn(await app(strategy(world, {}, verify)), provider);
    expect(page.status).to.equal(401);
    expect(page.json).to.deep.equal({ failure: { message: 'Members only.' } });
  });
});
