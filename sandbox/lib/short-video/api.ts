import { json, type NetworkRequest, type NetworkResponse } from '../core/http.js';
import { type Endpoint, get } from '../core/network.js';
import { demandGrant, type Grant, type LookupResult, type World } from '../core/world.js';
import { BELIEFS } from './beliefs.js';
import { logId, shortVideoApiError } from './error-responses.js';
import type { ShortVideoField } from './record.js';
import { isShortVideoField, mayComeWithout, shortVideoScope, shortVideoUser } from './record.js';

/** A success also has an `error` object, with the code `ok`. */
export function shortVideoUserInfo(
  world: World,
  findBearer: (request: NetworkRequest) => LookupResult<Grant>,
): Endpoint {
  const { clock } = world;
  const handle = (request: NetworkRequest): NetworkResponse => {
    request.notes.keeps(BELIEFS.bearer);
    const grant = demandGrant('the bearer token', findBearer(request), (reason) =>
      shortVideoApiError(clock, BELIEFS.bearer, 'access_token_invalid', reason),
    );
    const user = shortVideoUser(world, grant.person, requestedFields(request, grant));
    return json({ data: { user }, error: { code: 'ok', message: '', log_id: logId(clock) } });
  };

  /** A single field beyond the granted scopes fails the whole request. */
  function requestedFields({ query, notes }: NetworkRequest, grant: Grant): readonly ShortVideoField[] {
    const holdForm = notes.holdTo((belief, reason) =>
      shortVideoApiError(clock, belief, 'invalid_params', reason),
    );
    const given = query.get('fields') ?? '';
    holdForm(BELIEFS.fields, given === '' && 'fields is missing, empty or given twice');
    const names = given.split(',');
    const fields = names.filter(isShortVideoField);
    holdForm(BELIEFS.fieldNames, fields.length < names.length && 'fields names a field that does not exist');
    const beyond = fields.filter((field) => !grant.scopes.includes(shortVideoScope(field)));
    const forbidden = beyond.find((field) => !mayComeWithout(field, grant.scopes));
    const holdScope = notes.holdTo((belief, field) => {
      const reason = `${field} needs ${shortVideoScope(field as ShortVideoField)}, which was not granted`;
      return shortVideoApiError(clock, belief, 'scope_not_authorized', reason);
    });
    holdScope(BELIEFS.fieldScopes, forbidden);
    holdScope(BELIEFS.basicScope, beyond[0]);
    return fields;
  }

  return get('profile', '/short-video/v2/user/info/', handle);
}
