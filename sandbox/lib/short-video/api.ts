import type { Belief } from '../core/evidence.js';
import { type ErrorResponse, json, type NetworkRequest, type NetworkResponse } from '../core/http.js';
import type { Endpoint, Network } from '../core/network.js';
import { type Grant, liveGrant, rejectionReason, type World } from '../core/world.js';
import { BELIEFS } from './beliefs.js';
import { logId, shortVideoApiError } from './error-responses.js';
import type { ShortVideoOAuth2 } from './oauth2.js';
import {
  isShortVideoField,
  mayComeWithout,
  type ShortVideoField,
  shortVideoScope,
  shortVideoUser,
} from './record.js';

/**
 * The short-video network's user-info endpoint. A success also has an `error` object, with the code `ok`.
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
      handle: (request) => this.profile(request),
    },
  ];

  constructor(
    private readonly world: World,
    private readonly oauth2: ShortVideoOAuth2,
  ) {}

  private profile(request: NetworkRequest): NetworkResponse {
    const grant = this.grant(request);
    const user = shortVideoUser(this.world, grant.person, this.fields(request, grant));
    return json({ data: { user }, error: { code: 'ok', message: '', log_id: logId(this.world.clock) } });
  }

  private grant(request: NetworkRequest): Grant {
    const found = this.oauth2.findBearer(request);
    const grant = liveGrant(found);
    if (grant) return grant;
    const reason = rejectionReason('the bearer token', found);
    throw shortVideoApiError(this.world.clock, BELIEFS.bearer, 'access_token_invalid', reason);
  }

  /** A single field beyond the granted scopes fails the whole request. */
  private fields(request: NetworkRequest, grant: Grant): readonly ShortVideoField[] {
    const { clock } = this.world;
    const given = request.query.get('fields');
    if (!given) {
      throw shortVideoApiError(
        clock,
        BELIEFS.fields,
        'invalid_params',
        'fields is missing, empty or given twice',
      );
    }
    const names = given.split(',');
    const fields = names.filter(isShortVideoField);
    if (fields.length < names.length) {
      const reason = 'fields names a field that does not exist';
      request.notes.refuseOrNote(shortVideoApiError(clock, BELIEFS.fieldNames, 'invalid_params', reason));
    }
    const refusal = (belief: Belief, field: ShortVideoField): ErrorResponse => {
      const reason = `${field} needs ${shortVideoScope(field)}, which was not granted`;
      return shortVideoApiError(clock, belief, 'scope_not_authorized', reason);
    };
    const beyond = fields.filter((field) => !grant.scopes.includes(shortVideoScope(field)));
    const forbidden = beyond.find((field) => !mayComeWithout(field, grant.scopes));
    if (forbidden !== undefined) throw refusal(BELIEFS.fieldScopes, forbidden);
    const [doubtful] = beyond;
    if (doubtful !== undefined) request.notes.refuseOrNote(refusal(BELIEFS.basicScope, doubtful));
    return fields;
  }
}
