import type { Hold, NetworkRequest, NetworkResponse } from '../core/http.js';
import { bearerToken, json, redirect } from '../core/http.js';
import { get, post } from '../core/network.js';
import type { SandboxPerson } from '../core/people.js';
import { declined, heldRedirectUri, isLoopback, naming, redirectUriDiffers } from '../core/redirect-uri.js';
import { isVerifier, randomString, secretsEqual, verifierMatches } from '../core/secrets.js';
import type { AuthorizationCode, Grant, World } from '../core/world.js';
import { authorizationEndpoints, type ConsentRequest } from '../pages/authorization.js';
import { BELIEFS } from './beliefs.js';
import { apiError, logId, pageError, tokenError } from './error-responses.js';
import { APPEARANCE, SHORT_VIDEO } from './options.js';
import { signedPicture } from './pictures.js';

/** Seconds. The token response states the last two; the network has changed them before. */
const LIFETIME = { code: 60, accessToken: 7_200, refreshToken: 15_552_000 };

const BASIC = 'user.info.basic';
const PROFILE = 'user.info.profile';
const STATS = 'user.info.stats';

type Field = readonly [scope: string, value: (person: SandboxPerson, world: World) => unknown];

/** Scope and value of each field of the user record. @see https://developers.tiktok.com/doc/tiktok-api-v2-get-user-info (read 2026-11) */
const FIELDS: Readonly<Record<string, Field>> = {
  open_id: [BASIC, ({ openId }) => openId],
  union_id: [BASIC, ({ unionId }) => unionId || undefined],
  avatar_url: [BASIC, (person, world) => signedPicture(person, world, 168)],
  avatar_url_100: [BASIC, (person, world) => signedPicture(person, world, 100)],
  avatar_large_url: [BASIC, (person, world) => signedPicture(person, world, 720)],
  display_name: [BASIC, ({ displayName }) => displayName],
  username: [PROFILE, ({ handle }) => handle],
  bio_description: [PROFILE, ({ description }) => description || undefined],
  profile_deep_link: [PROFILE, ({ handle }, { url }) => `${url}/short-video/@${handle}`],
  is_verified: [PROFILE, ({ verified }) => verified ?? false],
  follower_count: [STATS, () => 1200],
  following_count: [STATS, () => 34],
  likes_count: [STATS, () => 56000],
  video_count: [STATS, () => 78],
};

/** Fields of `user.info.basic` that may come with `user.info.profile` alone. */
const ALSO_IN_PROFILE = ['open_id', 'union_id', 'avatar_url', 'avatar_large_url', 'display_name'];

