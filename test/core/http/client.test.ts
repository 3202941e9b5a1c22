import { expect } from 'chai';
import { MalformedError, UnreachableError } from '../../../lib/core/errors/index.js';
import {
  type ClientOptions,
  exactIdentifier,
  formDecode,
  type NetworkRequest,
  parseJSON,
  property,
  stringProperty,
  withDefaultQuery,
  withQuery,
} from '../../../lib/core/http/index.js';
import { type RequestReport, requestChannel } from '../../../lib/index.js';
import { getRequest, networkClient } from '../../support/network-client.js';
import { realSockets } from '../../support/real-sockets.js';
import { network, type Reply, type SeenRequest } from '../../support/server.js';
import { rejectionOf } from '../../support/thrown.js';

import diagnostics = require('node:diagnostics_channel');

describe('NetworkClient: requests', () => {
  const close = realSockets();

  const started = async (reply: Reply = {}) => close(await network(() => reply));
  /** The only request to a network that accepts any. */
  async function sentBy(changes: Partial<NetworkRequest>, options: object = {}, path = '') {
    const server = await started();
    await networkClient(options).request(getRequest(server.url + path, changes));
    const [request] = server.requests as [SeenRequest];
    return { ...request, host: new URL(server.url).host };
  }

  it('sends a GET without a body, and the usual headers', async () => {
    const request = await sentBy({}, {}, '/a?b=c');
    expect(request).to.include({ method: 'GET', url: '/a?b=c', body: '' });
    expect(request.headers).to.deep.equal({
      host: request.host,
      connection: 'keep-alive',
      'user-agent': 'passport-social-networks',
      accept: 'application/json',
      'accept-encoding': 'identity',
    });
  });

  it('sends a form with the bare content type, its fields in order, and an empty POST with a length of zero', async () => {
    const { body, headers } = await sentBy({ method: 'POST', form: { b: 'x y', a: 'é&=', c: '' } });
    expect(body).to.equal('b=x%20y&a=%C3%A9%26%3D&c=');
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '25' };
    expect(headers).to.include(form);
    expect((await sentBy({ method: 'POST' })).headers['content-length']).to.equal('0');
  });

  it('adds the headers of the options; those of the request win', async () => {
    const customHeaders = { 'x-app': 'a', 'user-agent': 'own', accept: 'own' };
    const { headers } = await sentBy({ headers: { accept: 'text/plain' } }, { customHeaders });
    expect(headers).to.include({ ...customHeaders, accept: 'text/plain' });
  });
});

const errorResponses: Pick<ClientOptions, 'readErrorResponse' | 'facts'> = {
  readErrorResponse({ body }) {
    const no = stringProperty(body, 'no');
    return no === undefined ? undefined : { networkCode: no, networkMessage: `No ${no}`, requestId: no };
  },
  facts: { errorRows: [{ code: 'known', means: 'request refused', hint: 'A hint.', source: 'this test' }] },
};

describe('NetworkClient: error responses', () => {
  const close = realSockets();
  const send = async (reply: Reply, changes: Partial<NetworkRequest> = {}, secrets: string[] = []) => {
    const { url } = close(await network(() => reply));
    return networkClient({ ...errorResponses, secrets }).requestJSON(getRequest(url, changes));
  };

  it('T4: a redirect without a readable location, a 300 and a 304 are no usable responses either', async () => {
    for (const [status, headers] of [
      [302, {}],
      [302, { location: 'http://[' }],
      [302, { location: '' }],
      [300, {}],
      [304, {}],
    ] as const) {
      const error = await rejectionOf(send({ status, headers }));
      expect(error).to.be.instanceOf(UnreachableError).and.include({ code: 'redirected' });
    }
  });

  it('an error status with JSON is a RefusedError', async () => {
    const message =
      'network, profile: the network refused without a reason. HTTP 418: look this up at the network.';
    for (const [reply, expected] of [
      [
        { status: 418, body: { teapot: true } },
        { message, networkStatus: 418, code: 'refused', status: 502 },
      ],
      [
        { status: 400, body: { no: 'such "a." here' } },
        {
          message:
            'network, profile: the network refused: such "a." here "No such "a." here". HTTP 400: look this up at the network.',
        },
      ],
    ] as const) {
      expect(await rejectionOf(send(reply))).to.include(expected);
    }
  });
});

