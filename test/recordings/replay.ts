import { isDeepStrictEqual } from 'node:util';
import type { RecordedNetwork } from './networks.js';
import type { Recording } from './recording.js';

import nock = require('nock');

/** A code verifier is made anew for every login: any that RFC 7636 allows, in the alphabet that all networks take. */
const CODE_VERIFIER = /^[A-Za-z0-9_-]{43,128}$/;
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
  const { scope, method, path, status, response, rawHeaders, badheaders } = recording;
  return {
    scope,
    method,
    path,
    status,
    response: response as object,
    rawHeaders,
    body: (sent: unknown) => isRecordedBody(sent, recording.body),
    reqheaders: { ...recording.reqheaders, ...signed } as Record<string, string>,
    ...(badheaders && { badheaders }),
  };
}

/** Compares the members of a form, none missing and none too many; without a recorded body there must be none. */
function isRecordedBody(sent: unknown, recorded: Recording['body']): boolean {
  if (recorded === undefined) return sent === '';
  const form = { ...(sent as Record<string, string>) };
  if (recorded.code_verifier === 'CODE-VERIFIER' && CODE_VERIFIER.test(form.code_verifier ?? '')) {
    form.code_verifier = 'CODE-VERIFIER';
  }
  return isDeepStrictEqual(form, { ...recorded });
}
