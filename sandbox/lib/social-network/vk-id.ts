import type { Hold, NetworkRequest, NetworkResponse, Parameters, Refusal } from '../core/http.js';
import { bearerToken, ErrorResponse, json, queryAndBody, redirect, textResponse } from '../core/http.js';
import { type Endpoint, post } from '../core/network.js';
import { declined, heldRedirectUri, naming, redirectUriDiffers } from '../core/redirect-uri.js';
import { isVerifier, randomString, secretsEqual, verifierMatches } from '../core/secrets.js';
import type { AuthorizationCode, Credentials, Grant, World } from '../core/world.js';
import { authorizationEndpoints, type ConsentRequest } from '../pages/authorization.js';
import { html, titledPage } from '../pages/page.js';
import { maskedVkIdUser, vkIdUser } from './api.js';
import { BELIEFS } from './beliefs.js';
import { vkIdError, vkIdErrorPage } from './error-responses.js';
import { APPEARANCE, SERVICE_TOKEN, VK_ID } from './options.js';

/** Seconds. */
const LIFETIME = { code: 600, accessToken: 3_600, refreshToken: 15_552_000 };

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  provider: ['vkid', 'ok_ru', 'mail_ru'],
  lang_id: ['0', '1', '3', '4', '6', '15', '16', '65', '82', '97', '114'],
  scheme: ['light', 'dark', 'bright_light', 'space_gray'],
};

/** A consent belongs to a device. Every token request must repeat the device's ID. */
interface VkIdGrant extends Grant {
  readonly deviceId: string;
}

