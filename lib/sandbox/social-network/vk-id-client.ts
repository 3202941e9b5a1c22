import { json, plain, Refusal } from '../answer.js';
import { VK_ID } from '../applications.js';
import type { Parameters } from '../parameters.js';
import { sameText } from '../secrets.js';

/** A secret is no part of this protocol: sent along, the network is said not to know the address. */
export function checkVkIdClient(parameters: Parameters): void {
  if (parameters.get('client_id') !== VK_ID.id) {
    const reason = 'client_id is missing, or no client of the sandbox';
    throw vkIdRefusal(parameters, 'invalid_client', 'client_id is missing', reason);
  }
  if (parameters.has('client_secret')) {
    throw new Refusal(plain('Not Found', 404), 'client_secret is sent, VK ID has none');
  }
  if (parameters.has('service_token') && !sameText(parameters.get('service_token'), VK_ID.serviceToken)) {
    throw vkIdRefusal(parameters, 'invalid_client', 'service_token is invalid');
  }
}

/** Checks that an exchange or refresh comes from the device of the login. */
export function checkDevice(parameters: Parameters, deviceId: string): void {
  if (sameText(parameters.get('device_id'), deviceId)) return;
  const reason = 'device_id is missing, or not the one of the callback';
  throw vkIdRefusal(parameters, 'invalid_request', 'device_id is invalid', reason);
}

/** Repeats the request's `state`, were it empty, as every answer of the token endpoint does. */
export function vkIdRefusal(
  parameters: Parameters,
  error: string,
  error_description: string,
  reason = error_description,
): Refusal {
  return new Refusal(json({ error, error_description, state: parameters.get('state') ?? '' }), reason);
}
