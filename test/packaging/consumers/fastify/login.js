import { randomBytes } from 'node:crypto';
import cookie from '@fastify/cookie';
import passport from '@fastify/passport';
import secureSession from '@fastify/secure-session';
import session from '@fastify/session';
import Fastify from 'fastify';
import {
  exposeResponse,
  MicroblogStrategy,
  ShortVideoStrategy,
  SocialNetworkStrategy,
} from 'passport-social-networks';
import { login, startSandbox } from 'passport-social-networks-sandbox';
import { logInWithEach } from '../express/visit.js';

const [, , plugin] = process.argv;
const sandbox = await startSandbox();
const app = Fastify();
app.addHook('onRequest', exposeResponse);
if (plugin === 'session') {
  await app.register(cookie);
  await app.register(session, { secret: randomBytes(32).toString('hex'), cookie: { secure: 'auto' } });
} else {
  await app.register(secureSession, { key: randomBytes(32), cookie: { path: '/', secure: 'auto' } });
}
passport.registerUserSerializer(async (/** @type {object} */ user) => user);
passport.registerUserDeserializer(async (/** @type {object} */ user) => user);
await app.register(passport.initialize());
await app.register(passport.secureSession());

/** @param {string} _token @param {string | undefined} _refresh @param {import('passport-social-networks').Profile<unknown>} profile */
const verify = async (_token, _refresh, { provider, displayName }) => ({ provider, displayName });
const strategies = [
  new ShortVideoStrategy(sandbox.options('short-video'), verify),
  new MicroblogStrategy(sandbox.options('microblog'), verify),
  new SocialNetworkStrategy(sandbox.options('social-network', { version: '2.1' }), verify),
];
for (const strategy of strategies) {
  const { name } = strategy;
  passport.use(strategy);
  app.get(`/api/auth/signin/${name}`, { preValidation: passport.authenticate(name) }, async () => {});
  const finish = passport.authenticate(name, { successRedirect: '/' });
  app.get(`/api/auth/callback/${name}`, { preValidation: finish }, async () => {});
}
app.get('/', async (request) => request.user);
const application = await app.listen({ port: 0, host: '127.0.0.1' });

await logInWithEach(login, strategies, application);
await app.close();
await sandbox.close();