/** TikTok, Login Kit v2. The token and revocation endpoints send errors with HTTP 200. */
export function shortVideoOAuth2(world: World) {
  const application = world.registered(SHORT_VIDEO);
  const codes = world.credentials<AuthorizationCode>();
  const accessTokens = world.credentials<Grant>();
  const refreshTokens = world.credentials<Grant>();

  /** This network never redirects an invalid request back. */
  function consent({ query }: NetworkRequest, hold: Hold): ConsentRequest {
    const key = query.one('client_key');
    const hasOther = !key && query.has('client_id');
    hold(BELIEFS.clientKey, hasOther && 'client_id is sent, this network wants client_key');
    hold(BELIEFS.clientKey, !key && 'client_key is missing');
    const wrongKey = key !== application.clientID && 'client_key belongs to no application of the sandbox';
    hold(BELIEFS.clientKey, wrongKey, 'unauthorized_client');
    hold(BELIEFS.responseType, query.one('response_type') !== 'code' && 'response_type is not "code"');
    const scope = query.one('scope') ?? '';
    const isSpaced = /\s/.test(scope);
    hold(BELIEFS.scopeSeparator, isSpaced && 'scopes are joined by spaces, this network wants commas');
    const scopes = [...new Set(scope.split(','))];
    const unknown = scopes.filter((name) => !APPEARANCE.scopes.includes(name));
    const badScope = naming('scope is missing or names one that the application does not have', ...unknown);
    hold(BELIEFS.scope, unknown.length > 0 && badScope);
    const redirectUri = heldRedirectUri(hold, query.one('redirect_uri'), BELIEFS);
    hold(BELIEFS.redirectUri, redirectUri.includes('?') && naming('redirect_uri has a query', redirectUri));
    hold(BELIEFS.redirectUri, redirectUri.length >= 512 && 'redirect_uri has 512 characters or more');
    const { protocol, hostname, port, href } = new URL(redirectUri);
    const isDesktop = isDesktopHost(hostname);
    const other = naming('redirect_uri is neither localhost nor 127.0.0.1', href);
    hold(BELIEFS.redirectUriHttps, protocol === 'http:' && isLoopback(hostname) && !isDesktop && other);
    const noPort = naming('redirect_uri names no port, which a loopback address needs', href);
    hold(BELIEFS.redirectUriHttps, isDesktop && port === '' && noPort);
    // Hex, unlike in RFC 7636. Only desktop applications may have a loopback redirect URI: they need a challenge, and the token
    // endpoint rejects another form, not this page.
    const challenge = query.one('code_challenge') ?? '';
    if (challenge === '') {
      hold(BELIEFS.challenge, isDesktop && 'code_challenge is missing, which a loopback redirect_uri needs');
    } else {
      const isS256 = query.one('code_challenge_method') === 'S256';
      hold(BELIEFS.challengeMethod, !isS256 && 'code_challenge_method is not "S256"');
      const isHex = isDesktop || /^[0-9a-f]{64}$/.test(challenge);
      hold(BELIEFS.challengeForm, !isHex && 'code_challenge is no SHA-256 in lower-case hex');
    }
    const isAuto = ['0', '1', undefined].includes(query.one('disable_auto_auth'));
    hold(BELIEFS.autoAuth, !isAuto && 'disable_auto_auth is neither 0 nor 1');
    const state = query.one('state');
    return {
      application,
      scopes,
      optionalScopes: scopes.filter((scope) => scope !== BASIC),
      allow: (grant) => {
        const authorization = { grant, redirectUri, challenge };
        const code = codes.issue(`${randomString(40)}*1!4608.va`, authorization, LIFETIME.code);
        return redirect(redirectUri, { code, scopes: grant.scopes.join(','), state });
      },
      deny: () => declined(redirectUri, { error_description: 'User cancelled the login.', state }),
    };
  }

  /** The network reads credentials only from a form body, neither from JSON nor from HTTP Basic. */
  function checkClient({ form, isForm, notes }: NetworkRequest): Hold {
    const hold = notes.holdTo(tokenError);
    hold(BELIEFS.form, !isForm && 'the body is not application/x-www-form-urlencoded');
    const isClient = form.one('client_key') === application.clientID;
    const isRight = isClient && secretsEqual(form.one('client_secret'), application.clientSecret);
    hold(BELIEFS.client, !isRight && 'client_key or client_secret is missing from the body, or wrong');
    return hold;
  }

  /** Uses the code up, even when the exchange fails, and a refresh token. */
  function token(request: NetworkRequest): NetworkResponse {
    const { form } = request;
    const hold = checkClient(request);
    const type = form.one('grant_type');
    const missing = type === undefined && 'grant_type is missing';
    hold(BELIEFS.grantType, missing, 'The request parameters are malformed.');
    const isKnown = ['authorization_code', 'refresh_token'].includes(type ?? '');
    hold(BELIEFS.grantType, !isKnown && 'grant_type is unknown');
    if (type === 'refresh_token') {
      const found = refreshTokens.use(form.one('refresh_token'));
      return tokens(hold.live(BELIEFS.refreshToken, 'refresh_token', found));
    }
    const { grant, redirectUri, challenge } = hold.live(BELIEFS.code, 'code', codes.use(form.one('code')));
    hold(BELIEFS.sameRedirectUri, redirectUriDiffers(form.one('redirect_uri'), redirectUri));
    if (challenge === '') return tokens(grant);
    const verifier = form.one('code_verifier');
    const matches = (encoding: 'hex' | 'base64url') =>
      isVerifier(verifier) && verifierMatches(verifier, challenge, encoding);
    const isMatch = matches('hex') || matches('base64url');
    hold(BELIEFS.verifier, !isMatch && 'code_verifier does not match code_challenge, its SHA-256 in hex');
    // A desktop application's challenge must be hex. At an https redirect URI base64url is known to work, too.
    const reason = 'code_challenge is base64url; with a loopback redirect_uri this network wants hex';
    hold(BELIEFS.verifier, !matches('hex') && isDesktopHost(new URL(redirectUri).hostname) && reason);
    return tokens(grant);
  }

  function tokens(grant: Grant): NetworkResponse {
    return json({
      access_token: accessTokens.issue(`act.${randomString(48)}!4608`, grant, LIFETIME.accessToken),
      expires_in: LIFETIME.accessToken,
      open_id: grant.person.openId,
      refresh_expires_in: LIFETIME.refreshToken,
      refresh_token: refreshTokens.issue(`rft.${randomString(48)}!4608`, grant, LIFETIME.refreshToken),
      scope: grant.scopes.join(','),
      token_type: 'Bearer',
    });
  }

  /** Ends the user's consent, and so every token of it. Accepts only an access token that has not expired. */
  function revoke(request: NetworkRequest): NetworkResponse {
    const found = accessTokens.find(request.form.one('token'));
    checkClient(request).live(BELIEFS.revocation, 'token', found).ended = true;
    return json({});
  }

  /** The requested fields that have a value. A success also has an `error` object, with the code `ok`. */
  function userInfo(request: NetworkRequest): NetworkResponse {
    const hold = request.notes.holdTo(apiError('access_token_invalid'));
    const token = accessTokens.find(bearerToken(request));
    const { person, scopes } = hold.live(BELIEFS.bearer, 'the bearer token', token);
    const pairs = fieldsOf(request, scopes).map((name) => [name, FIELDS[name]?.[1](person, world)]);
    const user = Object.fromEntries(pairs);
    return json({ data: { user }, error: { code: 'ok', message: '', log_id: logId() } });
  }

  return [
    ...authorizationEndpoints(world, 'short-video', APPEARANCE, {
      paths: ['/short-video/v2/auth/authorize/', '/short-video/v2/auth/authorize'],
      read: consent,
      reject: pageError,
    }),
    post('token', '/short-video/v2/oauth/token/', token),
    post('revocation', '/short-video/v2/oauth/revoke/', revoke),
    get('profile', '/short-video/v2/user/info/', userInfo),
  ];
}

