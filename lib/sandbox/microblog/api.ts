import { type Answer, json } from '../answer.js';
import type { Call } from '../call.js';
import { type Grant, liveGrant, whyRefused } from '../grants.js';
import type { Endpoint, Network } from '../network.js';
import type { Parameters } from '../parameters.js';
import type { World } from '../world.js';
import { credentialsRecord } from './credentials-record.js';
import { type MicroblogOAuth1, refusing } from './oauth1.js';
import { isSigned } from './oauth1-signature.js';
import type { MicroblogOAuth2 } from './oauth2.js';
import { EXPANSIONS, microblogProfile, TWEET_FIELDS, USER_FIELDS } from './record.js';
import { invalidParameter, problem, signatureRefusal } from './refusals.js';

/** Scopes without which the users lookup says no. */
const LOOKUP_SCOPES = ['tweet.read', 'users.read'];

/**
 * The microblog network's two profile addresses: `/2/users/me`, and `verify_credentials` of version 1.1.
 *
 * @see https://docs.x.com/x-api/users/lookup/quickstart/authenticated-lookup (read 2026-11)
 */
export class MicroblogApi implements Network {
  readonly endpoints: readonly Endpoint[];

  constructor(
    private readonly world: World,
    private readonly oauth1: MicroblogOAuth1,
    private readonly oauth2: MicroblogOAuth2,
  ) {
    this.endpoints = [
      {
        network: 'microblog',
        name: 'users lookup',
        method: 'get',
        path: '/microblog/2/users/me',
        answer: (call) => this.usersLookup(call),
      },
      {
        network: 'microblog',
        name: 'verify credentials',
        method: 'get',
        path: '/microblog/1.1/account/verify_credentials.json',
        answer: (call) => this.verifyCredentials(call),
      },
    ];
  }

  private usersLookup(call: Call): Answer {
    const grant = isSigned(call) ? this.signedGrant(call) : this.bearerGrant(call);
    const fields = values(call.query, 'user.fields', USER_FIELDS);
    const expansions = values(call.query, 'expansions', EXPANSIONS);
    const tweetFields = values(call.query, 'tweet.fields', TWEET_FIELDS);
    if (fields.includes('confirmed_email') && !grant.scopes.includes('users.email')) {
      throw problem(403, 'Forbidden', 'confirmed_email needs the scope users.email, which was not granted');
    }
    return json(microblogProfile(this.world, grant.person, { fields, expansions, tweetFields }));
  }

  private bearerGrant(call: Call): Grant {
    const finding = this.oauth2.bearer(call);
    const grant = liveGrant(finding);
    if (!grant) throw problem(401, 'Unauthorized', whyRefused('the bearer token', finding));
    if (LOOKUP_SCOPES.every((scope) => grant.scopes.includes(scope))) return grant;
    throw problem(403, 'Forbidden', 'tweet.read and users.read must both be granted');
  }

  private signedGrant(call: Call): Grant {
    return refusing(
      ({ message }) => problem(401, 'Unauthorized', message),
      () => this.oauth1.signed(call),
    ).holder;
  }

  private verifyCredentials(call: Call): Answer {
    if (/^Bearer\s/i.test(call.authorization ?? '')) {
      const detail = 'You are not permitted to use OAuth2 on this endpoint';
      throw problem(403, 'Forbidden', 'verify_credentials takes OAuth 1.0a only', detail);
    }
    const { holder } = refusing(signatureRefusal, () => this.oauth1.signed(call));
    const body = credentialsRecord(this.world, holder.person, {
      email: call.query.get('include_email') === 'true',
      entities: call.query.get('include_entities') !== 'false',
      status: !['true', 't', '1'].includes(call.query.get('skip_status') ?? ''),
    });
    return { ...json(null, 200, { 'x-access-level': 'read' }), body };
  }
}

/** The values of a comma-separated parameter. @throws Refusal when one of them does not exist. */
function values(query: Parameters, name: string, allowed: readonly string[]): readonly string[] {
  if (!query.has(name)) return [];
  const given = (query.get(name) ?? '').split(',');
  const unknown = given.find((value) => !allowed.includes(value));
  if (unknown !== undefined) throw invalidParameter(name, unknown, allowed);
  return given;
}
