import { expect } from 'chai';
import { cookieLogins, ProviderError } from '../../lib/index.js';
import { describeEach } from '../contract/harness.js';
import { attempt, fakeRequest } from '../support/attempt.js';
import { closesAfterEach } from '../support/cleanup.js';
import {
  ACCESS_TOKEN_ANSWER,
  ExampleOAuth1Strategy,
  ExampleStrategy,
  REQUEST_TOKEN_ANSWER,
  TOKEN_ANSWER,
} from '../support/example-networks.js';
import type { NamedStrategy } from '../support/login-app.js';
import { realSockets } from '../support/real-sockets.js';
import { network, type Reply } from '../support/server.js';
import { hostileScene, raw } from './hostile-network.js';

type Written = (body: Buffer, length: number) => Buffer;

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

/** The first bytes of a response, in each way that HTTP declares its length. */
const FORMS: Readonly<Record<string, Written>> = {
  'with a Content-Length': (body, length) =>
    Buffer.concat([Buffer.from(`${HEAD}Content-Length: ${body.length}\r\n\r\n`), body.subarray(0, length)]),
  'in chunks': (body, length) =>
    Buffer.concat([
      Buffer.from(`${HEAD}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n`),
      body.subarray(0, length),
    ]),
};

describeEach('a truncated response', (contract) => {
  for (const [form, write] of Object.entries(FORMS)) {
    it(`T7: a truncated response ${form} at any endpoint is one error, and the next login works`, async () => {
      const { endpoints } = await hostileScene(contract);
      const cuts = endpoints.flatMap((endpoint) => [1 / 3, 1].map((part) => ({ endpoint, part })));
      // In parallel, because a GET is retried after a pause, and that response is truncated too.
      const attempts = cuts.map(async ({ endpoint, part }) => {
        const scene = await hostileScene(contract);
        scene.meddle(endpoint, async (honest, seen) => {
          const { body } = await honest();
          const length = Math.min(Math.floor(body.length * part), body.length - 1);
          return raw(write(body, length))(honest, seen);
        });
        const page = await scene.attempt();
        expect([page.status, page.json.code]).to.deep.equal([502, 'response_cut_short']);
        expect(scene.app.endings).to.have.length(1);
        scene.meddle(endpoint, (honest) => honest());
        expect((await scene.attempt()).status).to.equal(200);
      });
      await Promise.all(attempts);
    });
  }

  it('T13: a response sent in one-byte chunks is decoded correctly', async () => {
    const scene = await hostileScene(contract);
    const people = ['anna', 'hanako', 'layla'];
    const whole: unknown[] = [];
    for (const person of people) whole.push((await scene.attempt(person)).json.user);
    for (const endpoint of scene.endpoints) {
      scene.meddle(endpoint, async (honest, seen) => {
        const { body } = await honest();
        const chunks = Array.from(body, (byte) => chunk(Buffer.from([byte])));
        const head = Buffer.from(`${HEAD}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n`);
        return raw(Buffer.concat([head, ...chunks, Buffer.from('0\r\n\r\n')]))(honest, seen);
      });
      for (const [index, person] of people.entries()) {
        expect((await scene.attempt(person)).json.user).to.deep.equal(whole[index]);
      }
    }
    expect(whole[0]).to.include({ displayName: 'Анна Примерова' });
  });
});

const PROTOCOLS = {
  'OAuth 2': {
    Strategy: ExampleStrategy,
    query: 'code=c&state=',
    responses: { '/token': JSON.stringify(TOKEN_ANSWER) },
  },
  'OAuth 1.0a': {
    Strategy: ExampleOAuth1Strategy,
    query: 'oauth_verifier=v&oauth_token=',
    responses: {
      '/request_token': new URLSearchParams(REQUEST_TOKEN_ANSWER).toString(),
      '/access_token': new URLSearchParams(ACCESS_TOKEN_ANSWER).toString(),
    },
  },
};
const PROFILE = '{"id":"Анна 👩‍🚀 花"}';

describe('a response cut at every byte', () => {
  realSockets();
  const close = closesAfterEach();

  for (const [protocol, { Strategy, query, responses: tokens }] of Object.entries(PROTOCOLS)) {
    const responses: Readonly<Record<string, string>> = { ...tokens, '/profile': PROFILE };

    /** Prepares a login in which one response is replaced. @returns A function that runs the login and returns its ending. */
    async function login(path: string, write: (body: Buffer) => Buffer) {
      const meddled = async (seen: {
        path: string;
        socket: { end(bytes: Buffer): unknown };
      }): Promise<Reply> => {
        const body = responses[seen.path] ?? '';
        if (seen.path !== path) return { body };
        seen.socket.end(write(Buffer.from(body)));
        return new Promise<never>(() => {});
      };
      const { url } = close(await network(meddled));
      return async () => {
        const admit = (_t: string, _r: unknown, profile: { id: string }) =>
          Promise.resolve({ id: profile.id });
        // Request tokens are the same in every login, and a store lets each log in once.
        const strategy: NamedStrategy = new Strategy(url, admit, { store: cookieLogins() });
        const cookies = {};
        const start = await attempt(strategy, fakeRequest('/login', cookies));
        if (start.redirect === undefined) return start;
        const { searchParams } = new URL(start.redirect);
        const key = searchParams.get('state') ?? searchParams.get('oauth_token');
        return attempt(strategy, fakeRequest(`/callback?${query}${key}`, cookies));
      };
    }

    for (const path of Object.keys(responses)) {
      const size = Buffer.byteLength(responses[path] ?? '');

      for (const [form, write] of Object.entries(FORMS)) {
        it(`T7: ${protocol}, ${path}: a response ${form} cut at any byte is one error`, async () => {
          let length = 0;
          const tryIt = await login(path, (body) => write(body, length));
          for (; length < size; length += 1) {
            const { error, ...others } = await tryIt();
            expect(error, `${length}`).to.be.instanceOf(ProviderError);
            expect([(error as { code?: string }).code, others]).to.deep.equal(['response_cut_short', {}]);
          }
        });
      }
    }

    it(`T7: ${protocol}: a user record cut at any byte by the end of the connection is one error`, async () => {
      let length = 0;
      const head = Buffer.from(`${HEAD}\r\n`);
      const tryIt = await login('/profile', (body) => Buffer.concat([head, body.subarray(0, length)]));
      for (; length < Buffer.byteLength(PROFILE); length += 1) {
        const { error, ...others } = await tryIt();
        expect(error, `${length}`).to.be.instanceOf(ProviderError);
        expect(others).to.deep.equal({});
      }
    });

    it(`T13: ${protocol}: a user record split into two chunks at any byte is decoded correctly`, async () => {
      let split = 1;
      const head = Buffer.from(`${HEAD}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n`);
      const tryIt = await login('/profile', (body) =>
        Buffer.concat([
          head,
          chunk(body.subarray(0, split)),
          chunk(body.subarray(split)),
          Buffer.from('0\r\n\r\n'),
        ]),
      );
      for (; split < Buffer.byteLength(PROFILE); split += 1) {
        expect((await tryIt()).user).to.deep.equal({ id: 'Анна 👩‍🚀 花' });
      }
    });
  }
});

function chunk(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}
