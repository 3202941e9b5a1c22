import type { ErrorResponse, ReadErrorResponse } from '../core/errors/index.js';
import { errorCode, isError, isObject, property, stringProperty } from '../core/http/index.js';
import { linkFrom } from '../core/profile.js';

/**
 * The network has two kinds of error responses, with any status: a string `error` at the OAuth endpoints, an object at the API (with HTTP
 * 200). The object's `request_params` are never read: they echo the access token.
 */
export const readErrorResponse: ReadErrorResponse = ({ body, headers }) => {
  // VK ID's check for robots answers with a page; only the header tells.
  if (headers['x-challenge'] === 'required') return { networkCode: 'challenge' };
  const error = property(body, 'error');
  if (isObject(error)) {
    return {
      networkCode: errorCode(property(error, 'error_code')),
      networkMessage: stringProperty(error, 'error_msg'),
      userURL: userURLIn(error),
    };
  }
  if (!isError(error)) return undefined;
  return {
    ...readCode(stringProperty(body, 'error'), stringProperty(body, 'error_description')),
    userURL: userURLIn(body),
  };
};

/** A limit of the API can stand in the place of an OAuth code, as in `9;Flood control`. */
function readCode(error: string | undefined, description: string | undefined): ErrorResponse {
  const [, number, words] = /^(\d+);\s*(.*)$/s.exec(error ?? '') ?? [];
  if (number === undefined) return { networkCode: error, networkMessage: description };
  return { networkCode: number, networkMessage: description ?? words };
}

/** The page that the network wants the user to open, if it is one of the network's: anything else could be anybody's. */
function userURLIn(error: unknown): string | undefined {
  const url = linkFrom(property(error, 'redirect_uri'));
  return url !== undefined && /^https:\/\/(?:[\w-]+\.)*vk\.(?:ru|com)(?:[/?]|$)/i.test(url) ? url : undefined;
}
