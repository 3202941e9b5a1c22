import { Agent } from 'node:http';
import { expect } from 'chai';
import type { Sandbox } from '../../lib/sandbox/index.js';
import { Browser } from '../support/browser.js';
import { allow, callbackOf, logIn, start } from '../support/journey.js';
import { memoryLogins } from '../support/logins.js';
import { network } from '../support/server.js';
import { eavesdrop } from './eavesdropper.js';
import { backendRequests, type Contract, type Done, personOf, tappedBy } from './harness.js';

/** The options about sockets, stores and proxies, whatever the network. */
export function surroundings({ subject, sandbox, strategy, app, closing }: Contract): void {
  const { provider } = subject;

  it('the option agent is asked for every request', async () => {
    const world = await sandbox();
    const agent = new Agent();
    const { addRequest } = agent as unknown as { addRequest: (...args: unknown[]) => void };
    let asked = 0;
    Object.assign(agent, {
      addRequest(...args: unknown[]) {
        asked += 1;
        addRequest.apply(agent, args);
      },
    });
    expect((await logIn(await app(strategy(world, { agent })), provider)).status).to.equal(200);
    expect(asked).to.be.above(1);
    expect(asked).to.equal(backendRequests(world).length);
  });

  it('the option customHeaders goes out with every request, and to nobody but the network', async () => {
    const world = await sandbox();
    const ear = closing(await eavesdrop(world));
    const customHeaders = { 'X-App': 'the-app' };
    const server = await app(strategy(world, { ...tappedBy(ear, subject, world), customHeaders }));
    expect((await logIn(server, provider)).status).to.equal(200);
    expect(ear.requests).to.have.length.above(1);
    expect(new Set(ear.requests.map(({ headers }) => headers['x-app']))).to.deep.equal(new Set(['the-app']));
  });

  it('T5: the option timeout is the deadline of a request', async () => {
    const world = await sandbox();
    const silent = closing(await network(() => new Promise<never>(() => {})));
    const server = await app(strategy(world, { ...tappedBy(silent, subject, world), timeout: 40 }));
    const browser = new Browser();
    const beginning = await browser.get(`${server.url}/login/${provider}`);
    const page =
      beginning.status === 302 ? await browser.get(await allow(browser, beginning.location)) : beginning;
    expect(page.status).to.equal(504);
    expect(page.json).to.include({ error: 'UnreachableError', code: 'timeout' });
    expect(page.json.message).to.include('The deadline is the option timeout, now 40 milliseconds.');
  });

  it('the option store keeps pending logins, and no session is needed for them', async () => {
    const world = await sandbox();
    const store = memoryLogins();
    const server = await app(strategy(world, { store }));
    const callback = await callbackOf(new Browser(), server, provider);
    expect([...store.logins.values()]).to.have.length(1);
    expect([...store.logins.values()][0]).to.include({ strategy: provider });
    const page = await new Browser().get(callback);
    expect(page.json.user).to.deep.equal(personOf(subject, world, 'alice'));
    expect(store.logins.size).to.equal(0);
  });

  it('T14: a store that throws, at either end, is a Passport error', async () => {
    const world = await sandbox();
    const failure = new Error('the store is away');
    const throwing = async () => {
      throw failure;
    };
    const beginning = await app(strategy(world, { store: { ...memoryLogins(), save: throwing } }));
    expect((await new Browser().get(`${beginning.url}/login/${provider}`)).status).to.equal(500);
    expect(beginning.endings).to.deep.equal([{ error: failure }]);
    const finishing = await app(strategy(world, { store: { ...memoryLogins(), take: throwing } }));
    expect((await logIn(finishing, provider)).status).to.equal(500);
    expect(finishing.endings).to.deep.equal([{ error: failure }]);
  });

  it('the option sessionKey names the session’s member', async () => {
    const world = await sandbox();
    const verify = (req: { session: object }, _t: string, _r: unknown, _p: unknown, done: Done) =>
      done(null, { members: Object.keys(req.session) });
    const options = { sessionKey: 'my-logins', passReqToCallback: true };
    const page = await logIn(await app(strategy(world, options, verify)), provider);
    expect(page.json.user.members).to.include('my-logins').and.not.include('pendingLogins');
  });

  it('the option callbackURL is where the person comes back to', async () => {
    const world = await sandbox();
    const options = { callbackURL: 'http://127.0.0.1:65000/come/back' };
    const server = await app(strategy(world, options));
    const callback = new URL(await callbackOf(new Browser(), server, provider));
    expect(callback.origin + callback.pathname).to.equal('http://127.0.0.1:65000/come/back');
  });

  const forwarded = (host: string) => ({ 'x-forwarded-host': host, 'x-forwarded-proto': 'https' });
  const originAfter = async (world: Sandbox, options: object, settings: object, host: string) => {
    const server = await app(strategy(world, options), settings);
    const browser = new Browser();
    const callback = await allow(browser, await start(browser, server, provider, forwarded(host)));
    return { origin: new URL(callback).origin, own: server.url };
  };

  it('T3: forwarded headers are not believed by themselves', async () => {
    for (const host of ['evil.example', 'evil.example, app.example']) {
      const { origin, own } = await originAfter(await sandbox(), {}, {}, host);
      expect(origin).to.equal(own);
    }
  });

  it('T3: with Express’s trust proxy, or the option proxy, one forwarded host is believed', async () => {
    const world = await sandbox();
    expect((await originAfter(world, {}, { trustProxy: true }, 'app.example')).origin).to.equal(
      'https://app.example',
    );
    expect((await originAfter(world, { proxy: true }, {}, 'app.example')).origin).to.equal(
      'https://app.example',
    );
  });

  it('T3: several forwarded hosts end the login with a mistake that names the remedy', async () => {
    const world = await sandbox();
    for (const proxy of [false, true]) {
      const server = await app(strategy(world, { proxy }), { trustProxy: !proxy });
      const headers = forwarded('evil.example, app.example');
      const page = await new Browser().get(`${server.url}/login/${provider}`, headers);
      expect([page.status, page.location]).to.deep.equal([500, '']);
      expect(page.json).to.include({ error: 'TypeError' });
      expect(page.json.message).to.include('Pass an absolute callbackURL.');
    }
    expect(backendRequests(world)).to.deep.equal([]);
  });
}
