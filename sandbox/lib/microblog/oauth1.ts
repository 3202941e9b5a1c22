import type { Application } from '../core/clients.js';
import { type Belief, COMMON_BELIEFS } from '../core/evidence.js';
import {
  type ErrorResponse,
  form,
  json,
  type NetworkRequest,
  type NetworkResponse,
  queryAndForm,
  redirect,
} from '../core/http.js';
import type { Endpoint, Network } from '../core/network.js';
import {
  plainHttpProblem,
  randomDigits,
  randomString,
  redirectUriProblem,
  secretsEqual,
  withParameters,
} from '../core/oauth.js';
import type { SandboxPerson } from '../core/people.js';
import { type Credentials, type Grant, liveGrant, rejectionReason, type World } from '../core/world.js';
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

/** Parameters of a request, from header, query and form together. */
export type SignedParameters = ReadonlyMap<string, string>;

/** A request or access token with its secret; the secret is `''` for a request that needs no token. */
export interface TokenWithSecret {
  readonly secret: string;
}

/** A request whose signature is valid. */
export interface Signed<T extends TokenWithSecret> {
  readonly parameters: SignedParameters;
  readonly token: T;
  /** What the network may refuse about the request all the same. */
  readonly doubt?: SignatureError;
}

const TOLERANCE_SECONDS = 300;

/**
 * Verifies OAuth 1.0a signatures: HMAC-SHA1, a timestamp within five minutes, no repeated nonce or parameter.
 *
 * @see https://www.rfc-editor.org/rfc/rfc5849#section-3.2
 */
export class SignatureVerifier {
  private readonly nonces: Credentials<true>;

  constructor(
    private readonly world: World,
    private readonly consumer: Application,
  ) {
    this.nonces = world.credentials();
  }

  /**
   * Verifies the signature of a request.
   *
   * @param findToken - Looks up the value of `oauth_token`.
   * @throws SignatureError naming what is wrong.
   */
  verify<T extends TokenWithSecret>(
    request: NetworkRequest,
    findToken: (token: string | undefined) => T | undefined,
  ): Signed<T> {
    const { parameters, doubt } = signedParameters(request);
    this.checkProtocol(parameters);
    this.checkTimestamp(parameters.get('oauth_timestamp'));
    const token = findToken(parameters.get('oauth_token'));
    if (!token) throw new SignatureError('token', 'oauth_token is not valid for this request');
    const { oauth_signature: signature, ...signed } = Object.fromEntries(parameters);
    const secret = this.consumer.secret ?? '';
    const expected = hmacSha1Signature(request.method, request.url, signed, secret, token.secret);
    if (!secretsEqual(signature, expected)) {
      throw new SignatureError('signature', 'oauth_signature does not match the request');
    }
    this.useNonce(parameters);
    return { parameters, token, ...(doubt && { doubt }) };
  }

  private checkProtocol(parameters: SignedParameters): void {
    for (const name of ['oauth_consumer_key', 'oauth_signature', 'oauth_nonce', 'oauth_timestamp']) {
      if (!parameters.get(name)) throw new SignatureError('parameters', `${name} is missing or empty`);
    }
    if (parameters.get('oauth_signature_method') !== 'HMAC-SHA1') {
      throw new SignatureError('parameters', 'oauth_signature_method is not "HMAC-SHA1"');
    }
    if (!['1.0', undefined].includes(parameters.get('oauth_version'))) {
      throw new SignatureError('parameters', 'oauth_version is not "1.0"');
    }
    if (parameters.get('oauth_consumer_key') !== this.consumer.id) {
      throw new SignatureError('client', "oauth_consumer_key is not the sandbox's consumer key");
    }
  }

  private checkTimestamp(timestamp: string | undefined): void {
    const seconds = /^\d{1,15}$/.test(timestamp ?? '') ? Number(timestamp) : Number.NaN;
    if (Math.abs(seconds - this.world.clock.now() / 1000) <= TOLERANCE_SECONDS) return;
    throw new SignatureError(
      'timestamp',
      "oauth_timestamp is not within five minutes of the sandbox's clock",
    );
  }

  /** Stores the nonce for as long as its timestamp would be accepted. */
  private useNonce(parameters: SignedParameters): void {
    const nonce = parameters.get('oauth_nonce') ?? '';
    if (!/^[\x21-\x7e]+$/.test(nonce)) throw new SignatureError('nonce', 'oauth_nonce is not plain ASCII');
    const key = `${parameters.get('oauth_timestamp')} ${parameters.get('oauth_token') ?? ''} ${nonce}`;
    if (this.nonces.find(key).state !== 'unknown') {
      throw new SignatureError('nonce', 'oauth_nonce was used before');
    }
    this.nonces.issue(key, true, 2 * TOLERANCE_SECONDS);
  }
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

/**
 * HMAC-SHA1 signature of a request, in base64.
 *
 * @param url - Without its query.
 * @param parameters - Query, form and `oauth_*` parameters, decoded, without `oauth_signature`.
 * @see https://www.rfc-editor.org/rfc/rfc5849#section-3.4.2
 */
export function hmacSha1Signature(
  method: string,
  url: string,
  parameters: Readonly<Record<string, string>>,
  consumerSecret: string,
  tokenSecret: string,
): string {
  return oauthSign.hmacsign(method, url, parameters, consumerSecret, tokenSecret);
}

/** Whether a request has an OAuth 1.0a signature, valid or not. */
export function isSigned(request: NetworkRequest): boolean {
  return /^OAuth\s/i.test(request.authorization ?? '') || queryAndForm(request).has('oauth_signature');
}

function signedParameters(request: NetworkRequest): Pick<Signed<TokenWithSecret>, 'parameters' | 'doubt'> {
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
    if (name !== undefined && value !== undefined) {
      return [decodeURIComponent(name), decodeURIComponent(value)];
    }
  } catch {
    throw new SignatureError('parameters', 'the Authorization header is not percent-encoded');
  }
  throw new SignatureError('parameters', 'the Authorization header is not a list of name="value" pairs');
}