/** A single field beyond the granted scopes fails the whole request. */
function fieldsOf({ query, notes }: NetworkRequest, scopes: readonly string[]): string[] {
  const holdForm = notes.holdTo(apiError('invalid_params'));
  const given = query.one('fields') ?? '';
  holdForm(BELIEFS.fields, given === '' && 'fields is missing, empty or given twice');
  const names = given.split(',');
  const fields = names.filter((name) => Object.hasOwn(FIELDS, name));
  holdForm(BELIEFS.fieldNames, fields.length < names.length && 'fields names a field that does not exist');
  const scopeOf = (field: string): string => FIELDS[field]?.[0] ?? '';
  const beyond = fields.filter((field) => !scopes.includes(scopeOf(field)));
  const isForbidden = (field: string) => !scopes.includes(PROFILE) || !ALSO_IN_PROFILE.includes(field);
  const problem = (field: string | undefined) =>
    field && `${field} needs ${scopeOf(field)}, which was not granted`;
  const holdScope = notes.holdTo(apiError('scope_not_authorized'));
  holdScope(BELIEFS.fieldScopes, problem(beyond.find(isForbidden)));
  holdScope(BELIEFS.basicScope, problem(beyond[0]));
  return fields;
}

/** The hosts of redirect URIs that are registered for Desktop. Any other host is one of the Web, which needs https. */
const isDesktopHost = (hostname: string): boolean => ['localhost', '127.0.0.1'].includes(hostname);
