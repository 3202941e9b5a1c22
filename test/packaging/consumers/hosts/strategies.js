import passport from 'passport';
import { cookieLogins } from 'passport-social-networks';
import microblog from 'passport-social-networks/microblog';
import shortVideo from 'passport-social-networks/short-video';
import socialNetwork from 'passport-social-networks/social-network';

const FACTORIES = { 'short-video': shortVideo, microblog, 'social-network': socialNetwork };

/** Next's bundles are modules of their own, so options come from the environment. It is empty while Next builds. */
export const strategies = Object.entries(JSON.parse(process.env.NETWORKS ?? '{}')).map(([name, options]) => {
  const verify = async (_token, _refreshToken, { provider, displayName }) => ({ provider, displayName });
  // In production, which `next build` is for, the sandbox's secret makes no key.
  const store = cookieLogins({ secrets: 'a secret of the package tests, which everybody knows' });
  passport.use(FACTORIES[name]({ ...options, store, baseURL: process.env.BASE_URL }, verify));
  return { name };
});

/** The response for a user: `home` shows who is signed in. */
function headersFor(user) {
  const value = Buffer.from(JSON.stringify(user)).toString('base64url');
  return { location: process.env.HOME_URL, 'set-cookie': `account=${value}; HttpOnly; Path=/` };
}

export const signIn = (user) => new Response(null, { status: 303, headers: headersFor(user) });

/** A login with Node's request and response, which have no `redirect`. */
export function logInOnNode(req, res, network) {
  const finish = (error, user, info, status) => {
    res.statusCode = user ? 303 : (status ?? 500);
    for (const [name, value] of Object.entries(user ? headersFor(user) : {})) res.appendHeader(name, value);
    res.end(user ? '' : String(error ?? info.message));
  };
  passport.authenticate(network, { session: false }, finish)(req, res, finish);
}
