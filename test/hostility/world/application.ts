import type { Request, Response } from 'express';

import passport = require('passport');

import type { NamedStrategy } from '../../support/login-app.js';

/** How a request ended. */
export interface Ending {
  readonly kind: 'redirect' | 'success' | 'failure' | 'error' | 'passed';
  /** Target of a redirect. */
  readonly location: string;
  readonly user?: unknown;
  /** Info of a success or failure. */
  readonly info?: unknown;
  readonly status?: number | undefined;
  readonly error?: unknown;
  /** The response headers. */
  readonly headers: Readonly<Record<string, unknown>>;
}

/** A request to the application, with the properties that a framework sets. */
export interface AppRequest {
  readonly url: string;
  /** Default: GET. */
  readonly method?: string;
  readonly body?: unknown;
  /** Absent if the framework does not parse queries. */
  readonly query?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Thrown if a request has no outcome in time. */
export class MissingOutcome extends Error {}

/** Passport with strategies but without a server. Calls the real `passport.authenticate` with handmade requests. */
export class Application {
  /** Descriptions of second outcomes. */
  readonly secondOutcomes: string[] = [];
  private readonly authenticator = new passport.Passport();

  constructor(strategies: readonly NamedStrategy[]) {
    for (const strategy of strategies) this.authenticator.use(strategy);
  }

  /**
   * Runs a strategy on a request.
   *
   * @param timeLimit - Milliseconds to wait for an outcome.
   * @throws {@link MissingOutcome} if the request hangs.
   */
  run(name: string, request: AppRequest, timeLimit: number, options: object = {}): Promise<Ending> {
    const headers: Record<string, unknown> = {};
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new MissingOutcome(`${name} did not end within ${timeLimit} milliseconds`)),
        timeLimit,
      );
      let first: Ending['kind'] | undefined;
      const end = (ending: Omit<Ending, 'headers' | 'location'>) => {
        if (first !== undefined) {
          this.secondOutcomes.push(`${name}: ${first}, then ${ending.kind}`);
          return;
        }
        first = ending.kind;
        clearTimeout(timer);
        resolve({ ...ending, headers, location: (headers.Location as string | undefined) ?? '' });
      };
      const res = {
        statusCode: 200,
        headersSent: false,
        setHeader: (header: string, value: unknown) => {
          headers[header] = value;
        },
        getHeader: (header: string) => headers[header],
        appendHeader: (header: string, value: unknown) => {
          headers[header] = [headers[header] ?? [], value].flat();
        },
        end: () => end({ kind: 'redirect' }),
      };
      const req = {
        originalUrl: request.url,
        protocol: 'https',
        method: 'GET',
        res,
        ...request,
        headers: { host: 'app.example', ...request.headers },
      };
      const handler = this.authenticator.authenticate(name, options, ((error, user, info, status) => {
        if (error) end({ kind: 'error', error });
        else if (user) end({ kind: 'success', user, info });
        else end({ kind: 'failure', info, status: status as number | undefined });
      }) as passport.AuthenticateCallback);
      void handler(req as unknown as Request, res as unknown as Response, (error: unknown) =>
        end(error ? { kind: 'error', error } : { kind: 'passed' }),
      );
    });
  }
}

/** Lets pending callbacks run, except those that wait for the network. */
export function nextTurns(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
