import { authorizationEndpoints, type ConsentRequest } from '../authorization.js';
import type { Application } from '../clients.js';
import { type Belief, COMMON_BELIEFS } from '../evidence.js';
import { type Credentials, type Grant, liveGrant, rejectionReason } from '../grants.js';
import type { Endpoint, Network } from '../network.js';
import { html, page } from '../pages/page.js';
import type { SandboxPerson } from '../people.js';
import { plainHttpProblem, redirectUriProblem, withParameters } from '../redirect-uri.js';
import type { NetworkRequest } from '../request.js';
import { type ErrorResponse, form, json, type NetworkResponse, redirect } from '../response.js';
import { randomDigits, randomString, secretsEqual } from '../secrets.js';
import type { World } from '../world.js';
import { OAUTH1_APPEARANCE } from './appearance.js';
import { BELIEFS } from './beliefs.js';
import {
  accessTokenErrorResponse,
  callbackErrorResponse,
  signatureErrorResponse,
  verifierErrorResponse,
  whoaThereErrorPage,
} from './error-responses.js';
import { SignatureError, SignatureVerifier, type Signed, type TokenWithSecret } from './oauth1-signature.js';
import { MICROBLOG_CONSUMER } from './options.js';

/** Seconds; the network does not document it. */
const REQUEST_TOKEN_LIFETIME = 900;

/** Callback of a login by PIN: out of band. */
const OUT_OF_BAND = 'oob';

/** The network documents "~7 digits". */
const PIN_LENGTH = 7;

/** The network labels its form-encoded responses like this. */
const FORM_TYPE = 'text/html; charset=utf-8';

interface RequestToken extends TokenWithSecret {
  /** URL, or `oob`. */
  readonly callback: string;
  /** The user who approved the request token, and the verifier for the access-token request. */
  approval?: { readonly person: SandboxPerson; readonly verifier: string };
}

/** An access token: the grant, and the secret that signs requests. */
export type AccessToken = Grant & TokenWithSecret;

/**
 * The microblog network's OAuth 1.0a: "Log in with X".
 *
 * @see https://docs.x.com/fundamentals/authentication/guides/log-in-with-x (read 2026-11)
 * @see https://docs.x.com/fundamentals/authentication/oauth-1-0a/pin-based-oauth (read 2026-11)
 */
export class MicroblogOAuth1 implements Network {
  readonly endpoints: readonly Endpoint[];
  private readonly consumer: Application;
  private readonly signatures: SignatureVerifier;
  private readonly requestTokens: Credentials<RequestToken>;
  private readonly accessTokens: Credentials<AccessToken>;

