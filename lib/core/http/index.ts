/** Everything that talks HTTP, and the formats on the wire: JSON, forms, URLs. */
export {
  type JSONResponse,
  NetworkClient,
  type NetworkRequest,
  type RequestReport,
  requestChannel,
  Transaction,
} from './client.js';
export * from './encoding.js';
export { type ErrorResponses, type Hints, hintFor, unreadable } from './failures.js';
export type { NetworkResponse } from './transport.js';
