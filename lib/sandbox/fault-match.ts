import { type Call, queryAndForm } from './call.js';
import type { SandboxFault, SandboxFaultRule } from './faults.js';
import type { ServedEndpoint } from './network.js';

/** Whether a fault is for an endpoint at all. */
export function strikes(rule: SandboxFaultRule, endpoint: ServedEndpoint): boolean {
  const { network = endpoint.network, version = endpoint.version } = rule;
  return (
    rule.endpoint === endpoint.name &&
    network === endpoint.network &&
    (endpoint.version === undefined || version === endpoint.version) &&
    (rule.fault.kind !== 'expired-code' || endpoint.troubles['expired-code'] !== undefined) &&
    (rule.fault.kind !== 'revoked-token' || endpoint.troubles['revoked-token'] !== undefined)
  );
}

/** Whether a fault is about a call: a refresh brings no code, and an exchange no token, that could have ended. */
export function concerns({ kind }: SandboxFault, call: Call): boolean {
  const grantType = queryAndForm(call).get('grant_type');
  if (kind === 'expired-code') return grantType !== 'refresh_token';
  return kind !== 'revoked-token' || grantType !== 'authorization_code';
}
