// Applications that move over, made of the libraries that they use: each logs alice in with the other package and with ours, and what it keeps is compared.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { Authenticator } from '@fastify/passport';
import secureSession from '@fastify/secure-session';
import express from 'express';
import session from 'express-session';
import fastify from 'fastify';
import { Passport } from 'passport';
import { Browser, CALLBACK, ORIGIN, serve } from './browser.mjs';
import { applications, GUIDE } from './moves.mjs';

const load = createRequire(import.meta.url);
const ours = load('../dist/index.js');
const sessions = () => session({ secret: 'SECRET', resave: false, saveUninitialized: false });
const PATHS = { path: '/login', authPath: '/login', callbackPath: '/callback', callbackURL: CALLBACK };

/** What the application stored in the login under way. */
let record;
function keep(stored) {
  record = JSON.parse(JSON.stringify(stored));
}

function whole(_token, _secret, profile, done) {
  keep(profile);
  done(null, profile);
}

/** What SuperLogin stores, and what sails-hook-passport finds a user by. */
function withRequest(_req, accessToken, refreshToken, profile, done) {
  const { provider, id, emails, username = profile.displayName } = profile;
  const social = { auth: { accessToken, refreshToken }, profile };
  keep({ provider, identifier: String(id), _id: username.toLowerCase(), email: emails?.[0].value, social });
  done(null, { username });
}

/** LoopBack 3 with its component. */
function loopback3({ module, options }) {
  const loopback = load('loopback');
  const { PassportConfigurator, UserIdentity, UserCredential } = load('loopback-component-passport');
  const app = loopback();
  app.dataSource('db', { connector: 'memory' });
  for (const model of [loopback.User, loopback.AccessToken, UserIdentity, UserCredential])
    app.model(model, { dataSource: 'db', public: false });
  app.middleware('session', sessions());
  const configurator = new PassportConfigurator(app);
  configurator.init();
  configurator.setupModels({ userIdentityModel: UserIdentity, userCredentialModel: UserCredential });
  configurator.configureProvider('theirs', {
    provider: 'theirs',
    module,
    ...PATHS,
    successRedirect: '/kept',
    ...options,
  });
  app.get('/kept', async (_req, res) => {
    const [identity] = await UserIdentity.find();
    const [{ username, email }] = await loopback.User.find();
    keep({ ...identity.toJSON(), username, email });
    res.end();
  });
  return app;
}

/** Feathers 3 with its plugin for a protocol. */
const feathers3 =
  (plugin) =>
  ({ Strategy, options }) => {
    const feathers = load('@feathersjs/express');
    const app = feathers(load('@feathersjs/feathers')()).use(sessions()).configure(feathers.rest());
    app.use('/users', load('feathers-memory')());
    app.configure(load('@feathersjs/authentication')({ secret: 'SECRET' }));
    app.configure(load(plugin)({ Strategy, ...PATHS, ...options }));
    app.service('users').on('created', keep);
    app.setup();
    return app;
  };

/** apostrophe-passport in the parts of apostrophe 2 that it calls. */
function apostrophe({ Strategy, options }) {
  const passport = new Passport();
  passport.serializeUser((_user, done) => done(null, 1));
  const app = express().use(sessions());
  const users = {
    find: () => ({ toObject: (done) => done() }),
    newInstance: () => ({}),
    insert: (_req, user, done) => done(keep(user)),
  };
  const login = { passport, afterLogin: (_req, res) => res.end() };
  const apos = { app, baseUrl: ORIGIN, prefix: '', users, login, tasks: { getReq: () => ({}) } };
  const strategies = [
    { name: options.name, match: 'id', Strategy, options: { ...options, callbackURL: CALLBACK } },
  ];
  const self = { apos, options: { strategies, create: {} }, on() {}, addHelpers() {} };
  load('apostrophe-passport').construct(self, self.options);
  self.enablePassportStrategies();
  return app.get('/login', (_req, res) => res.redirect(`/auth/${options.name}/login`));
}

/** Fastify with sessions in a cookie. */
async function secureFastify({ Strategy, options }) {
  const app = fastify();
  const authenticator = new Authenticator();
  authenticator.registerUserSerializer(async (user) => user);
  app.addHook('onRequest', ours.exposeResponse);
  await app.register(secureSession, { key: Buffer.alloc(32), cookie: { path: '/' } });
  await app.register(authenticator.initialize());
  await app.register(authenticator.secureSession());
  authenticator.use(options.name, new Strategy({ ...options, callbackURL: CALLBACK }, whole));
  const preValidation = authenticator.authenticate(options.name);
  app.get('/login', { preValidation }, async () => '');
  app.get('/callback', { preValidation }, async (request) => keep(request.session.get('passport')) ?? '');
  await app.ready();
  return app.routing;
}

