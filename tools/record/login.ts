import { randomBytes } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliDecompressSync, unzipSync } from 'node:zlib';
import { type AuthenticateCallback, Passport } from 'passport';
import { stringParameters } from '../../lib/core/application-code.js';
import { formDecode, isObject, parseJSON, property, stringProperty } from '../../lib/core/http/index.js';
import { cookieLogins, requestChannel } from '../../lib/index.js';
import type { ExchangeNetwork } from '../../test/exchanges/networks.js';

import express = require('express');
import nock = require('nock');

/** A request of the strategy and its response, as nock recorded them. Confidential. */
export interface RawExchange {
  readonly scope: string;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** The fields of the form; absent without a body. */
  readonly body?: Readonly<Record<string, string>>;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or the text. */
  readonly response: unknown;
}

export type Outcome =
  | { readonly kind: 'success'; readonly profile: object }
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'failure'; readonly message: string; readonly status: number };

/** One login, and the calls after it. Confidential. */
export interface Recording {
  /** The parameters that the network added to the callback URL. */
  readonly response: Readonly<Record<string, string>>;
  /** In the order of the responses. */
  readonly exchanges: readonly RawExchange[];
  readonly outcome: Outcome;
  /** What was called after the login, and how it ended. */
  readonly calls: readonly { readonly step: string; readonly error?: unknown }[];
  /** The token that was revoked. */
  readonly revoked?: string;
}

export interface LoginSettings {
  readonly network: ExchangeNetwork;
  /** The options of the strategy, without `callbackURL` if it is the usual one. */
  readonly options: Readonly<Record<string, unknown>>;
  /** `0` for any free port. */
  readonly port: number;
  readonly revokes: boolean;
  /** Called with the URL that a browser opens, and the complete options. */
  readonly onReady: (url: string, options: Readonly<Record<string, unknown>>) => unknown;
}

interface Ending extends Pick<Recording, 'response' | 'outcome'> {
  readonly tokens?: {
    readonly access: string;
    readonly refresh: string | undefined;
    readonly device: string | undefined;
  };
}

/**
 * Runs an application with one strategy until a browser has finished a login, then refreshes the token if it can be, and revokes it if that
 * is wanted.
 */
export async function recordLogin(settings: LoginSettings): Promise<Recording> {
  const { network, options, port, revokes, onReady } = settings;
  const reports: unknown[] = [];
  const listen = (report: unknown) => reports.push(report);
  subscribe(requestChannel, listen);
  nock.recorder.rec({ dont_print: true, output_objects: true, enable_reqheaders_recording: true });
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const complete = { callbackURL: `${origin}/api/auth/callback/${network.name}`, ...options };
    const { handler, ended, strategy } = application(network, complete);
    server.on('request', handler);
    await onReady(`${new URL(complete.callbackURL).origin}/`, complete);
    const { tokens, ...ending } = await ended;
    const calls = tokens ? await callAfterLogin(strategy, network, tokens, revokes) : { calls: [] };
    await recorded(reports);
    return { ...ending, ...calls, exchanges: nock.recorder.play().map(readDefinition) };
  } finally {
    server.close();
    server.closeAllConnections();
    unsubscribe(requestChannel, listen);
    nock.restore();
    nock.recorder.clear();
  }
}

/** What ends no recording: any page can make a browser send such requests. */
const FOREIGN = new Set(
  'unknown_login malformed_response method_not_allowed not_a_navigation no_room'.split(' '),
);

