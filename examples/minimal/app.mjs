// @ts-check
// Logs users in through the three networks. Uses the sandbox for each network without credentials in the environment
// (SHORT_VIDEO_CLIENT_ID and SHORT_VIDEO_CLIENT_SECRET, likewise MICROBLOG_..., MICROBLOG_1_0_... and SOCIAL_NETWORK_...).
import { randomBytes } from 'node:crypto';
import express from 'express';
import session from 'express-session';
import passport from 'passport';
import {
  isLoginResponse,
  MicroblogStrategy,
  ShortVideoStrategy,
  SocialNetworkStrategy,
} from 'passport-social-networks';
import { sandboxOptions, startSandbox } from 'passport-social-networks-sandbox';

const { env } = process;
const port = Number(env.PORT ?? 3000);
// Without it, redirect URIs follow the Host header, which any client can set. Port 0 is any free port.
const localURL = env.NODE_ENV === 'production' || port === 0 ? undefined : `http://127.0.0.1:${port}`;
const baseURL = env.BASE_URL || localURL;
const names = ['SHORT_VIDEO', 'MICROBLOG', 'MICROBLOG_1_0', 'SOCIAL_NETWORK'];
const given = names.map(credentials);
const [shortVideo, microblog, oauth1, vkID] = given;
const sandboxURL = given.includes(undefined) ? (await startSandbox()).url : '';

// Find or create an account by profile.provider and profile.id here.
/** @type {import('passport-social-networks').Verify} */
const verify = (_token, _refreshToken, profile, done) => {
  const { provider, id, photos } = profile;
  const displayName = Array.from(profile.displayName).slice(0, 100).join(''); // of any length, and the session keeps it
  done(null, { provider, id, displayName, picture: photos?.[0]?.value });
};

// Every application may request the basic scope. The sandbox also offers the second one, which users can untick.
const scope = 'user.info.basic user.info.profile';
const shortVideoOptions = shortVideo ?? { ...sandboxOptions(sandboxURL, 'short-video'), scope };
passport.use(new ShortVideoStrategy({ ...shortVideoOptions, baseURL }, verify));
const microblogOptions = microblog ?? sandboxOptions(sandboxURL, 'microblog');
passport.use(new MicroblogStrategy({ ...microblogOptions, baseURL }, verify));
// OAuth 1.0a at the microblog network, under its own strategy name.
const oauth1Options = oauth1 ?? sandboxOptions(sandboxURL, 'microblog', { version: '1.0' });
const name = 'microblog-1-0';
passport.use(new MicroblogStrategy({ ...oauth1Options, baseURL, version: '1.0', name }, verify));
// VK ID. The secret is the application's protected key, which is never sent.
const vkIdOptions = vkID ?? sandboxOptions(sandboxURL, 'social-network', { version: '2.1' });
passport.use(new SocialNetworkStrategy({ ...vkIdOptions, baseURL, version: '2.1' }, verify));

passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((/** @type {Express.User} */ user, done) => done(null, user));

const app = express();
app.use(
  session({
    secret: env.SESSION_SECRET ?? randomBytes(32).toString('hex'),
    resave: false,
    saveUninitialized: false,
    cookie: { sameSite: 'lax' },
  }),
);
app.use(passport.session());

const networks = ['short-video', 'microblog', 'microblog-1-0', 'social-network'];

app.get('/', (/** @type {any} */ req, res) => {
  res.send(page(req.user ? welcome(req.user) : buttons()));
});

for (const name of networks) {
  app.get(`/api/auth/signin/${name}`, (req, res, next) => {
    // A response here would finish a login, and change who is signed in.
    if (req.user || isLoginResponse(req)) return res.redirect('/');
    passport.authenticate(name)(req, res, next);
  });
  app.get(`/api/auth/callback/${name}`, (req, res, next) => {
    /** @type {import('passport').AuthenticateCallback} */
    const finish = (error, user, failure, status) => {
      if (error) return next(error);
      // A login that began before must not change who is signed in.
      if (user && req.user) return res.redirect('/');
      if (user) return req.logIn(user, (loginError) => (loginError ? next(loginError) : res.redirect('/')));
      // The user declined, or no pending login matches the authorization response: { message, code }.
      const { message } = /** @type {{ message: string }} */ (failure);
      res.status(Number(status ?? 401)).send(page(buttons(), message));
    };
    passport.authenticate(name, finish)(req, res, next);
  });
}

// A form, not a link: an image on another site could open a link, but does not send the cookie with a form (SameSite).
app.post('/signout', (req, res, next) => req.logout((error) => (error ? next(error) : res.redirect('/'))));

/** @type {import('express').ErrorRequestHandler} */
const handleError = (error, _req, res, _next) => {
  console.error(error);
  const message = 'The login could not be finished. The server log has the reason.';
  res.status(error.status ?? 500).send(page(buttons(), message));
};
app.use(handleError);

const server = app.listen(port, '127.0.0.1', (error) => {
  if (error) {
    console.error(
      `Cannot listen on port ${port}: ${error.message}. Choose another port: PORT=3001 npm start.`,
    );
    process.exit(1);
  }
  const address = server.address();
  console.log(
    `Log in at http://127.0.0.1:${typeof address === 'object' && address?.port} (sandbox: ${sandboxURL || 'none'})`,
  );
});

/** @param {string} network */
function credentials(network) {
  const clientID = env[`${network}_CLIENT_ID`];
  const clientSecret = env[`${network}_CLIENT_SECRET`];
  if (clientID && clientSecret) return { clientID, clientSecret };
  if (env.NODE_ENV !== 'production') return undefined;
  // Anyone can log in at the sandbox as any of its people.
  console.error(`${network}_CLIENT_ID: no credentials, and the sandbox is not for production.`);
  process.exit(1);
}

function buttons() {
  return networks.map((name) => `<p><a href="/api/auth/signin/${name}">Log in with ${name}</a></p>`).join('');
}

/** @param {{ provider: string, id: string, displayName: string, picture?: string }} user */
function welcome({ provider, id, displayName, picture }) {
  return `
    ${picture ? `<p><img src="${escapeHTML(picture)}" alt="" width="96" height="96"></p>` : ''}
    <p>Hello, <strong id="name">${escapeHTML(displayName)}</strong></p>
    <p><code id="provider">${escapeHTML(provider)}</code> <code id="id">${escapeHTML(id)}</code></p>
    <form method="post" action="/signout"><button>Sign out</button></form>`;
}

/** @param {string} content @param {string} [message] */
function page(content, message) {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Minimal login</title>
    <meta name="viewport" content="width=device-width"><style>body { font: 1.1rem system-ui; margin: 3rem auto; max-width: 30rem; padding: 0 1rem }</style>
    <h1>Minimal login</h1>${message ? `<p role="alert">${escapeHTML(message)}</p>` : ''}${content}</html>`;
}

/** @param {string} value */
function escapeHTML(value) {
  return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