/** Express, as several libraries use it. `own`: options of the library; `start`: what it gives to `authenticate`. */
const played =
  (verify, { own = {}, start = {}, perRequest = false } = {}) =>
  ({ Strategy, options }) => {
    const passport = new Passport();
    passport.serializeUser((user, done) => done(null, user));
    const use = () =>
      passport.use('theirs', new Strategy({ callbackURL: CALLBACK, ...own, ...options }, verify));
    use();
    return express().use(sessions(), (req, res, next) => {
      if (perRequest) use();
      passport.authenticate('theirs', start, (error, user) => {
        if (error || !user) return next(error);
        req.logIn(user, (failed) => res.end(failed && next(failed)));
      })(req, res, next);
    });
  };
const WITH_REQUEST = { own: { passReqToCallback: true } };

/** What logs in, with which package. LoopBack and Feathers load an older Passport, which replaces methods of all requests: they come last. */
const TABLE = [
  ['apostrophe', 'twitter', apostrophe],
  ['Fastify with secure-session', 'tiktok', secureFastify],
  ['Sails', 'twitter', played(withRequest, WITH_REQUEST)],
  ['SuperLogin', 'vk', played(withRequest, { ...WITH_REQUEST, start: { callbackURL: CALLBACK } })],
  ['a strategy for each request', 'vkId', played(whole, { perRequest: true })],
  ['the whole profile in the session', 'superface', played(whole)],
  ['LoopBack 3, OAuth 1.0a', 'twitter', loopback3],
  ['LoopBack 3', 'superface', loopback3],
  ['Feathers 3, oauth1', 'twitter', feathers3('@feathersjs/authentication-oauth1')],
  ['Feathers 3, oauth2', 'vk', feathers3('@feathersjs/authentication-oauth2')],
];

/** Fields whose value is another one here, or is gone, and the row of the guide's first table that says so. */
const NAMED = [
  [
    /\._json\.|\.(_raw|_accessLevel|city|email|phone|unionId|profileImage|.*[cC]ount)$/,
    'reads a field that only another package has',
  ],
  [/\.profileUrl$/, '| reads `profile.profileUrl`, or'],
  [/\.photos\./, '| reads `profile.photos[0]` |'],
  [/\.birthday$/, "| reads VK's `birthday` |"],
  [/\.(displayName|gender)$/, '| reads `displayName` and `gender` of VK ID |'],
  [/(^|profile)\.(id|vkontakteId)$/, '| stores or compares `profile.id` of VK'],
  [/\.refreshToken\./, "| has VK's verify with five parameters and `passReqToCallback` |"],
];
/** New in each login. */
const FRESH = /token(Secret)?$|\.(created|modified)$/i;

/** The fields of a record, at any depth. */
function fieldsOf(value, path = '') {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => fieldsOf(inner, `${path}.${key}`));
}

export async function checkApplications(given) {
  const [, first = ''] = GUIDE.split(' ## Before you deploy ');
  const known = applications(given);
  for (const [name, key, application] of TABLE) {
    const [peer, own, all, here] = known[key] ?? assert.fail(key);
    const recordOf = async (module, options) => {
      record = undefined;
      const { Strategy } = load(module);
      const listener = await application({ module, Strategy, options: structuredClone(options) });
      const { status } = await serve(listener, (app) => new Browser(app).open('/login'));
      return fieldsOf(record ?? assert.fail(`${name} with ${module}: ${status}`));
    };
    const there = await recordOf(peer, { clientType: 'confidential', ...all, name: here.name });
    const folder = own
      .replace('Strategy', '')
      .replaceAll(/\B[A-Z]/g, '-$&')
      .toLowerCase();
    const now = new Map(await recordOf(load.resolve(`../dist/${folder}/index.js`), { ...all, ...here }));
    const different = there.filter(
      ([path, value]) => now.get(path) !== value && !(FRESH.test(path) && now.has(path)),
    );
    for (const [path] of different) {
      const [, row = `${name}: ${path}`] = NAMED.find(([field]) => field.test(path)) ?? [];
      assert.ok(first.includes(row), row);
    }
    console.log(`${name} | ${peer} | ${there.length} fields, ${different.length} differ as the guide says`);
  }
}
