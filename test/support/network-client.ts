import type { ClientOptions } from '../../lib/core/http/client.js';
import { NetworkClient, type NetworkRequest, Transaction } from '../../lib/core/http/index.js';

/** The HTTP client of a strategy called `network`, which documents no error responses. */
export function networkClient(options: Partial<ClientOptions> = {}): NetworkClient {
  return new NetworkClient({
    name: 'network',
    agent: undefined,
    timeout: 5_000,
    customHeaders: {},
    facts: { errorRows: [] },
    readErrorResponse: () => undefined,
    secrets: [],
    ...options,
  });
}

export function getRequest(url: string, changes: Partial<NetworkRequest> = {}): NetworkRequest {
  return { step: 'profile', method: 'GET', url, transaction: new Transaction(), ...changes };
}
