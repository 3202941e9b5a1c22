import { Agent } from 'node:http';
import { expect } from 'chai';
import { Browser } from '../support/browser.js';
import { callbackOf, logIn } from '../support/journey.js';
import { memoryLogins } from '../support/logins.js';
import { eavesdrop } from './eavesdropper.js';
import { backendRequests, type Contract, personOf, tappedBy } from './harness.js';

/** Tests of the options for sockets, headers, stores and the callback URL, for every network. */
export function surroundings({ subject, sandbox, strategy, app, closing }: Contract): void {
  const { provider } = subject;

  it('the option agent is used for every request', async () => {
    const world = await sandbox();
    const agent = new Agent();
    const { addRequest } = agent as unknown as { addRequest: (...args: unknown[]) => void };
    let calls = 0;
    Object.assign(agent, {
      addRequest(...args: unknown[]) {
        calls += 1;
        addRequest.apply(agent, args);
      },
    });
    expect((await logIn(await app(strategy(world, { agent })), provider)).status).to.equal(200);
    expect(calls).to.be.above(1);
    expect(calls).to.equal(backendRequests(world).length);
  });

  it('T16: with the option shareConnections: false no two logins share a connection', async () => {
    const world = await sandbox();
    const ear = closing(await eavesdrop(world));
    const server = await app(strategy(world, { ...tappedBy(ear, subject, world), shareConnections: false }));
    const connections: Set<unknown>[] = [];
    for (const person of ['alice', 'anna']) {
      const begin = ear.requests.length;
      expect((await logIn(server, provider, person)).status).to.equal(200);
      connections.push(new Set(ear.requests.slice(begin).map(({ socket }) => socket)));
    }
    const [first = new Set(), second = new Set()] = connections;
    expect([...second].filter((socket) => first.has(socket))).to.deep.equal([]);
  });

  it('the option customHeaders is sent with every request to the network', async () => {
    const world = await sandbox();
    const ear = closing(await eavesdrop(world));
    const customHeaders = { 'X-App': 'the-app' };
    const server = await app(strategy(world, { ...tappedBy(ear, subject, world), customHeaders }));
    expect((await logIn(server, provider)).status).to.equal(200);
    expect(ear.requests).to.have.length.above(1);
    expect(new Set(ear.requests.map(({ headers }) => headers['x-app']))).to.deep.equal(new Set(['the-app']));
  });

  it('the option store holds pending logins', async () => {
    const world = await sandbox();
    const store = memoryLogins();
    const server = await app(strategy(world, { store }));
    const callback = await callbackOf(new Browser(), server, provider);
    expect([...store.logins.values()]).to.have.length(1);
    const page = await new Browser().get(callback);
    expect(page.json.user).to.deep.equal(personOf(subject, world, 'alice'));
    expect(store.logins.size).to.equal(0);
  });

  it('the option callbackURL is where the user returns to', async () => {
    const world = await sandbox();
    const options = { callbackURL: 'http://127.0.0.1:65000/come/back' };
    const server = await app(strategy(world, options));
    const callback = new URL(await callbackOf(new Browser(), server, provider));
    expect(callback.origin + callback.pathname).to.equal('http://127.0.0.1:65000/come/back');
  });
}
