import type { Application } from '../core/clients.js';
import { COMMON_BELIEFS } from '../core/evidence.js';
import type { ErrorResponse, NetworkRequest, NetworkResponse } from '../core/http.js';
import { form, json, queryAndForm, redirect } from '../core/http.js';
import { post } from '../core/network.js';
import {
  plainHttpProblem,
  randomDigits,
  randomString,
  redirectUriProblem,
  secretsEqual,
  withParameters,
} from '../core/oauth.js';
import type { SandboxPerson } from '../core/people.js';
import { type Grant, liveGrant, rejectionReason, type World } from '../core/world.js';
import { authorizationEndpoints, type ConsentRequest } from '../pages/authorization.js';
import { html, page } from '../pages/page.js';
import { BELIEFS } from './beliefs.js';
import {
  accessTokenErrorResponse,
  callbackErrorResponse,
  SignatureError,
  signatureErrorResponse,
  verifierErrorResponse,
  whoaThereErrorPage,
} from './error-responses.js';
import { MICROBLOG_CONSUMER, OAUTH1_APPEARANCE } from './options.js';

/** Seconds; the network does not document it. */
const REQUEST_TOKEN_LIFETIME = 900;

/** Callback of a login by PIN: out of band. */
const OUT_OF_BAND = 'oob';

/** The network documents "~7 digits". */
const PIN_LENGTH = 7;

/** The network labels its form-encoded responses like this. */
const FORM_TYPE = 'text/html; charset=utf-8';

/** How far `oauth_timestamp` may be off. */
const TOLERANCE_SECONDS = 300;

/** A request or access token with its secret; the secret is `''` for a request that needs no token. */
interface TokenWithSecret {
  readonly secret: string;
}

interface RequestToken extends TokenWithSecret {
  /** URL, or `oob`. */
  readonly callback: string;
  /** The user who approved the request token, and the verifier for the access-token request. */
  approval?: { readonly person: SandboxPerson; readonly verifier: string };
}

/** Parameters of a request, from header, query and form together. */
type SignedParameters = ReadonlyMap<string, string>;

/** A request whose signature is valid. */
export interface Signed<T extends TokenWithSecret> {
  readonly parameters: SignedParameters;
  readonly token: T;
}