/** The application: `/` leads to the network, and the callback route ends the login. */
function application(network: ExchangeNetwork, options: { readonly callbackURL: string }) {
  let end: (ending: Ending) => void = () => undefined;
  const ended = new Promise<Ending>((resolve) => {
    end = resolve;
  });
  let isEnded = false;
  let tokens: Pick<Ending, 'tokens'> = {};
  // A client without a secret needs one for its cookies.
  const store = cookieLogins({ secrets: randomBytes(32).toString('hex') });
  const strategy = network.strategy({ ...options, store }, (access, refresh, params, profile, done) => {
    tokens = { tokens: { access, refresh, device: stringProperty(params, 'device_id') } };
    done(null, profile);
  });

  const passport = new Passport();
  passport.use(strategy);
  const app = express();
  app.get('/', passport.authenticate(network.name));
  app.get(new URL(options.callbackURL).pathname, (req, res, next) => {
    if (isEnded) {
      res.type('text').send('A login was recorded already.\n');
      return;
    }
    const finish: AuthenticateCallback = (error, user, info, status) => {
      if (FOREIGN.has(stringProperty(info, 'code') ?? '')) {
        res.status(403).type('text').send('This is not the response to the login that is being recorded.\n');
        return;
      }
      isEnded = true;
      const response = stringParameters(req.query);
      let outcome: Outcome = { kind: 'success', profile: user || {} };
      if (error) outcome = { kind: 'error', error };
      else if (!user) {
        const message = stringProperty(info, 'message') ?? '';
        outcome = { kind: 'failure', message, status: Number(status ?? 401) };
      }
      const ending = { response, outcome, ...(outcome.kind === 'success' && tokens) };
      res.once('close', () => end(ending));
      const word = outcome.kind === 'success' ? 'was recorded' : 'failed';
      res.type('text').send(`The login ${word}. Go back to the terminal.\n`);
    };
    void passport.authenticate(network.name, finish)(req, res, next);
  });
  app.use(((error: unknown, _req, res, _next) => {
    res.once('close', () => end({ response: {}, outcome: { kind: 'error', error } }));
    res.status(502).type('text').send('The login could not start. Go back to the terminal.\n');
  }) satisfies express.ErrorRequestHandler);
  return { handler: app, ended, strategy };
}

async function callAfterLogin(
  strategy: ReturnType<ExchangeNetwork['strategy']>,
  { calls: methods, key }: ExchangeNetwork,
  { access, refresh, device }: NonNullable<Ending['tokens']>,
  revokes: boolean,
): Promise<Pick<Recording, 'calls' | 'revoked'>> {
  const calls: { step: string; error?: unknown }[] = [];
  let newest = access;
  if (methods.refresh && refresh !== undefined) {
    const call = await ending('refresh', strategy.refresh(refresh, device));
    newest = stringProperty(call.value, 'accessToken') ?? access;
    calls.push(call);
  }
  if (!methods.revoke || !revokes) return { calls };
  // OAuth 1.0a signs the revocation with the token secret, which stands in the place of a refresh token.
  calls.push(await ending('revoke', strategy.revoke(newest, key === 'oauth_token' ? refresh : undefined)));
  return { calls, revoked: newest };
}

async function ending(step: string, called: Promise<unknown>) {
  return called.then(
    (value) => ({ step, value }),
    (error: unknown) => ({ step, error, value: undefined }),
  );
}

const LONGEST_WAIT = 2_000;

/** nock reads each response a second time, and may finish later than the strategy. */
async function recorded(reports: readonly unknown[]): Promise<void> {
  const expected = reports.filter((report) => property(report, 'status') !== undefined).length;
  const deadline = Date.now() + LONGEST_WAIT;
  // Strategies accept no compression, and browsers do.
  const requests = () =>
    nock.recorder.play().filter((found) => headersOf(found, 'reqheaders')['accept-encoding'] === 'identity');
  while (requests().length < expected && Date.now() < deadline) await pause(10);
}

function readDefinition(definition: unknown): RawExchange {
  const headers = headersOf(definition, 'rawHeaders');
  const body = formDecode(stringProperty(definition, 'body') ?? '');
  return {
    scope: stringProperty(definition, 'scope') ?? '',
    method: stringProperty(definition, 'method') ?? '',
    path: stringProperty(definition, 'path') ?? '',
    ...(body && { body }),
    requestHeaders: headersOf(definition, 'reqheaders'),
    status: Number(property(definition, 'status')),
    headers,
    response: readResponse(property(definition, 'response'), headers, definition),
  };
}

function headersOf(definition: unknown, name: string): Record<string, string> {
  const headers = property(definition, name);
  if (!isObject(headers)) return {};
  return Object.fromEntries(
    Object.entries(headers).map(([header, value]) => [header.toLowerCase(), String(value)]),
  );
}

/** nock keeps a compressed response as a list of hexadecimal chunks. What cannot be read is not kept: nobody could check it for secrets. */
function readResponse(
  response: unknown,
  { 'content-encoding': encoding = '' }: Readonly<Record<string, string>>,
  definition: unknown,
): unknown {
  if (property(definition, 'responseIsBinary') === true) return 'TEXT';
  if (encoding === '' || !Array.isArray(response)) return response;
  if (!/^(x-)?gzip$|^deflate$|^br$/i.test(encoding)) return 'TEXT';
  const bytes = Buffer.from(response.join(''), 'hex');
  // unzip reads gzip and deflate.
  const text = (/^br$/i.test(encoding) ? brotliDecompressSync(bytes) : unzipSync(bytes)).toString();
  return parseJSON(text) ?? text;
}
