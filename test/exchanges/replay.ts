import { isDeepStrictEqual } from 'node:util';
import type { RecordedNetwork } from './networks.js';
import type { Recording } from './recording.js';

import nock = require('nock');

/**
 * Values that are random in every login: any code verifier of RFC 7636, in the characters that all networks accept, and any
 * state that VK ID accepts.
 */
const RANDOM_VALUES = {
  code_verifier: { value: 'CODE-VERIFIER', pattern: /^[A-Za-z0-9_-]{43,128}$/ },
  state: { value: 'STATE', pattern: /^[A-Za-z0-9_-]{32,}$/ },
} as const;
const RETRIED_STATUSES = [502, 503, 504];

/** Gives the recorded responses to nock, each exactly as often as the strategy should request it. */
export function replay(recordings: readonly Recording[], { retries }: RecordedNetwork): nock.Scope[] {
  return nock.define(
    recordings.flatMap((recording) => {
      const isRetried = recording.method === 'GET' && RETRIED_STATUSES.includes(recording.status);
      return Array.from({ length: isRetried ? 1 + retries : 1 }, () => definitionOf(recording));
    }),
  );
}

function definitionOf(recording: Recording): nock.Definition {
  // The OAuth 1.0a header contains a nonce and is not recorded; the request must still have one.
  const signed = recording.folder === 'microblog/1.0' ? { authorization: /^OAuth / } : {};
  const { scope, method, path, status, rawHeaders, badheaders } = recording;
  return {
    scope,
    method,
    path,
    status,
    response: responseOf(recording) as object,
    rawHeaders,
    body: (sent: unknown) => isRecordedBody(sent, recording.body),
    reqheaders: { ...recording.reqheaders, ...signed } as Record<string, string>,
    ...(badheaders && { badheaders }),
  };
}

/** The recorded response; if it echoes the state of the request, with the state that was sent. */
function responseOf({ response }: Recording): unknown {
  if (!echoesState(response)) return response;
  return (_path: string, body: string) => ({ ...response, state: new URLSearchParams(body).get('state') });
}

function echoesState(response: Recording['response']): response is { state: string } {
  return typeof response === 'object' && 'state' in response && response.state === RANDOM_VALUES.state.value;
}

/** Whether a form has exactly the recorded fields; without a recorded body, the request must have none. */
function isRecordedBody(sent: unknown, recorded: Recording['body']): boolean {
  if (recorded === undefined) return sent === '';
  const form = { ...(sent as Record<string, string>) };
  for (const [name, { value, pattern }] of Object.entries(RANDOM_VALUES)) {
    if (recorded[name] === value && pattern.test(form[name] ?? '')) form[name] = value;
  }
  return isDeepStrictEqual(form, { ...recorded });
}
