import { type Parameters, playLogin } from './attempt.js';
import type { closesAfterEach } from './cleanup.js';
import type { NamedStrategy } from './login-app.js';
import { network, type Reply, type SeenRequest, type TestNetwork } from './server.js';
import { type AnyFunction, verifyProfile } from './verification.js';

/** The responses of a network, by path: a reply, or what chooses it. */
export type Replies = Readonly<Record<string, Reply | ((request: SeenRequest) => Reply | Promise<Reply>)>>;

interface Protocol<S extends NamedStrategy> {
  /** Takes any options, also invalid ones. */
  readonly make: (options: never, verify: AnyFunction) => S;
  /** Credentials, and what else its strategies are given. */
  readonly options: object;
  /** URL option -> path, with its query. */
  readonly urls: Readonly<Record<string, string>>;
  readonly replies: Replies;
  /** The parameters of the authorization response, besides its state. */
  readonly callback: Parameters;
}

interface Changes {
  readonly replies?: Replies;
  /** Options for `passport.authenticate`. */
  readonly start?: object;
  /** Further parameters, or what makes all of them from the state. */
  readonly callback?: Parameters | ((state: string) => Parameters);
}

export function playing<S extends NamedStrategy>({ make, urls, ...usual }: Protocol<S>) {
  const optionsAt = (url: string): Record<string, unknown> => ({
    ...usual.options,
    ...Object.fromEntries(Object.entries(urls).map(([option, path]) => [option, `${url}${path}`])),
  });
  const strategy = (options: unknown, verify: AnyFunction = verifyProfile) => make(options as never, verify);
  const serve = (replies: Replies = {}): Promise<TestNetwork> =>
    network((request) => {
      const reply = replies[request.path] ?? usual.replies[request.path] ?? { status: 404 };
      return typeof reply === 'function' ? reply(request) : reply;
    });
  return {
    /** Options with the URLs of a simulated network. */
    optionsAt,
    strategy,
    serve,
    /** Logs a user in, with these options or what makes them from the network's URL. */
    loggingIn:
      (close: ReturnType<typeof closesAfterEach>) =>
      async (
        options: object | ((url: string) => object) = {},
        { replies, start, callback }: Changes = {},
      ) => {
        const server = close(await serve(replies));
        const own: object = typeof options === 'function' ? options(server.url) : options;
        const given = Object.entries({ ...optionsAt(server.url), ...own });
        const made = strategy(Object.fromEntries(given.filter(([, value]) => value !== undefined)));
        const response = typeof callback === 'function' ? callback : { ...usual.callback, ...callback };
        const login = await playLogin(made, response, start);
        const at = (path: string) => server.requests.filter((request) => request.path === path);
        return { ...login, strategy: made, server, at };
      },
  };
}