describe('NetworkClient: reports', () => {
  const close = realSockets();
  const reports: RequestReport[] = [];
  const listener = (report: unknown) => reports.push(report as RequestReport);
  beforeEach(() => {
    reports.length = 0;
    diagnostics.subscribe('passport-social-networks:request', listener);
  });
  afterEach(() => diagnostics.unsubscribe(requestChannel, listener));

  const code = 'token_missing';
  const validate = () => {
    throw new MalformedError({ provider: 'network', step: 'token', code, message: 'x' });
  };
  const own = { parseErrorResponse: () => new RangeError('own') };
  const moved = { status: 302, headers: { location: 'https://evil.example/' } };
  const silence = new Promise<never>(() => {});
  type Report = readonly [status: number | undefined, outcome: string];
  const REPORTED: readonly [string, Reply | typeof silence, Report[], Partial<NetworkRequest>?][] = [
    [
      'each attempt',
      { status: 503, body: {} },
      [
        [503, 'retried'],
        [503, 'refused'],
      ],
      { retries: 1 },
    ],
    ['a timeout, without a status', silence, [[undefined, 'timeout']]],
    ['a redirect', moved, [[302, 'redirected']]],
    ['an error response', { status: 400, body: { error: 'x' } }, [[400, 'refused']]],
    ['too many requests', { status: 429, body: 'Slow down' }, [[429, 'rate_limited']]],
    ['a page', { body: '<html>' }, [[200, 'unreadable_response']]],
    ['what validate throws', { body: { a: 1 } }, [[200, 'token_missing']], { validate }],
    ['an application’s own error', { status: 400, body: {} }, [[400, 'refused']], own],
  ];
  for (const [title, reply, expected, changes] of REPORTED) {
    it(`${title}: ${JSON.stringify(expected)}`, async () => {
      const { url } = close(await network(() => reply));
      const timeout = reply === silence ? 30 : 5_000;
      await rejectionOf(networkClient({ timeout }).requestJSON(getRequest(url, changes)));
      expect(reports.map(({ status, outcome }) => [status, outcome])).to.deep.equal(expected);
      expect('status' in (reports[0] ?? {})).to.equal(reply !== silence);
    });
  }

  it('a listener that throws does not fail the request', async () => {
    const { url } = close(await network(() => ({ body: {} })));
    const thrown: unknown[] = [];
    const before = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.once('uncaughtException', (error) => thrown.push(error));
    const failure = new Error('a listener’s mistake');
    const failing = () => {
      throw failure;
    };
    diagnostics.subscribe(requestChannel, failing);
    try {
      expect((await networkClient().request(getRequest(url))).status).to.equal(200);
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      diagnostics.unsubscribe(requestChannel, failing);
      for (const one of before) process.on('uncaughtException', one);
    }
    expect(thrown).to.deep.equal([failure]);
  });
});

describe('queries and forms', () => {
  it('withQuery keeps a URL’s parameters, replaces those that are given, and writes a space as %20', () => {
    for (const [query, given, expected] of [
      ['?x=1&state=old#', { state: 'a b', scope: 'c+d' }, '?x=1&state=a%20b&scope=c%2Bd'],
      ['?x=1?2&y', { z: "it's" }, '?x=1%3F2&y=&z=it%27s'],
      ['', { z: "a b+it's" }, '?z=a%20b%2Bit%27s'],
      ['?#', {}, ''],
    ] as const) {
      const parameters = given as Record<string, string>;
      expect(withQuery(`https://n.example/a${query}`, parameters)).to.equal(`https://n.example/a${expected}`);
    }
    expect(withDefaultQuery('https://n.example/?v=5.199', { v: '5.126', lang: 'ru' })).to.equal(
      'https://n.example/?v=5.199&lang=ru',
    );
  });

  it('O4: a form is read with each name once, decoded; an empty one and one with a name twice are unreadable', () => {
    expect(formDecode('oauth_token=a%2Bb&x=c+d')).to.deep.equal({ oauth_token: 'a+b', x: 'c d' });
    for (const text of ['', 'a=1&a=2', 'a=1&b=2&a=1']) expect(formDecode(text)).to.equal(undefined);
    const form = formDecode('__proto__=x&a=1') ?? {};
    expect(Object.keys(form)).to.deep.equal(['__proto__', 'a']);
    expect(Object.getPrototypeOf(form)).to.equal(Object.prototype);
  });
});

describe('JSON', () => {
  it('digits inside strings stay, whatever is around them', () => {
    const text = '{"name":"id\\":12345678901234567890,","id":9007199254740993,"n":"12345678901234567890"}';
    const exact = { name: 'id":12345678901234567890,', id: '9007199254740993', n: '12345678901234567890' };
    const parsed: unknown[] = [];
    const pick = (body: unknown) => parsed.push(body) && property(body, 'id');
    expect(exactIdentifier({ text, body: parseJSON(text) }, pick)).to.equal(exact.id);
    expect(parsed).to.deep.equal([exact]);
  });
});
