import type { Request, Response } from 'express';

import passport = require('passport');

import type { NamedStrategy } from '../../support/login-app.js';

/** How a request ended. */
export interface Ending {
  readonly kind: 'redirect' | 'success' | 'failure' | 'error' | 'passed';
  /** Where a redirect leads. */
  readonly location: string;
  readonly user?: unknown;
  /** Of a success or a failure. */
  readonly info?: unknown;
  readonly status?: number | undefined;
  readonly error?: unknown;
  /** The headers that the answer got. */
  readonly headers: Readonly<Record<string, unknown>>;
}

/** A request of an application; whatever a framework would put on it. */
export interface AppRequest {
  readonly url: string;
  /** Absent where the framework parses no queries. */
  readonly query?: unknown;
  readonly session?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Thrown when a request ends in no outcome or in several. */
export class OutcomeMistake extends Error {}

/** Passport with some strategies, without a server: real `passport.authenticate` over requests made by hand. */
export class Application {
  /** Requests that ended a second time, and how. */
  readonly secondOutcomes: string[] = [];
  private readonly authenticator = new passport.Passport();

  constructor(strategies: readonly NamedStrategy[]) {
    for (const strategy of strategies) this.authenticator.use(strategy);
  }

  /**
   * Runs a strategy on a request.
   *
   * @param patience - Milliseconds after which a request without an outcome hangs.
   * @throws {@link OutcomeMistake} when it hangs.
   */
  run(name: string, request: AppRequest, patience: number, options: object = {}): Promise<Ending> {
    const headers: Record<string, unknown> = {};
    return new Promise((resolve, reject) => {
      const overdue = setTimeout(
        () => reject(new OutcomeMistake(`${name} did not end within ${patience} milliseconds`)),
        patience,
      );
      let first: Ending['kind'] | undefined;
      const end = (ending: Omit<Ending, 'headers' | 'location'>) => {
        if (first !== undefined) {
          this.secondOutcomes.push(`${name}: ${first}, then ${ending.kind}`);
          return;
        }
        first = ending.kind;
        clearTimeout(overdue);
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
        session: {},
        res,
        ...request,
        headers: { host: 'app.example', cookie: 'session=1', ...request.headers },
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

/** Lets everything end that has been started without waiting for the network. */
export function nextTurns(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
