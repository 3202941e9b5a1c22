/** Warnings for developers. Production never loads them: some are guesses, and anyone could fill its log with them. */
import { warnOnce } from './application-code.js';
import type { LoginFailure } from './errors/index.js';
import { isSessionUnread } from './login/links.js';
import { type AddressedRequest, originOf, proxyHint, type RedirectURI } from './login/redirect-uri.js';
import { nearest } from './spelling.js';

/** Passport's options of `authenticate`, and those of all strategies. */
const AUTHENTICATE_OPTIONS =
  'session assignProperty authInfo failWithError keepSessionInfo property callback successRedirect successReturnToOrRedirect successMessage successFlash failureRedirect failureMessage failureFlash scope state callbackURL'.split(
    ' ',
  );

/** A misspelt option has no effect: a login that should ask for the password does not. Applications may have options of their own. */
export function warnOfMisspelt(settings: { name: string }, given: string[], own: readonly string[]): void {
  const known = [...AUTHENTICATE_OPTIONS, ...own];
  for (const name of given.filter((option) => !known.includes(option))) {
    const meant = nearest(name, known);
    if (meant === undefined) continue;
    warnOnce(
      settings,
      `${settings.name}: authenticate has no option ${name}, which has no effect. Did you mean ${meant}?`,
    );
  }
}

/** The name in a sign-in route of the form that the documentation uses. */
const SIGN_IN_ROUTE = /\/signin\/([\w.-]{1,64})\/?(?:\?|$)/;

/** Warns of mistakes that show in the request that begins a login. */
export function warnOfStart(
  { name, redirectURI }: { readonly name: string; readonly redirectURI: RedirectURI },
  req: AddressedRequest,
  callbackURL?: string,
): void {
  if (isSessionUnread(req)) {
    warnOnce(
      redirectURI,
      `${name}: the session has a user, and the request has none, so users seem to be signed out after a login. Use passport.session() after the session's middleware and before this route.`,
    );
  }
  const given = callbackURL || redirectURI.callbackURL;
  const { strategy, trustsForwardedHeaders } = redirectURI;
  const warn = (problem: string) => warnOnce(redirectURI, `${strategy}: ${problem}`);
  const [, route] = SIGN_IN_ROUTE.exec(req.originalUrl ?? req.url ?? '') ?? [];
  const isDefault = redirectURI.isDefault && given === redirectURI.callbackURL;
  // Passport can know a strategy under another name, and does not tell it. The application then has no route for the default callback URL.
  if (isDefault && route !== undefined && !given.endsWith(`/${route}`)) {
    warn(
      `a login began at .../signin/${route}, and its callback URL is ${given}. If Passport knows the strategy as ${route}, also set the option name; otherwise set callbackURL.`,
    );
  }
  const absolute = redirectURI.withoutRequest(given);
  if (absolute === undefined && !given.startsWith('/')) {
    warn(
      'option callbackURL has no slash at its start, so it depends on the path at which the login begins. Write it with a slash, or as an absolute URL.',
    );
  }
  const here = originOf(req, trustsForwardedHeaders);
  if (absolute === undefined || here === undefined) return;
  // Cookies do not depend on the port.
  const [there, origin] = [new URL(absolute), new URL(here)];
  const isSameHost = there.hostname === origin.hostname;
  // A proxy that the framework does not trust may end TLS.
  const isSecure = there.protocol === 'https:' && proxyHint(req) !== '';
  if (isSameHost && (there.protocol === origin.protocol || isSecure)) return;
  warn(
    `a login began at ${origin.origin}, and its redirect URI is at ${there.origin}: the browser will not send the login's cookie there. Open the application at ${there.origin}, or change callbackURL.`,
  );
}

const LOST = {};

/** Passport shows a lost login as a bare "Forbidden". This says why. */
export function warnOfLostLogin(strategy: string, { code, message }: LoginFailure): void {
  const isLost = ['unknown_login', 'not_a_navigation', 'no_room', 'malformed_request'].includes(code);
  if (isLost) warnOnce(LOST, `${strategy}: ${message}`);
}
