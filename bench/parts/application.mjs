// A program: an Express application as it is deployed, with the strategy of one client. A proxy in front of it ends TLS, and sessions are in
// Redis. It tells how much CPU it has used.
import http from 'node:http';
import { RedisStore } from 'connect-redis';
import express from 'express';
import session from 'express-session';
import passport from 'passport';
import { createClient } from 'redis';
import { passportSetups } from '../clients/strategies.mjs';
import { listen, settings } from '../processes.mjs';

const { addresses, network, client, redis } = settings();
const setup = passportSetups(addresses).find((one) => one.network === network && one.client === client);
if (!setup) throw new Error(`There is no client ${client} for ${network}.`);

const authenticator = new passport.Passport();
authenticator.use('login', setup.create());
authenticator.serializeUser((user, done) => done(null, user));
authenticator.deserializeUser((/** @type {Express.User} */ user, done) => done(null, user));

const connection = createClient({ url: redis });
await connection.connect();
const app = express();
app.set('trust proxy', 'loopback');
app.use(
  session({
    store: new RedisStore({ client: connection }),
    secret: 'a secret of more than thirty-two characters',
    resave: false,
    saveUninitialized: false,
    cookie: { secure: true, sameSite: 'lax', maxAge: 86_400_000 },
  }),
);
app.use(authenticator.session());
app.get(['/login', '/callback'], authenticator.authenticate('login'), (_req, res) => res.redirect('/'));
app.use(
  // Express knows it by its four parameters.
  (
    /** @type {any} */ error,
    /** @type {express.Request} */ _req,
    /** @type {express.Response} */ res,
    /** @type {express.NextFunction} */ _next,
  ) => {
    res.status(error.status ?? 500).send(error.message);
  },
);

const control = http.createServer((_request, response) => response.end(JSON.stringify(process.cpuUsage())));
const servers = [http.createServer({ keepAliveTimeout: 120_000 }, app), control];
const [application, controls] = await Promise.all(servers.map(listen));
process.send?.({ application, control: controls });
// The benchmark has ended or was interrupted.
process.on('disconnect', () => process.exit());
