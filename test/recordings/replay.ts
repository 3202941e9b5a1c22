import { isDeepStrictEqual } from 'node:util';
import type { RecordedNetwork } from './networks.js';
import type { Recording } from './recording.js';

import nock = require('nock');

/**
 * Made anew for every login: any code verifier that RFC 7636 allows, in the alphabet that all networks take, and any state
 * that VK ID takes.
 */
const MADE_ANEW = {
  code_verifier: { value: 'CODE-VERIFIER', pattern: /^[A-Za-z0-9_-]{43,128}$/ },
  state: { value: 'STATE', pattern: /^[A-Za-z0-9_-]{32,}$/ },
} as const;
const REPEATED = [502, 503, 504];

/** Lets recorded answers wait for their requests, each for exactly as many as the strategy is to make. */
export function replay(recordings: readonly Recording[], { retries }: RecordedNetwork): nock.Scope[] {
  return nock.define(
    recordings.flatMap((recording) => {
      const isRepeated = recording.method === 'GET' && REPEATED.includes(recording.status);
      return Array.from({ length: isRepeated ? 1 + retries : 1 }, () => definitionOf(recording));
    }),
  );
}

function definitionOf(recording: Recording): nock.Definition {
  // The header of OAuth 1.0a has a nonce and is not recorded; that it is there is known all the same.
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

/** The recorded answer; where it repeats the request's state, with the one that was sent. */
function responseOf({ response }: Recording): unknown {
  if (!repeatsState(response)) return response;
  return (_path: string, body: string) => ({ ...response, state: new URLSearchParams(body).get('state') });
}

function repeatsState(response: Recording['response']): response is { state: string } {
  return typeof response === 'object' && 'state' in response && response.state === MADE_ANEW.state.value;
}

/** Compares the members of a form, none missing and none too many; without a recorded body there must be none. */
function isRecordedBody(sent: unknown, recorded: Recording['body']): boolean {
  if (recorded === undefined) return sent === '';
  const form = { ...(sent as Record<string, string>) };
  for (const [name, { value, pattern }] of Object.entries(MADE_ANEW)) {
    if (recorded[name] === value && pattern.test(form[name] ?? '')) form[name] = value;
  }
  return isDeepStrictEqual(form, { ...recorded });
}