/** "Log in with X". @see https://docs.x.com/fundamentals/authentication/guides/log-in-with-x (read 2026-11) */
export function microblogOAuth1(world: World) {
  const consumer: Application = world.registered(MICROBLOG_CONSUMER);
  const verify = signatureVerifier(world, consumer);
  const requestTokens = world.credentials<RequestToken>();
  const accessTokens = world.credentials<Grant & TokenWithSecret>();

  /** Verifies a request that is signed with an access token. @throws ErrorResponse that `respond` makes, when it is not. */
  const verifyAccess = (request: NetworkRequest, respond: (error: SignatureError) => ErrorResponse) =>
    verify(request, respond, (token) => liveGrant(accessTokens.find(token)));

  function requestToken(request: NetworkRequest): NetworkResponse {
    const withoutToken = (token: string | undefined) => (token ? undefined : { secret: '' });
    const { parameters } = verify(request, signatureErrorResponse, withoutToken);
    const callback = readCallback(request, parameters.get('oauth_callback') ?? '', consumer);
    const secret = randomString(32);
    const token = requestTokens.issue(randomString(27), { secret, callback }, REQUEST_TOKEN_LIFETIME);
    const answer = { oauth_token: token, oauth_token_secret: secret, oauth_callback_confirmed: 'true' };
    return form(answer, FORM_TYPE);
  }

  function consent({ query, url, notes }: NetworkRequest): ConsentRequest {
    const hold = notes.holdTo(whoaThereErrorPage);
    const token = query.get('oauth_token') ?? '';
    const found = requestTokens.find(token);
    if (found.state !== 'live')
      throw whoaThereErrorPage(BELIEFS.requestToken, rejectionReason('oauth_token', found));
    const { value: pending } = found;
    const { callback } = pending;
    hold(BELIEFS.requestToken, pending.approval && 'oauth_token was allowed already');
    const isPin = callback === OUT_OF_BAND;
    const otherPage = 'a login by PIN opens /oauth/authenticate instead of /oauth/authorize';
    hold(BELIEFS.pinPage, isPin && url.endsWith('/authenticate') && otherPage);
    const suggestedHandle = query.get('screen_name');
    return {
      application: consumer,
      scopes: [],
      ...(suggestedHandle !== undefined && { suggestedHandle }),
      allow: (person) => {
        const verifier = isPin ? randomDigits(PIN_LENGTH) : randomString(32);
        pending.approval = { person, verifier };
        if (isPin) return pinPage(consumer.name, verifier);
        return redirect(withParameters(callback, { oauth_token: token, oauth_verifier: verifier }));
      },
      deny: () => {
        requestTokens.use(token);
        return isPin ? declinedPage(consumer.name) : redirect(withParameters(callback, { denied: token }));
      },
    };
  }

  /** Uses the request token up, even when the verifier is wrong. */
  function accessToken(request: NetworkRequest): NetworkResponse {
    const { parameters, token } = verify(request, accessTokenErrorResponse, (id) => requestTokens.live(id));
    requestTokens.use(parameters.get('oauth_token'));
    const { approval } = token;
    if (!approval || !secretsEqual(parameters.get('oauth_verifier'), approval.verifier))
      throw verifierErrorResponse();
    const { person } = approval;
    const { microblogId: user_id, handle: screen_name } = person;
    const oauth_token_secret = randomString(45);
    const oauth_token = accessTokens.issue(
      `${user_id}-${randomString(40)}`,
      { application: consumer, person, scopes: [], ended: false, secret: oauth_token_secret },
      Number.POSITIVE_INFINITY,
    );
    return form({ oauth_token, oauth_token_secret, user_id, screen_name }, FORM_TYPE);
  }

  function revoke(request: NetworkRequest): NetworkResponse {
    const { parameters, token } = verifyAccess(request, signatureErrorResponse);
    token.ended = true;
    return json({ access_token: parameters.get('oauth_token') });
  }

  return {
    endpoints: [
      post('request token', '/microblog/oauth/request_token', requestToken),
      ...authorizationEndpoints({
        network: 'microblog',
        // The third path, at x.com, is that of X's SDK.
        paths: [
          '/microblog/oauth/authenticate',
          '/microblog/oauth/authorize',
          '/microblog/i/oauth/authenticate',
        ],
        appearance: OAUTH1_APPEARANCE,
        people: world.people,
        read: consent,
        reject: whoaThereErrorPage,
      }),
      post('access token', '/microblog/oauth/access_token', accessToken),
      post('revocation', '/microblog/1.1/oauth/invalidate_token.json', revoke),
    ],
    verifyAccess,
  };
}

function readCallback({ notes }: NetworkRequest, callback: string, { redirectAddresses }: Application) {
  if (callback === OUT_OF_BAND) return callback;
  const hold = notes.holdTo(callbackErrorResponse);
  hold(BELIEFS.callback, redirectUriProblem(callback));
  const isOther = redirectAddresses?.includes(callback) === false;
  hold(COMMON_BELIEFS.redirectAddress, isOther && 'oauth_callback is not registered for the application');
  hold(BELIEFS.redirectUriHttps, plainHttpProblem(callback));
  return callback;
}

/** Ends an allowed login by PIN, which has nowhere to redirect to. */
function pinPage(name: string, pin: string): NetworkResponse {
  const title = `Your PIN for ${name}`;
  const content = html`<h1>${title}</h1>
<p>Go back to the application, and enter this PIN there:</p>
<p><code>${pin}</code></p>`;
  return page(title, content);
}

function declinedPage(name: string): NetworkResponse {
  const title = `${name} has no access to your account`;
  const content = html`<h1>${title}</h1>
<p>Go back to the application.</p>`;
  return page(title, content);
}

/** Looks the value of `oauth_token` up with its last argument, and throws what `respond` makes of a mistake. */
function signatureVerifier(world: World, consumer: Application) {
  const nonces = world.credentials<true>();
  const now = () => world.clock.now() / 1000;

  /** Stores the nonce for as long as its timestamp would be accepted. */
  function useNonce(parameters: SignedParameters): void {
    const nonce = parameters.get('oauth_nonce') ?? '';
    if (!/^[\x21-\x7e]+$/.test(nonce)) throw new SignatureError('nonce', 'oauth_nonce is not plain ASCII');
    const key = `${parameters.get('oauth_timestamp')} ${parameters.get('oauth_token') ?? ''} ${nonce}`;
    if (nonces.find(key).state !== 'unknown')
      throw new SignatureError('nonce', 'oauth_nonce was used before');
    nonces.issue(key, true, 2 * TOLERANCE_SECONDS);
  }

  return function verify<T extends TokenWithSecret>(
    request: NetworkRequest,
    respond: (error: SignatureError) => ErrorResponse,
    findToken: (token: string | undefined) => T | undefined,
  ): Signed<T> {
    try {
      const { parameters, doubt } = signedParameters(request);
      checkProtocol(parameters, consumer, now());
      const token = findToken(parameters.get('oauth_token'));
      if (!token) throw new SignatureError('token', 'oauth_token is not valid for this request');
      const { oauth_signature: signature, ...signed } = Object.fromEntries(parameters);
      const { method, url, notes } = request;
      const expected = hmacSha1Signature(method, url, signed, consumer.secret ?? '', token.secret);
      if (!secretsEqual(signature, expected))
        throw new SignatureError('signature', 'oauth_signature does not match the request');
      useNonce(parameters);
      if (doubt) notes.refuseOrNote(respond(doubt));
      return { parameters, token };
    } catch (error) {
      throw error instanceof SignatureError ? respond(error) : error;
    }
  };
}