  constructor(world: World) {
    this.consumer = world.registered(MICROBLOG_CONSUMER);
    this.signatures = new SignatureVerifier(world, this.consumer);
    this.requestTokens = world.credentials();
    this.accessTokens = world.credentials();
    this.endpoints = [
      post('request token', '/microblog/oauth/request_token', (request) => this.requestToken(request)),
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
        read: (request) => this.consent(request),
        reject: whoaThereErrorPage,
      }),
      post('access token', '/microblog/oauth/access_token', (request) => this.accessToken(request)),
      post('revocation', '/microblog/1.1/oauth/invalidate_token.json', (request) => this.revoke(request)),
    ];
  }

  /** Verifies a request that is signed with an access token. @throws SignatureError when it is not. */
  verify(request: NetworkRequest): Signed<AccessToken> {
    return this.signatures.verify(request, (token) => liveGrant(this.accessTokens.find(token)));
  }

  private requestToken(request: NetworkRequest): NetworkResponse {
    const withoutToken = (token: string | undefined) => (token ? undefined : { secret: '' });
    const { parameters } = withErrorResponse(request, signatureErrorResponse, () =>
      this.signatures.verify(request, withoutToken),
    );
    const callback = readCallback(request, parameters.get('oauth_callback'), this.consumer);
    const secret = randomString(32);
    const token = this.requestTokens.issue(randomString(27), { secret, callback }, REQUEST_TOKEN_LIFETIME);
    return form(
      { oauth_token: token, oauth_token_secret: secret, oauth_callback_confirmed: 'true' },
      FORM_TYPE,
    );
  }

  private consent({ query, url, notes }: NetworkRequest): ConsentRequest {
    const token = query.get('oauth_token') ?? '';
    const requestToken = this.requestTokens.live(token);
    if (!requestToken) {
      const reason = rejectionReason('oauth_token', this.requestTokens.find(token));
      throw whoaThereErrorPage(BELIEFS.requestToken, reason);
    }
    if (requestToken.approval) {
      throw whoaThereErrorPage(BELIEFS.requestToken, 'oauth_token was allowed already');
    }
    const { callback } = requestToken;
    const isPin = callback === OUT_OF_BAND;
    if (isPin && url.endsWith('/authenticate')) {
      const reason = 'a login by PIN opens /oauth/authenticate instead of /oauth/authorize';
      notes.refuseOrNote(whoaThereErrorPage(BELIEFS.pinPage, reason));
    }
    const suggestedHandle = query.get('screen_name');
    return {
      application: this.consumer,
      scopes: [],
      ...(suggestedHandle !== undefined && { suggestedHandle }),
      allow: (person) => {
        const verifier = isPin ? randomDigits(PIN_LENGTH) : randomString(32);
        requestToken.approval = { person, verifier };
        if (isPin) return pinPage(this.consumer.name, verifier);
        return redirect(withParameters(callback, { oauth_token: token, oauth_verifier: verifier }));
      },
      deny: () => {
        this.requestTokens.use(token);
        return isPin
          ? declinedPage(this.consumer.name)
          : redirect(withParameters(callback, { denied: token }));
      },
    };
  }

  /** Uses the request token up, even when the verifier is wrong. */
  private accessToken(request: NetworkRequest): NetworkResponse {
    const findToken = (token: string | undefined) => this.requestTokens.live(token);
    const { parameters, token } = withErrorResponse(request, accessTokenErrorResponse, () =>
      this.signatures.verify(request, findToken),
    );
    this.requestTokens.use(parameters.get('oauth_token'));
    const { approval } = token;
    if (!approval || !secretsEqual(parameters.get('oauth_verifier'), approval.verifier)) {
      throw verifierErrorResponse();
    }
    return this.tokenResponse(approval.person);
  }

  private tokenResponse(person: SandboxPerson): NetworkResponse {
    const secret = randomString(45);
    const accessToken = { application: this.consumer, person, scopes: [], ended: false, secret };
    const token = this.accessTokens.issue(
      `${person.microblogId}-${randomString(40)}`,
      accessToken,
      Number.POSITIVE_INFINITY,
    );
    const identity = { user_id: person.microblogId, screen_name: person.handle };
    return form({ oauth_token: token, oauth_token_secret: secret, ...identity }, FORM_TYPE);
  }

  private revoke(request: NetworkRequest): NetworkResponse {
    const { parameters, token } = withErrorResponse(request, signatureErrorResponse, () =>
      this.verify(request),
    );
    token.ended = true;
    return json({ access_token: parameters.get('oauth_token') });
  }
}

function post(name: string, path: string, handle: Endpoint['handle']): Endpoint {
  return { network: 'microblog', name, method: 'post', path, handle };
}

function readCallback(
  { notes }: NetworkRequest,
  callback: string | undefined,
  { redirectAddresses }: Application,
): string {
  if (callback === OUT_OF_BAND) return callback;
  const refusal = (belief: Belief, problem: string): ErrorResponse =>
    callbackErrorResponse(belief, problem.replace('redirect_uri', 'oauth_callback'));
  const problem = redirectUriProblem(callback);
  if (callback === undefined || problem !== undefined) {
    throw refusal(BELIEFS.callback, problem ?? 'oauth_callback is missing');
  }
  if (redirectAddresses?.includes(callback) === false) {
    throw refusal(COMMON_BELIEFS.redirectAddress, 'oauth_callback is not registered for the application');
  }
  const plainHttp = plainHttpProblem(callback);
  if (plainHttp !== undefined) notes.refuseOrNote(refusal(BELIEFS.redirectUriHttps, plainHttp));
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
  return page(
    title,
    html`<h1>${title}</h1>
<p>Go back to the application.</p>`,
  );
}

/** Verifies a signature, and turns a `SignatureError` into the error response of the endpoint. */
export function withErrorResponse<T extends TokenWithSecret>(
  request: NetworkRequest,
  respond: (error: SignatureError) => ErrorResponse,
  verify: () => Signed<T>,
): Signed<T> {
  try {
    const signed = verify();
    if (signed.doubt) request.notes.refuseOrNote(respond(signed.doubt));
    return signed;
  } catch (error) {
    throw error instanceof SignatureError ? respond(error) : error;
  }
}
