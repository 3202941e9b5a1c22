import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { realSockets } from '../support/real-sockets.js';
import { textOf } from './pages.js';

import Koa = require('koa');
import koaPassport = require('koa-passport');

import session from 'koa-session';

/** koa-passport has this class beside its default instance; its types do not. */
const { KoaPassport } = koaPassport as unknown as { KoaPassport: new () => typeof koaPassport };

describe('The messages of Koa in the guide to troubleshooting', () => {
  realSockets();
  let server: Server;

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  /** An application that logs its user in at `/login`, and answers elsewhere. */
  async function start({
    serialize,
    secure = false,
  }: {
    serialize: (user: unknown, done: (error: unknown, id: unknown) => void) => unknown;
    secure?: boolean;
  }) {
    const app = new Koa();
    app.silent = true;
    app.keys = ['secret'];
    const passport = new KoaPassport();
    passport.serializeUser(serialize);
    app.use(session({ secure }, app));
    app.use(passport.initialize());
    app.use(async (ctx) => {
      if (ctx.path === '/login') await ctx.logIn({ id: 'alice' });
      ctx.body = 'done';
    });
    server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { app, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  it('a login waits for ever if serializeUser does not call done', async () => {
    let serialized: () => void = () => {};
    const wasCalled = new Promise<void>((resolve) => {
      serialized = resolve;
    });
    const { url } = await start({
      serialize: async () => {
        serialized();
        return 'alice';
      },
    });
    let isAnswered = false;
    const login = fetch(`${url}/login`).then(
      () => {
        isAnswered = true;
      },
      () => undefined,
    );
    await wasCalled;
    // Later requests are answered meanwhile.
    for (let request = 0; request < 3; request += 1) expect((await fetch(url)).status).to.equal(200);
    expect(isAnswered).to.equal(false);
    server.closeAllConnections();
    await login;
    expect(textOf('docs/troubleshooting.md')).to.include(
      '\n### The login never ends: serializeUser(async ...)\n',
    );
  });

  it('a secure cookie over http is an error of Koa, with the text of the heading', async () => {
    const { app, url } = await start({ serialize: (_user, done) => done(null, 'alice'), secure: true });
    const failed = once(app, 'error') as Promise<[Error]>;
    const response = await fetch(`${url}/login`);
    expect([response.status, await response.text()]).to.deep.equal([500, 'Internal Server Error']);
    const [{ message }] = await failed;
    expect(textOf('docs/troubleshooting.md')).to.include(`\n### ${message}\n`);
  });
});
