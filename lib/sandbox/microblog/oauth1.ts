import { type Answer, form, json, type Refusal } from '../answer.js';
import { MICROBLOG_CONSUMER } from '../applications.js';
import { authorizationEndpoints, type ConsentRequest } from '../authorization.js';
import type { Call } from '../call.js';
import { type Credentials, type Grant, liveGrant, whyRefused } from '../grants.js';
import type { Endpoint, Network } from '../network.js';
import type { Parameters } from '../parameters.js';
import type { SandboxPerson } from '../people.js';
import { redirectProblem, withParameters } from '../redirect-address.js';
import { randomText, sameText } from '../secrets.js';
import type { World } from '../world.js';
import { SignatureCheck, SignatureError, type Signed, type TokenHolder } from './oauth1-signature.js';
import {
  callbackRefusal,
  exchangeRefusal,
  signatureRefusal,
  verifierRefusal,
  whoaThere,
} from './refusals.js';

/** Seconds; the network does not say. */
const REQUEST_TOKEN_LIFETIME = 900;

/** The network's own label of its answers, though they are form-encoded. */
const FORM_TYPE = 'text/html; charset=utf-8';

interface RequestToken extends TokenHolder {
  readonly callback: string;
  /** Who allowed it, and the verifier that the browser brings back as proof. */
  approval?: { readonly person: SandboxPerson; readonly verifier: string };
}

/** What an access token stands for, with the secret that signs its requests. */
export type SignedGrant = Grant & TokenHolder;

/**
 * The microblog network's OAuth 1.0a: "Log in with X".
 *
 * @see https://docs.x.com/fundamentals/authentication/guides/log-in-with-x (read 2026-11)
 */
export class MicroblogOAuth1 implements Network {
  readonly endpoints: readonly Endpoint[];
  private readonly signatures: SignatureCheck;
  private readonly requestTokens: Credentials<RequestToken>;
  private readonly accessTokens: Credentials<SignedGrant>;

  constructor(world: World) {
    this.signatures = new SignatureCheck(world, MICROBLOG_CONSUMER);
    this.requestTokens = world.credentials();
    this.accessTokens = world.credentials();
    this.endpoints = [
      post('request token', '/microblog/oauth/request_token', (call) => this.requestToken(call)),
      ...authorizationEndpoints({
        network: 'microblog',
        paths: ['/microblog/oauth/authenticate', '/microblog/oauth/authorize'],
        people: world.people,
        read: (query) => this.consent(query),
        refuse: whoaThere,
      }),
      post('access token', '/microblog/oauth/access_token', (call) => this.accessToken(call)),
      post('revocation', '/microblog/1.1/oauth/invalidate_token.json', (call) => this.revoke(call)),
    ];
  }

  /** A call that is signed with an access token. @throws SignatureError when it is not. */
  signed(call: Call): Signed<SignedGrant> {
    return this.signatures.verify(call, (token) => liveGrant(this.accessTokens.find(token)));
  }

  private requestToken(call: Call): Answer {
    const withoutToken = (token: string | undefined) => (token ? undefined : { secret: '' });
    const { parameters } = refusing(signatureRefusal, () => this.signatures.verify(call, withoutToken));
    const callback = parameters.get('oauth_callback');
    const problem = redirectProblem(callback);
    if (callback === undefined || problem !== undefined) {
      throw callbackRefusal((problem ?? 'it is missing').replace('redirect_uri', 'oauth_callback'));
    }
    const secret = randomText(32);
    const token = this.requestTokens.issue(randomText(27), { secret, callback }, REQUEST_TOKEN_LIFETIME);
    return form(
      { oauth_token: token, oauth_token_secret: secret, oauth_callback_confirmed: 'true' },
      FORM_TYPE,
    );
  }

  private consent(query: Parameters): ConsentRequest {
    const token = query.get('oauth_token') ?? '';
    const pending = this.requestTokens.live(token);
    if (!pending) throw whoaThere(whyRefused('oauth_token', this.requestTokens.find(token)));
    if (pending.approval) throw whoaThere('oauth_token was allowed already');
    const suggestedHandle = query.get('screen_name');
    return {
      application: MICROBLOG_CONSUMER,
      scopes: [],
      ...(suggestedHandle !== undefined && { suggestedHandle }),
      allow: (person) => {
        const verifier = randomText(32);
        pending.approval = { person, verifier };
        return withParameters(pending.callback, { oauth_token: token, oauth_verifier: verifier });
      },
      deny: () => {
        this.requestTokens.take(token);
        return withParameters(pending.callback, { denied: token });
      },
    };
  }

  /** A request token is spent by the attempt, whether its verifier is right or not. */
  private accessToken(call: Call): Answer {
    const pending = (token: string | undefined) => this.requestTokens.live(token);
    const { parameters, holder } = refusing(exchangeRefusal, () => this.signatures.verify(call, pending));
    this.requestTokens.take(parameters.get('oauth_token'));
    const { approval } = holder;
    if (!approval || !sameText(parameters.get('oauth_verifier'), approval.verifier)) throw verifierRefusal();
    return this.tokenAnswer(approval.person);
  }

  private tokenAnswer(person: SandboxPerson): Answer {
    const secret = randomText(45);
    const grant = { application: MICROBLOG_CONSUMER, person, scopes: [], ended: false, secret };
    const token = this.accessTokens.issue(
      `${person.microblogId}-${randomText(40)}`,
      grant,
      Number.POSITIVE_INFINITY,
    );
    const identity = { user_id: person.microblogId, screen_name: person.handle };
    return form({ oauth_token: token, oauth_token_secret: secret, ...identity }, FORM_TYPE);
  }

  private revoke(call: Call): Answer {
    const { parameters, holder } = refusing(signatureRefusal, () => this.signed(call));
    holder.ended = true;
    return json({ access_token: parameters.get('oauth_token') });
  }
}

function post(name: string, path: string, answer: Endpoint['answer']): Endpoint {
  return { network: 'microblog', name, method: 'post', path, answer };
}

/** Runs a check of a signature; a fault becomes the refusal with which the endpoint answers it. */
export function refusing<T>(refusal: (error: SignatureError) => Refusal, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof SignatureError ? refusal(error) : error;
  }
}
