import { randomInt } from 'node:crypto';
import { COMMON_BELIEFS } from '../core/evidence.js';
import type { Hold, NetworkRequest, NetworkResponse, Refusal } from '../core/http.js';
import { ErrorResponse, json, queryAndForm, redirect, textResponse } from '../core/http.js';
import { post } from '../core/network.js';
import type { SandboxPerson } from '../core/people.js';
import { heldRedirectUri, registrationProblem } from '../core/redirect-uri.js';
import { hmacSha1Signature, randomString, secretsEqual } from '../core/secrets.js';
import { type Application, type Grant, type Login, liveGrant, type World } from '../core/world.js';
import { authorizationEndpoints, type ConsentRequest } from '../pages/authorization.js';
import { html, titledPage } from '../pages/page.js';
import { BELIEFS } from './beliefs.js';
import { accessTokenError, callbackError, signatureError, whoaTherePage } from './error-responses.js';
import { CONSUMER, OAUTH1_APPEARANCE } from './options.js';

const TOLERANCE_SECONDS = 300;

/** Callback of a login by PIN: out of band. */
const OUT_OF_BAND = 'oob';

/** The network labels its form-encoded responses like this. */
const form = (fields: Readonly<Record<string, string>>): NetworkResponse =>
  textResponse(new URLSearchParams(fields).toString(), 200, 'text/html');

const VERIFIER_ERROR = 'Error processing your OAuth request: Invalid oauth_verifier parameter';

interface RequestToken {
  readonly secret: string;
  readonly callback: string;
  readonly login: Login;
  approval?: { readonly person: SandboxPerson; readonly verifier: string };
}

export type VerifyAccess = ReturnType<typeof microblogOAuth1>['verifyAccess'];