function checkProtocol(parameters: SignedParameters, consumer: Application, now: number): void {
  for (const name of ['oauth_consumer_key', 'oauth_signature', 'oauth_nonce', 'oauth_timestamp']) {
    if (!parameters.get(name)) throw new SignatureError('parameters', `${name} is missing or empty`);
  }
  if (parameters.get('oauth_signature_method') !== 'HMAC-SHA1')
    throw new SignatureError('parameters', 'oauth_signature_method is not "HMAC-SHA1"');
  if (!['1.0', undefined].includes(parameters.get('oauth_version')))
    throw new SignatureError('parameters', 'oauth_version is not "1.0"');
  if (parameters.get('oauth_consumer_key') !== consumer.id)
    throw new SignatureError('client', "oauth_consumer_key is not the sandbox's consumer key");
  const timestamp = parameters.get('oauth_timestamp') ?? '';
  const seconds = /^\d{1,15}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (Math.abs(seconds - now) <= TOLERANCE_SECONDS) return;
  throw new SignatureError('timestamp', "oauth_timestamp is not within five minutes of the sandbox's clock");
}

/** The function that the sandbox uses of `oauth-sign`, which has no type declarations. */
interface OauthSign {
  hmacsign(
    method: string,
    url: string,
    parameters: Readonly<Record<string, string>>,
    consumerSecret: string,
    tokenSecret: string,
  ): string;
}

const oauthSign: OauthSign = require('oauth-sign');

/** The URL is without its query, the parameters are decoded and without `oauth_signature` (RFC 5849, section 3.4.2). */
export const hmacSha1Signature: OauthSign['hmacsign'] = (...request) => oauthSign.hmacsign(...request);

/** Whether a request has an OAuth 1.0a signature, valid or not. */
export const isSigned = (request: NetworkRequest): boolean =>
  /^OAuth\s/i.test(request.authorization ?? '') || queryAndForm(request).has('oauth_signature');

/** The parameters of a signed request, and what the network may refuse about them all the same. */
function signedParameters(request: NetworkRequest): {
  readonly parameters: SignedParameters;
  readonly doubt?: SignatureError;
} {
  const header = headerParameters(request.authorization ?? '');
  const [, token] = header.find(([name]) => name === 'oauth_token') ?? [];
  const elsewhere = queryAndForm(request).entries();
  const others = elsewhere.filter(([name, value]) => name !== 'oauth_token' || value !== token);
  const pairs = [...header, ...others];
  const parameters = new Map(pairs);
  if (parameters.size < pairs.length) throw new SignatureError('parameters', 'a parameter is given twice');
  if (others.length === elsewhere.length) return { parameters };
  const doubt = new SignatureError('token twice', 'oauth_token is in the header and again in query or body');
  return { parameters, doubt };
}

function headerParameters(authorization: string): (readonly [string, string])[] {
  const list = /^OAuth\s+(.*)$/i.exec(authorization)?.[1];
  if (list === undefined) return [];
  return list
    .split(/\s*,\s*/)
    .map(headerParameter)
    .filter(([name]) => name !== 'realm');
}

function headerParameter(pair: string): readonly [string, string] {
  const [, name, value] = /^([A-Za-z0-9_.~%-]+)="([^"]*)"$/.exec(pair) ?? [];
  try {
    if (name !== undefined && value !== undefined)
      return [decodeURIComponent(name), decodeURIComponent(value)];
  } catch {
    throw new SignatureError('parameters', 'the Authorization header is not percent-encoded');
  }
  throw new SignatureError('parameters', 'the Authorization header is not a list of name="value" pairs');
}
