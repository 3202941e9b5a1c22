import { type Answer, json } from '../answer.js';
import type { Call } from '../call.js';
import { type Grant, liveGrant, whyRefused } from '../grants.js';
import type { Endpoint, Network } from '../network.js';
import type { World } from '../world.js';
import type { ShortVideoOAuth2 } from './oauth2.js';
import { isShortVideoField, type ShortVideoField, shortVideoScope, shortVideoUser } from './record.js';
import { logId, shortVideoApiRefusal } from './refusals.js';

/**
 * The short-video network's user-info request. Its success carries an `error` too, with the code `ok`.
 *
 * @see https://developers.tiktok.com/doc/tiktok-api-v2-get-user-info (read 2026-11)
 */
export class ShortVideoApi implements Network {
  readonly endpoints: readonly Endpoint[] = [
    {
      network: 'short-video',
      name: 'profile',
      method: 'get',
      path: '/short-video/v2/user/info/',
      answer: (call) => this.profile(call),
    },
  ];

  constructor(
    private readonly world: World,
    private readonly oauth2: ShortVideoOAuth2,
  ) {}

  private profile(call: Call): Answer {
    const grant = this.grant(call);
    const user = shortVideoUser(this.world, grant.person, this.fields(call, grant));
    return json({ data: { user }, error: { code: 'ok', message: '', log_id: logId(this.world.clock) } });
  }

  private grant(call: Call): Grant {
    const finding = this.oauth2.bearer(call);
    const grant = liveGrant(finding);
    if (grant) return grant;
    const reason = whyRefused('the bearer token', finding);
    throw shortVideoApiRefusal(this.world.clock, 'access_token_invalid', reason);
  }

  /** One field beyond the granted scopes fails the whole call. */
  private fields(call: Call, grant: Grant): readonly ShortVideoField[] {
    const fields = (call.query.get('fields') ?? '').split(',');
    if (!fields.every(isShortVideoField)) {
      const reason = 'fields is missing, or names a field that does not exist';
      throw shortVideoApiRefusal(this.world.clock, 'invalid_params', reason);
    }
    const closed = fields.find((field) => !grant.scopes.includes(shortVideoScope(field)));
    if (closed === undefined) return fields;
    const reason = `${closed} needs ${shortVideoScope(closed)}, which was not granted`;
    throw shortVideoApiRefusal(this.world.clock, 'scope_not_authorized', reason);
  }
}
