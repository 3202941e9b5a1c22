import { Agent } from 'node:http';
import { expect } from 'chai';
import { UnreachableError } from '../../lib/core/errors.js';
import { closesAfterEach } from '../support/cleanup.js';
import { realSockets } from '../support/real-sockets.js';
import { network } from '../support/server.js';
import { rejectionOf } from '../support/thrown.js';
import { getRequest, transport } from '../support/transport.js';

describe('transport', () => {
  realSockets();
  const close = closesAfterEach();

  it('gives status, headers and text of any answer that is no redirect', async () => {
    for (const status of [200, 204, 400, 401, 404, 429, 500]) {
      const server = close(
        await network(() => ({ status, headers: { 'x-id': 'a' }, body: status === 204 ? '' : 'b' })),
      );
      const answer = await transport().send(getRequest(server.url));
      expect(answer).to.include({ status, text: status === 204 ? '' : 'b', wellFormed: true });
      expect(answer.headers['x-id']).to.equal('a');
    }
  });

  it('sends a GET without a body, with headers that say what it is', async () => {
    const server = close(await network(() => ({})));
    await transport().send(getRequest(`${server.url}/a?b=c`));
    const [request] = server.requests;
    expect(request).to.include({ method: 'GET', url: '/a?b=c', body: '' });
    expect(request?.headers).to.deep.equal({
      host: new URL(server.url).host,
      connection: 'keep-alive',
      'user-agent': 'passport-social-networks',
      accept: 'application/json',
      'accept-encoding': 'identity',
    });
  });

  it('sends a form with the bare content type, and its members in order', async () => {
    const server = close(await network(() => ({})));
    await transport().send(getRequest(server.url, { method: 'POST', form: { b: 'x y', a: 'é&=', c: '' } }));
    const [request] = server.requests;
    expect(request?.body).to.equal('b=x%20y&a=%C3%A9%26%3D&c=');
    expect(request?.headers['content-type']).to.equal('application/x-www-form-urlencoded');
    expect(request?.headers['content-length']).to.equal('25');
  });

  it('sends an empty POST with a content-length of zero', async () => {
    const server = close(await network(() => ({})));
    await transport().send(getRequest(server.url, { method: 'POST' }));
    expect(server.requests[0]?.headers['content-length']).to.equal('0');
  });

  it('adds the headers of the options; those of the request win', async () => {
    const server = close(await network(() => ({})));
    const customHeaders = { 'x-app': 'a', 'user-agent': 'own', accept: 'own' };
    await transport({ customHeaders }).send(getRequest(server.url, { headers: { accept: 'text/plain' } }));
    expect(server.requests[0]?.headers).to.include({
      'x-app': 'a',
      'user-agent': 'own',
      accept: 'text/plain',
    });
  });

  it('uses one connection for requests that follow one another', async () => {
    const server = close(await network(() => ({})));
    for (let count = 0; count < 3; count += 1) await transport().send(getRequest(server.url));
    expect(new Set(server.requests.map(({ socket }) => socket.remotePort)).size).to.equal(1);
  });

  it('uses the agent of the options, or the one that is set later', async () => {
    const server = close(await network(() => ({})));
    const used: string[] = [];
    const agentNamed = (name: string) => {
      const agent = new Agent();
      const { createConnection } = agent as unknown as { createConnection: (...args: unknown[]) => unknown };
      return Object.assign(agent, {
        createConnection(...args: unknown[]) {
          used.push(name);
          return createConnection.apply(agent, args);
        },
      });
    };
    const made = transport({ agent: agentNamed('first') });
    await made.send(getRequest(server.url));
    made.useAgent(agentNamed('second'));
    await made.send(getRequest(server.url));
    expect(used).to.deep.equal(['first', 'second']);
  });

  for (const status of [301, 302, 303, 307, 308]) {
    it(`T4: a ${status} is an error that names the host, and is not followed`, async () => {
      const evil = close(await network(() => ({})));
      const server = close(await network(() => ({ status, headers: { location: `${evil.url}/steal?a=b` } })));
      for (const method of ['GET', 'POST']) {
        const request = getRequest(server.url, {
          method,
          headers: { authorization: 'Bearer secret' },
          retries: 2,
        });
        const error = (await rejectionOf(transport().send(request))) as UnreachableError;
        expect(error).to.be.instanceOf(UnreachableError);
        expect(error).to.include({ code: 'redirected', status: 502 });
        expect(error.message).to.equal(
          `network, profile: HTTP ${status} redirects to ${new URL(evil.url).host}, and no redirect is followed with credentials. Check the address in the options: a missing slash or an old host is the usual cause.`,
        );
      }
      expect(server.requests).to.have.length(2);
      expect(evil.requests).to.have.length(0);
    });
  }

  it('T4: a redirect without an address, or to an unreadable one, is an error as well', async () => {
    for (const location of [undefined, 'http://[', '']) {
      const headers = location === undefined ? {} : { location };
      const server = close(await network(() => ({ status: 302, headers })));
      const error = (await rejectionOf(transport().send(getRequest(server.url)))) as UnreachableError;
      expect(error.code).to.equal('redirected');
    }
  });

  it('T4: a 300 and a 304 are no answers either', async () => {
    for (const status of [300, 304]) {
      const server = close(await network(() => ({ status })));
      const error = (await rejectionOf(transport().send(getRequest(server.url)))) as UnreachableError;
      expect(error.code).to.equal('redirected');
    }
  });
});
