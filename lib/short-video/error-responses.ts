import type { ReadErrorResponse } from '../core/errors/index.js';
import { errorCode, isError, isObject, property, stringProperty } from '../core/http/index.js';

/**
 * The network has three kinds of error responses, with any status: flat strings at the OAuth endpoints (with HTTP 200), an object `error` at the
 * API, where the code `ok` means success and which also comes alone, and the `data` of older versions.
 */
export const readErrorResponse: ReadErrorResponse = ({ body, headers }) => {
  const flat = stringProperty(body, 'error');
  const nested = property(body, 'error');
  const data = property(body, 'data');
  const older = errorCode(property(data, 'error_code'));
  if (older !== undefined && older !== '0') {
    return { networkCode: older, networkMessage: stringProperty(data, 'description') };
  }
  const isAlone = data === undefined && stringProperty(body, 'log_id') !== undefined;
  const api = isObject(nested) ? nested : isAlone ? body : undefined;
  const code = flat ?? errorCode(property(api, 'code'));
  if (code === 'ok' || (code === undefined && !isError(nested))) return undefined;
  const logID = headers['x-tt-logid'];
  return {
    networkCode: code,
    networkMessage:
      flat === undefined ? stringProperty(api, 'message') : stringProperty(body, 'error_description'),
    requestId:
      stringProperty(flat === undefined ? api : body, 'log_id') ?? (Array.isArray(logID) ? logID[0] : logID),
  };
};
