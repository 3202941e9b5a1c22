import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { exposeResponse } from 'passport-social-networks';
import { startSandbox } from 'passport-social-networks-sandbox';
import { logInWithEach } from '../express/visit.js';
import { logIn } from './src/fetch-login.mjs';

const sandbox = await startSandbox();
/** Known before the host starts, because the strategies take `baseURL`. */
const reserved = await listen(0);
const { port } = reserved.address();
reserved.close();
const url = `http://127.0.0.1:${port}`;
const home = await listen(0, (req, res) => {
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
    await listen(port, getRequestListener(app.fetch));
  },
  async h3() {
    const { H3, toNodeHandler } = await import('h3');
    const app = new H3();
    app.get('/api/auth/:step/:network', (event) => logIn(event.req, event.context.params.network, signIn));
    await listen(port, toNodeHandler(app));
  },
  async hapi() {
    const { default: hapi } = await import('@hapi/hapi');
    const server = hapi.server({ host: '127.0.0.1', port });
    server.route({
      method: 'GET',
      path: '/api/auth/{step}/{network}',
      async handler({ url, headers, params }, h) {
        const answer = await logIn(new Request(url, { headers }), params.network, signIn);
        const response = h.response(await answer.text()).code(answer.status);
        for (const [name, value] of answer.headers) response.header(name, value, { append: true });
        return response;
      },
    });
    await server.start();
  },
  async polka() {
    const { default: polka } = await import('polka');
    const app = polka().use(exposeResponse);
    app.get('/api/auth/:step/:network', (req, res) => logInOnNode(req, res, req.params.network));
    await listen(port, app.handler);
  },
  async restify() {
    const { default: restify } = await import('restify');
    const app = restify.createServer();
    app.use(exposeResponse);
    app.get('/api/auth/:step/:network', (req, res, _next) => logInOnNode(req, res, req.params.network));
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
    await new Promise((resolve) =>
      new Sails().lift({ ...settings, log: { level: 'silent' }, routes }, resolve),
    );
  },
  http: () =>
    listen(port, (req, res) => {
      const [, network] = /^\/api\/auth\/\w+\/([\w-]+)/.exec(req.url) ?? [];
      exposeResponse(req, res, () => {});
      logInOnNode(req, res, network);
    }),
  async next() {
    const { default: next } = await import('next');
    const app = next({ dev: false });
    await app.prepare();
    await listen(port, app.getRequestHandler());
  },
};

await HOSTS[process.argv[2]]();
for (const { name } of strategies) {
  const { headers } = await fetch(`${url}/api/auth/signin/${name}`, { redirect: 'manual' });
  assert.equal(`${headers.get('cache-control')} ${headers.get('referrer-policy')}`, 'no-store no-referrer');
  assert.match(headers.getSetCookie().join('\n'), /^login\.\S+; [^\n]*$/);
}
await logInWithEach(strategies, url);
process.exit();

async function listen(at, handler) {
  const server = createServer(handler).listen(at, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
