import { warnOfThrown } from './app-callback.js';
import { LoginFailure } from './errors.js';

/** How a request ends when nothing went wrong: on the way to the network, with a person, or with verify's refusal. */
export type Outcome =
  | { readonly kind: 'redirect'; readonly url: string }
  | {
      readonly kind: 'success';
      readonly user: Express.User;
      readonly info: object;
      readonly before: () => void;
    }
  | { readonly kind: 'refused'; readonly info: unknown };

/** The actions that Passport attaches to a strategy for each request. */
interface Actions {
  redirect: (this: object, url: string) => void;
  success: (this: object, user: Express.User, info: object) => void;
  fail: (this: object, challenge?: unknown, status?: number) => void;
  error: (this: object, error: unknown) => void;
}

const ACTIONS = new Set<string | symbol>(['redirect', 'success', 'fail', 'error', 'pass']);

/**
 * A copy of a strategy for what belongs to one request. Where Passport hands over such a copy itself, with nothing but its
 * actions, the new one stands beside it, not behind it: an object that other objects inherit from gets a shape of its own from
 * the engine, and a login of two requests would cost some sixty microseconds more.
 */
export function copyForRequest<T extends object>(strategy: T): T {
  const isPlainCopy = Reflect.ownKeys(strategy).every((name) => ACTIONS.has(name));
  return Object.create(isPlainCopy ? (Object.getPrototypeOf(strategy) as object) : strategy) as T;
}

/**
 * Does the work of one request and calls exactly one of Passport's actions.
 *
 * The actions are read before the work begins: an application may hand the strategy itself to `passport.authenticate`,
 * and then the next request overwrites them.
 *
 * @see https://github.com/jaredhanson/passport/issues/789
 */
export function conclude(strategy: object, work: () => Promise<Outcome>): void {
  const { redirect, success, fail, error } = strategy as Actions;
  run(strategy, { redirect, success, fail, error }, work).catch(warnOfHandler);
}

async function run(strategy: object, actions: Actions, work: () => Promise<Outcome>): Promise<void> {
  try {
    let outcome: Outcome;
    try {
      outcome = await work();
    } catch (thrown) {
      // What is thrown at once: even then the caller goes on before an action is called.
      await Promise.resolve();
      failWith(strategy, actions, thrown);
      return;
    }
    act(strategy, actions, outcome);
  } catch (thrown) {
    // The application's own code behind the action failed. Outside a request it would end the process.
    report(strategy, actions, thrown);
  }
}

function act(strategy: object, { redirect, success, fail }: Actions, outcome: Outcome): void {
  if (outcome.kind === 'redirect') redirect.call(strategy, outcome.url);
  else if (outcome.kind === 'refused') fail.call(strategy, outcome.info);
  else {
    outcome.before();
    success.call(strategy, outcome.user, outcome.info);
  }
}

function failWith(strategy: object, actions: Actions, thrown: unknown): void {
  if (!(thrown instanceof LoginFailure)) report(strategy, actions, thrown);
  else actions.fail.call(strategy, { message: thrown.message, code: thrown.code }, thrown.status);
}

/** Passport takes an error that is falsy for none, and lets the request pass. */
function report(strategy: object, { error }: Actions, thrown: unknown): void {
  error.call(strategy, thrown || new TypeError('The application failed without an error.'));
}

function warnOfHandler(thrown: unknown): void {
  warnOfThrown('An error handler', thrown);
}
