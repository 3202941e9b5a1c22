import { type NetworkRequest, Transport, type TransportOptions } from '../../lib/core/transport.js';

/** A transport for a strategy with the name `network`. */
export function transport(options: Partial<TransportOptions> = {}): Transport {
  return new Transport({
    provider: 'network',
    agent: undefined,
    timeout: 5_000,
    customHeaders: {},
    ...options,
  });
}

/** A profile request. */
export function getRequest(url: string, changes: Partial<NetworkRequest> = {}): NetworkRequest {
  return { step: 'profile', method: 'GET', url, secrets: () => [], ...changes };
}