/** "Log in with X". @see https://docs.x.com/fundamentals/authentication/guides/log-in-with-x (read 2026-11) */
export function microblogOAuth1(world: World) {
  const consumer: Application = world.registered(CONSUMER);
  const requestTokens = world.credentials<RequestToken>();
  const accessTokens = world.credentials<Grant & Pick<RequestToken, 'secret'>>();
  const nonces = world.credentials<object>();

  /** @param findToken - Looks `oauth_token` up. The secret is `''` for a request that needs no token. */
  function verify<T extends Pick<RequestToken, 'secret'>>(
    request: NetworkRequest,
    respond: Refusal,
    findToken: (token: string | undefined) => T | undefined,
  ) {
    const { method, url, notes } = request;
    const hold = notes.holdTo(respond);
    const { parameters, isTokenTwice } = signedParameters(request, hold);
    const value = (name: string): string => parameters.get(name) ?? '';
    for (const name of ['oauth_consumer_key', 'oauth_signature', 'oauth_nonce', 'oauth_timestamp'])
      hold(BELIEFS.signedParameters, value(name) === '' && `${name} is missing or empty`);
    const isHmac = value('oauth_signature_method') === 'HMAC-SHA1';
    hold(BELIEFS.signedParameters, !isHmac && 'oauth_signature_method is not "HMAC-SHA1"');
    const isVersion1 = ['1.0', undefined].includes(parameters.get('oauth_version'));
    hold(BELIEFS.signedParameters, !isVersion1 && 'oauth_version is not "1.0"');
    const isConsumer = value('oauth_consumer_key') === consumer.clientID;
    hold(BELIEFS.consumer, !isConsumer && "oauth_consumer_key is not the sandbox's consumer key");
    const timestamp = value('oauth_timestamp');
    const seconds = /^\d{1,15}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
    const isNear = Math.abs(seconds - world.clock.now() / 1000) <= TOLERANCE_SECONDS;
    hold(BELIEFS.timestamp, !isNear && "oauth_timestamp is not within five minutes of the sandbox's clock");
    const token = findToken(parameters.get('oauth_token'));
    if (!token) throw respond(BELIEFS.accessToken, 'oauth_token is not valid for this request');
    const { oauth_signature: signature, ...signed } = Object.fromEntries(parameters);
    const expected = hmacSha1Signature(method, url, signed, consumer.clientSecret ?? '', token.secret);
    const isRight = secretsEqual(signature, expected);
    hold(BELIEFS.signature, !isRight && 'oauth_signature does not match the request');
    const nonce = value('oauth_nonce');
    hold(BELIEFS.nonce, !/^[\x21-\x7e]+$/.test(nonce) && 'oauth_nonce is not plain ASCII');
    const key = `${timestamp} ${value('oauth_token')} ${nonce}`;
    hold(BELIEFS.nonce, nonces.find(key).state !== 'unknown' && 'oauth_nonce was used before');
    // For as long as its timestamp would be accepted.
    nonces.issue(key, {}, 2 * TOLERANCE_SECONDS);
    hold(BELIEFS.tokenTwice, isTokenTwice && 'oauth_token is in the header and again in query or body');
    return { parameters, token };
  }

  const verifyAccess = (request: NetworkRequest, respond: Refusal) =>
    verify(request, respond, (token) => liveGrant(accessTokens.find(token)));

  function requestToken(request: NetworkRequest): NetworkResponse {
    const withoutToken = (token: string | undefined) => (token ? undefined : { secret: '' });
    const { parameters } = verify(request, signatureError, withoutToken);
    const callback = parameters.get('oauth_callback') ?? '';
    if (callback !== OUT_OF_BAND) {
      const hold = request.notes.holdTo(callbackError);
      heldRedirectUri(hold, callback, { ...BELIEFS, redirectUri: BELIEFS.callback });
      const { redirectAddresses } = consumer;
      const problem = registrationProblem('oauth_callback', callback, redirectAddresses, request.url);
      hold(COMMON_BELIEFS.redirectAddress, problem);
    }
    const secret = randomString(32);
    // Seconds; the network does not document it.
    const login = { application: consumer.name };
    request.notes.login = login;
    const token = requestTokens.issue(randomString(27), { secret, callback, login }, 900);
    return form({ oauth_token: token, oauth_token_secret: secret, oauth_callback_confirmed: 'true' });
  }

  function consent({ query, url }: NetworkRequest, hold: Hold): ConsentRequest {
    const token = query.one('oauth_token') ?? '';
    const pending = hold.live(BELIEFS.requestToken, 'oauth_token', requestTokens.find(token));
    const { callback, login } = pending;
    hold(BELIEFS.requestToken, pending.approval && 'oauth_token was allowed already');
    const isPin = callback === OUT_OF_BAND;
    const otherPage = 'a login by PIN opens /oauth/authenticate instead of /oauth/authorize';
    hold(BELIEFS.pinPage, isPin && url.endsWith('/authenticate') && otherPage);
    return {
      application: consumer,
      login,
      scopes: [],
      suggestedHandle: query.one('screen_name'),
      allow: ({ person }) => {
        // The network documents "~7 digits".
        const verifier = isPin ? String(randomInt(10_000_000)).padStart(7, '0') : randomString(32);
        pending.approval = { person, verifier };
        if (!isPin) return redirect(callback, { oauth_token: token, oauth_verifier: verifier });
        const content = html`<p>Go back to the application, and enter this PIN there:</p>\n<p><code>${verifier}</code></p>`;
        return titledPage(`Your PIN for ${consumer.name}`, content);
      },
      deny: () => {
        requestTokens.use(token);
        if (!isPin) return redirect(callback, { denied: token });
        const title = `${consumer.name} has no access to your account`;
        return titledPage(title, html`<p>Go back to the application.</p>`);
      },
    };
  }

  /** Uses the request token up, even when the verifier is wrong. */
  function accessToken(request: NetworkRequest): NetworkResponse {
    const live = (id: string | undefined) => liveGrant(requestTokens.find(id));
    const { parameters, token } = verify(request, accessTokenError, live);
    requestTokens.use(parameters.get('oauth_token'));
    const { login, approval: { person, verifier = '' } = {} } = token;
    const reason = 'oauth_verifier is missing, or does not belong to this request token';
    if (!person || !secretsEqual(parameters.get('oauth_verifier'), verifier))
      throw new ErrorResponse(textResponse(VERIFIER_ERROR, 401), reason, BELIEFS.oauthVerifier);
    request.notes.keeps(BELIEFS.oauthVerifier);
    const { microblogId: user_id, handle: screen_name } = person;
    const secret = randomString(45);
    const access = { application: consumer, person, scopes: [], login, ended: false, secret };
    const oauth_token = accessTokens.issue(`${user_id}-${randomString(40)}`, access);
    return form({ oauth_token, oauth_token_secret: secret, user_id, screen_name });
  }

  function revoke(request: NetworkRequest): NetworkResponse {
    const { parameters, token } = verifyAccess(request, signatureError);
    token.ended = true;
    return json({ access_token: parameters.get('oauth_token') });
  }

  return {
    endpoints: [
      post('request token', '/microblog/oauth/request_token', requestToken),
      ...authorizationEndpoints(world, 'microblog', OAUTH1_APPEARANCE, {
        // The third path, at x.com, is that of X's SDK.
        paths: [
          '/microblog/oauth/authenticate',
          '/microblog/oauth/authorize',
          '/microblog/i/oauth/authenticate',
        ],
        read: consent,
        reject: whoaTherePage,
      }),
      post('access token', '/microblog/oauth/access_token', accessToken),
      post('revocation', '/microblog/1.1/oauth/invalidate_token.json', revoke),
    ],
    verifyAccess,
  };
}

/** From header, query and form together. The same `oauth_token` in the header and elsewhere counts once. */
function signedParameters(request: NetworkRequest, hold: Hold) {
  const [, list] = /^OAuth\s+(.*)$/i.exec(request.authorization ?? '') ?? [];
  const header = list === undefined ? [] : list.split(/\s*,\s*/).map((pair) => headerParameter(pair, hold));
  const [, token] = header.find(([name]) => name === 'oauth_token') ?? [];
  const elsewhere = [...queryAndForm(request)];
  const others = elsewhere.filter(([name, value]) => name !== 'oauth_token' || value !== token);
  const pairs = [...header.filter(([name]) => name !== 'realm'), ...others];
  const parameters: ReadonlyMap<string, string> = new Map(pairs);
  hold(BELIEFS.signedParameters, parameters.size < pairs.length && 'a parameter is given twice');
  return { parameters, isTokenTwice: others.length < elsewhere.length };
}

function headerParameter(pair: string, hold: Hold): readonly [string, string] {
  const [, name = '', value = ''] = /^([A-Za-z0-9_.~%-]+)="([^"]*)"$/.exec(pair) ?? [];
  const noPair = name === '' && 'the Authorization header is not a list of name="value" pairs';
  hold(BELIEFS.signedParameters, noPair);
  try {
    return [decodeURIComponent(name), decodeURIComponent(value)];
  } catch {
    hold(BELIEFS.signedParameters, 'the Authorization header is not percent-encoded');
    return ['', ''];
  }
}