/** OAuth 2.1, with PKCE, a device ID and no client secret. Errors have HTTP 200. */
export function vkId(world: World, accessTokens: Credentials<Grant>): readonly Endpoint[] {
  const application = world.registered({ ...VK_ID, serviceToken: SERVICE_TOKEN });
  const codes = world.credentials<AuthorizationCode<VkIdGrant>>();
  const refreshTokens = world.credentials<VkIdGrant>();
  const idTokens = world.credentials<VkIdGrant>();

  /** Only `prompt=none` is redirected back: the sandbox has no sessions and would have to ask the user. */
  function consent({ query }: NetworkRequest, hold: Hold): ConsentRequest {
    const id = query.one('client_id');
    hold(BELIEFS.vkIdClient, !id && 'client_id is missing');
    hold(BELIEFS.vkIdClient, id !== application.clientID && 'client_id is no client of the sandbox');
    hold(BELIEFS.vkIdResponseType, query.one('response_type') !== 'code' && 'response_type is not "code"');
    const beliefs = { ...BELIEFS, redirectUri: BELIEFS.vkIdRedirectUri };
    const redirectUri = heldRedirectUri(hold, query.one('redirect_uri'), beliefs);
    const sent = query.one('state');
    const badState = 'state has fewer than 32 characters, or others than letters, digits, "_" and "-"';
    hold(BELIEFS.vkIdState, !/^[A-Za-z0-9_-]{32,}$/.test(sent ?? '') && badState);
    const challenge = query.one('code_challenge') ?? '';
    hold(BELIEFS.vkIdChallenge, challenge === '' && 'code_challenge is missing, which this network needs');
    const hasVerifier = query.has('code_verifier');
    hold(BELIEFS.vkIdChallenge, hasVerifier && 'code_verifier is sent along with code_challenge');
    const isDigest = /^[A-Za-z0-9_-]{43}$/.test(challenge);
    hold(BELIEFS.vkIdChallenge, !isDigest && 'code_challenge is no SHA-256 in base64url');
    const isS256 = query.one('code_challenge_method')?.toUpperCase() === 'S256';
    hold(BELIEFS.vkIdChallengeMethod, !isS256 && 'code_challenge_method is not "S256"');
    const scopes = [...new Set(namesIn(query.one('scope') || 'vkid.personal_info'))];
    const unknown = scopes.filter((name) => !APPEARANCE.scopes.includes(name));
    const badScope = naming('scope names one that the application does not have', ...unknown);
    hold(BELIEFS.vkIdScope, unknown.length > 0 && badScope);
    for (const [name, values] of Object.entries(CHOICES)) {
      const isKnown = [...values, undefined].includes(query.one(name));
      hold(BELIEFS.vkIdChoices, !isKnown && `${name} has a value that does not exist`);
    }
    const prompts = namesIn(query.one('prompt') ?? '');
    const arePrompts = prompts.every((name) => ['none', 'login', 'consent', 'select_account'].includes(name));
    hold(BELIEFS.vkIdChoices, !arePrompts && 'prompt has a value that does not exist');
    // As the network returns it: without dots.
    const state = sent?.replaceAll('.', '');
    if (prompts.includes('none') && !query.has('auto')) {
      const error = { error: 'login_required', error_description: 'User is not logged in', state };
      const response = redirect(redirectUri, error);
      throw new ErrorResponse(response, 'prompt is "none", and nobody is logged in', BELIEFS.vkIdPromptNone);
    }
    const isOfButton = query.has('origin');
    const answer = (response: NetworkResponse) => (isOfButton ? answerToButton(response) : response);
    return {
      application,
      scopes,
      allow: (grant) => {
        const device_id = randomString(86);
        const value = { grant: { ...grant, deviceId: device_id }, redirectUri, challenge };
        const code = codes.issue(`vk2.a.${randomString(220)}`, value, LIFETIME.code);
        const [type, expires_in] = ['code_v2', String(LIFETIME.code)];
        if (!isOfButton && world.nextVkIdCallback() === 'payload')
          return redirect(redirectUri, { payload: JSON.stringify({ code, state, type, device_id }) });
        const flat = { code, expires_in, device_id, state, ext_id: randomString(64), type };
        return answer(redirect(redirectUri, flat));
      },
      deny: () => answer(declined(redirectUri, { error_description: 'User cancelled the login', state })),
    };
  }

  function checked(request: NetworkRequest): { readonly parameters: Parameters; readonly hold: Hold } {
    const { notes } = request;
    const parameters = queryAndBody(request);
    const hold = notes.holdTo(vkIdError(parameters));
    const isClient = parameters.one('client_id') === application.clientID;
    hold(BELIEFS.vkIdClient, !isClient && 'client_id is missing, or no client of the sandbox');
    // The protocol has no client secret: to one, the network is said to respond with 404.
    const notFound: Refusal = (belief, reason) =>
      new ErrorResponse(textResponse('Not Found', 404), reason, belief);
    const hasSecret = parameters.has('client_secret') && 'client_secret is sent, VK ID has none';
    notes.holdTo(notFound)(BELIEFS.vkIdClientSecret, hasSecret);
    const isRight = secretsEqual(parameters.one('service_token'), application.serviceToken);
    hold(BELIEFS.vkIdServiceToken, parameters.has('service_token') && !isRight && 'service_token is invalid');
    return { parameters, hold };
  }

  /** A refresh token works once. When a used one comes back, the login ends. */
  function token(request: NetworkRequest): NetworkResponse {
    const { parameters, hold } = checked(request);
    const type = parameters.one('grant_type') ?? '';
    const isKnown = ['authorization_code', 'refresh_token'].includes(type);
    hold(BELIEFS.vkIdGrantType, !isKnown && 'grant_type is missing or invalid');
    if (type === 'authorization_code') {
      const found = codes.use(parameters.one('code'));
      const { grant, redirectUri, challenge } = hold.live(BELIEFS.vkIdCode, 'code', found);
      hold(BELIEFS.vkIdDevice, deviceProblem(parameters, grant));
      hold(BELIEFS.vkIdSameRedirectUri, redirectUriDiffers(parameters.one('redirect_uri'), redirectUri));
      const verifier = parameters.one('code_verifier');
      const isWellFormed = isVerifier(verifier) && !/[.~]/.test(verifier);
      const matches = isWellFormed && verifierMatches(verifier, challenge, 'base64url');
      const bad = 'code_verifier does not match code_challenge, or has a character that the network rejects';
      hold(BELIEFS.vkIdVerifier, !matches && bad);
      const iat = Math.floor(world.clock.now() / 1000);
      const [sub, app] = [grant.person.socialNetworkId, Number(application.clientID)];
      const claims = { iss: 'VK', sub, app, exp: iat + LIFETIME.accessToken, iat, jti: iat };
      const parts = [{ alg: 'RS256', typ: 'JWT' }, claims].map(encoded);
      // With a random signature: the network publishes no key to verify a real one with.
      const id_token = idTokens.issue([...parts, randomString(342)].join('.'), grant, LIFETIME.accessToken);
      return json({ ...tokens(grant, parameters), id_token });
    }
    const found = refreshTokens.find(parameters.one('refresh_token'));
    if (found.state === 'used') found.value.ended = true;
    const grant = hold.live(BELIEFS.vkIdRefreshToken, 'refresh_token', found);
    hold(BELIEFS.vkIdDevice, deviceProblem(parameters, grant));
    refreshTokens.use(parameters.one('refresh_token'));
    return json(tokens(grant, parameters));
  }

  function tokens(grant: VkIdGrant, parameters: Parameters): object {
    return {
      refresh_token: refreshTokens.issue(`vk2.a.${randomString(160)}`, grant, LIFETIME.refreshToken),
      access_token: accessTokens.issue(`vk2.a.${randomString(160)}`, grant, LIFETIME.accessToken),
      token_type: 'Bearer',
      expires_in: LIFETIME.accessToken,
      user_id: grant.person.socialNetworkId,
      state: parameters.one('state') ?? '',
      scope: grant.scopes.join(' '),
    };
  }

  const userInfo = (request: NetworkRequest): NetworkResponse =>
    json({ user: vkIdUser(world, grantOf(request)) });

  /** Shows who logged in, masked, to a page that has only the ID token. */
  function publicInfo(request: NetworkRequest): NetworkResponse {
    const { parameters, hold } = checked(request);
    const found = idTokens.find(parameters.one('id_token'));
    return json({ user: maskedVkIdUser(world, hold.live(BELIEFS.vkIdIdToken, 'id_token', found)) });
  }

  function end(request: NetworkRequest): NetworkResponse {
    grantOf(request).ended = true;
    return json({ response: 1 });
  }

  function grantOf(request: NetworkRequest): Grant {
    const { hold } = checked(request);
    const given = request.form.one('access_token') ?? request.multipart.one('access_token');
    const found = accessTokens.find(given ?? bearerToken(request));
    // The API takes tokens of both protocols, VK ID only its own.
    return hold.live(BELIEFS.vkIdToken, 'access_token', found, (grant) => 'deviceId' in grant);
  }

  return [
    ...authorizationEndpoints(world, 'social-network', APPEARANCE, {
      paths: ['/vk-id/authorize'],
      read: consent,
      reject: vkIdErrorPage,
    }),
    post('token', '/vk-id/oauth2/auth', token),
    post('profile', '/vk-id/oauth2/user_info', userInfo),
    post('public info', '/vk-id/oauth2/public_info', publicInfo),
    post('revocation', '/vk-id/oauth2/revoke', end),
    post('logout', '/vk-id/oauth2/logout', end),
  ];
}

const deviceProblem = (parameters: Parameters, { deviceId }: VkIdGrant): string | false =>
  !secretsEqual(parameters.one('device_id'), deviceId) &&
  'device_id is missing, or not the one from the authorization response';

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/**
 * VK's button opens the network in a tab of its own, and gives its page's `origin`. The tab sends the page what would be the parameters of the redirect;
 * only a page of the redirect URI's origin gets them.
 *
 * @see https://github.com/VKCOM/vkid-web-sdk, `auth.ts` of 2.6.7 (read 2026-11)
 */
function answerToButton({ headers }: NetworkResponse): NetworkResponse {
  const url = new URL(headers?.Location ?? '');
  const answer = JSON.stringify({ to: url.origin, payload: Object.fromEntries(url.searchParams), url });
  const content = html`<p data-answer="${answer}">You can close this window.</p>`;
  // Relative, because the network's host can be led here.
  return titledPage('Back to the application', content, { width: 'narrow', script: 'sdk.js' });
}

const namesIn = (list: string): readonly string[] => list.split(' ').filter((name) => name !== '');
