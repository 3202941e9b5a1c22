import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { exposeResponse } from 'passport-social-networks';
import { login, rehearse, startSandbox } from 'passport-social-networks-sandbox';
import { logInWithEach } from '../express/visit.js';
import { logIn } from './src/fetch-login.mjs';

const sandbox = await startSandbox();
/** Listens before the host starts, because the strategies take `baseURL`. */
const server = await listen();
const { port } = server.address();
const url = `http://127.0.0.1:${port}`;
const home = await listen((req, res) => {
  const [, account = ''] = /account=([\w-]+)/.exec(req.headers.cookie) ?? [];
  res.end(Buffer.from(account, 'base64url'));
});
process.env.HOME_URL = `http://127.0.0.1:${home.address().port}/`;
process.env.BASE_URL = url;
process.env.NETWORKS = JSON.stringify({
  'short-video': sandbox.options('short-video'),
  microblog: sandbox.options('microblog'),
  'social-network': sandbox.options('social-network', { version: '2.1' }),
});
const { strategies, signIn, logInOnNode } = await import('./strategies.js');

/** Each starts a host. The lines with `logIn` and `exposeResponse` are those of the guide. */
const HOSTS = {
  async hono() {
    const { Hono } = await import('hono');
    const { getRequestListener } = await import('@hono/node-server');
    const app = new Hono();
    app.get('/api/auth/:step/:network', (c) => logIn(c.req.raw, c.req.param('network'), signIn));
    server.on('request', getRequestListener(app.fetch));
  },
  async h3() {
    const { H3, toNodeHandler } = await import('h3');
    const app = new H3();
    app.get('/api/auth/:step/:network', (event) => logIn(event.req, event.context.params.network, signIn));
    server.on('request', toNodeHandler(app));
  },
  async hapi() {
    const { default: hapi } = await import('@hapi/hapi');
    const app = hapi.server({ listener: server, autoListen: false });
    app.route({
      method: 'GET',
      path: '/api/auth/{step}/{network}',
      async handler({ url, method, headers, params }, h) {
        const answer = await logIn(new Request(url, { method, headers }), params.network, signIn);
        const response = h.response(await answer.text()).code(answer.status);
        for (const [name, value] of answer.headers) response.header(name, value, { append: true });
        return response;
      },
    });
    await app.start();
  },
  async polka() {
    const { default: polka } = await import('polka');
    const app = polka().use(exposeResponse);
    app.get('/api/auth/:step/:network', (req, res) => logInOnNode(req, res, req.params.network));
    server.on('request', app.handler);
  },
  async restify() {
    const { default: restify } = await import('restify');
    const app = restify.createServer();
    app.use(exposeResponse);
    app.get('/api/auth/:step/:network', (req, res, _next) => logInOnNode(req, res, req.params.network));
    server.close();
    await new Promise((resolve) => app.listen(port, '127.0.0.1', resolve));
  },
  async sails() {
    const { Sails } = await import('sails');
    const settings = {
      port,
      explicitHost: '127.0.0.1',
      globals: false,
      hooks: { grunt: false, session: false },
    };
    const route = (req, res) => logInOnNode(req, res, req.param('network'));
    const routes = { 'GET /api/auth/:step/:network': route };
    server.close();
    await new Promise((resolve) =>
      new Sails().lift({ ...settings, log: { level: 'silent' }, routes }, resolve),
    );
  },
  http: () => server.on('request', (req, res) => exposeResponse(req, res, () => logInBare(req, res))),
  async connect() {
    const { default: connect } = await import('connect');
    server.on('request', connect().use(exposeResponse).use(logInBare));
  },
  async next() {
    const { default: next } = await import('next');
    const app = next({ dev: false });
    await app.prepare();
    server.on('request', app.getRequestHandler());
  },
};

await HOSTS[process.argv[2]]();
for (const { name } of strategies) {
  const { headers } = await fetch(`${url}/api/auth/signin/${name}`, { redirect: 'manual' });
  assert.equal(`${headers.get('cache-control')} ${headers.get('referrer-policy')}`, 'no-store no-referrer');
  assert.match(headers.getSetCookie().join('\n'), /^login\.\S+; [^\n]*$/);
}
await logInWithEach(login, strategies, url);
if (process.argv[2] === 'next') {
  const { checks } = await rehearse(`${url}/api/auth/signin/social-network`, { session: false });
  assert.deepEqual(
    checks.filter(({ passed }) => passed === false),
    [],
  );
}
process.exit();

function logInBare(req, res) {
  logInOnNode(req, res, /^\/api\/auth\/\w+\/([\w-]+)/.exec(req.url)?.[1]);
}

async function listen(handler) {
  const listening = createServer(handler).listen(0, '127.0.0.1');
  return once(listening, 'listening').then(() => listening);
}
