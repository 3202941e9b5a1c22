import { randomInt } from 'node:crypto';
import type { Application } from '../core/clients.js';
import { COMMON_BELIEFS } from '../core/evidence.js';
import type { Hold, NetworkRequest, NetworkResponse, Refusal } from '../core/http.js';
import { ErrorResponse, json, plain, redirect } from '../core/http.js';
import { post } from '../core/network.js';
import type { SandboxPerson } from '../core/people.js';
import { heldRedirectUri, registrationProblem } from '../core/redirect-uri.js';
import { randomString, secretsEqual } from '../core/secrets.js';
import { type Grant, liveGrant, type World } from '../core/world.js';
import { authorizationEndpoints, type ConsentRequest } from '../pages/authorization.js';
import { html, titledPage } from '../pages/page.js';
import { BELIEFS } from './beliefs.js';
import { accessTokenError, callbackError, signatureError, whoaTherePage } from './error-responses.js';
import { CONSUMER, OAUTH1_APPEARANCE } from './options.js';
import { signatureVerifier, type TokenWithSecret } from './signature.js';

/** Callback of a login by PIN: out of band. */
const OUT_OF_BAND = 'oob';

/** The network labels its form-encoded responses like this. */
const form = (fields: Readonly<Record<string, string>>): NetworkResponse => ({
  status: 200,
  type: 'text/html; charset=utf-8',
  body: new URLSearchParams(fields).toString(),
});

const VERIFIER_ERROR = 'Error processing your OAuth request: Invalid oauth_verifier parameter';

interface RequestToken extends TokenWithSecret {
  /** URL, or `oob`. */
  readonly callback: string;
  /** The user who approved the request token, and the verifier for the access-token request. */
  approval?: { readonly person: SandboxPerson; readonly verifier: string };
}

/** "Log in with X". @see https://docs.x.com/fundamentals/authentication/guides/log-in-with-x (read 2026-11) */
export function microblogOAuth1(world: World) {
  const consumer: Application = world.registered(CONSUMER);
  const verify = signatureVerifier(world, consumer);
  const requestTokens = world.credentials<RequestToken>();
  const accessTokens = world.credentials<Grant & TokenWithSecret>();

  /** Verifies a request that is signed with an access token. @throws ErrorResponse that `respond` makes, when it is not. */
  const verifyAccess = (request: NetworkRequest, respond: Refusal) =>
    verify(request, respond, (token) => liveGrant(accessTokens.find(token)));

  function requestToken(request: NetworkRequest): NetworkResponse {
    const withoutToken = (token: string | undefined) => (token ? undefined : { secret: '' });
    const { parameters } = verify(request, signatureError, withoutToken);
    const callback = parameters.get('oauth_callback') ?? '';
    if (callback !== OUT_OF_BAND) {
      const hold = request.notes.holdTo(callbackError);
      heldRedirectUri(hold, callback, BELIEFS.callback, BELIEFS.redirectUriHttps);
      const { redirectAddresses } = consumer;
      const problem = registrationProblem('oauth_callback', callback, redirectAddresses, request.url);
      hold(COMMON_BELIEFS.redirectAddress, problem);
    }
    const secret = randomString(32);
    // Seconds; the network does not document it.
    const token = requestTokens.issue(randomString(27), { secret, callback }, 900);
    const answer = { oauth_token: token, oauth_token_secret: secret, oauth_callback_confirmed: 'true' };
    return form(answer);
  }

  function consent({ query, url }: NetworkRequest, hold: Hold): ConsentRequest {
    const token = query.get('oauth_token') ?? '';
    const pending = hold.live(BELIEFS.requestToken, 'oauth_token', requestTokens.find(token));
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
        // The network documents "~7 digits".
        const verifier = isPin ? String(randomInt(10_000_000)).padStart(7, '0') : randomString(32);
        pending.approval = { person, verifier };
        // A login by PIN has nowhere to redirect to.
        if (isPin)
          return titledPage(
            `Your PIN for ${consumer.name}`,
            html`<p>Go back to the application, and enter this PIN there:</p>\n<p><code>${verifier}</code></p>`,
          );
        return redirect(callback, { oauth_token: token, oauth_verifier: verifier });
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
    const { parameters, token } = verify(request, accessTokenError, (id) =>
      liveGrant(requestTokens.find(id)),
    );
    requestTokens.use(parameters.get('oauth_token'));
    const { person, verifier = '' } = token.approval ?? {};
    const reason = 'oauth_verifier is missing, or does not belong to this request token';
    if (!person || !secretsEqual(parameters.get('oauth_verifier'), verifier))
      throw new ErrorResponse(plain(VERIFIER_ERROR, 401), reason, BELIEFS.oauthVerifier);
    request.notes.keeps(BELIEFS.oauthVerifier);
    const { microblogId: user_id, handle: screen_name } = person;
    const oauth_token_secret = randomString(45);
    const oauth_token = accessTokens.issue(
      `${user_id}-${randomString(40)}`,
      { application: consumer, person, scopes: [], ended: false, secret: oauth_token_secret },
      Number.POSITIVE_INFINITY,
    );
    return form({ oauth_token, oauth_token_secret, user_id, screen_name });
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
