import type { Request } from 'express';
import { firstOutcome, fromCallback, isThenable, withDeadline } from '../application-code.js';
import type { Profile } from '../profile.js';

/** Ends a login: `done(error)`, `done(null, user, info)` or, to reject the user, `done(null, false, info)`. */
export type VerifyDone = (error?: unknown, user?: Express.User | false | null, info?: object) => void;

/**
 * What a verify function may return. A promise of a user, or of `false`, ends the login like `done`. A function without a `done` parameter may also
 * return the user itself, as a plain object. Anything else is ignored, as is a Mongoose query beside `done`: `(..., done) => User.findOne(id, done)`.
 */
export type VerifyResult = unknown;

/**
 * Whether to skip the profile request: a boolean, a function (`() => boolean`, or a promise of it), or, as in passport-oauth2, a function
 * that gets the token and calls back (`(accessToken, done) => void`; in OAuth 1.0a with token and secret).
 */
export type SkipUserProfile =
  | boolean
  | (() => boolean | PromiseLike<boolean>)
  | ((token: string, done: (error?: unknown, skip?: boolean) => void) => void)
  | ((token: string, tokenSecret: string, done: (error?: unknown, skip?: boolean) => void) => void);

/** The options that decide which arguments verify gets. */
export interface VerifyOptions<
  Req extends boolean = boolean,
  Params extends boolean = boolean,
  Skip extends SkipUserProfile = SkipUserProfile,
> {
  /** `true`: verify gets the request first. @default false */
  passReqToCallback?: Req | undefined;
  /** `true`: verify gets the network's token response before the profile. @default false */
  passParamsToCallback?: Params | undefined;
  /** `true`: verify gets `undefined` for the profile. A token response that lacks the ID, where its network sends it, is refused. @default false */
  skipUserProfile?: Skip | undefined;
}

/** The values that a strategy passes to verify; without type arguments, those of any network. */
export interface VerifyValues<
  P = unknown,
  Params extends object = object,
  RefreshToken extends string | undefined = string | undefined,
> {
  /** The user. */
  readonly profile: Profile<P>;
  /** Works once, where each refresh brings a new one. Confidential. In OAuth 1.0a the token secret. */
  readonly refreshToken: RefreshToken;
  /** The token response. */
  readonly params: Params;
}

/** The verify function for given {@link VerifyOptions}; without type arguments, one that fits every network. */
export type Verify<
  Values extends VerifyValues = VerifyValues,
  Req extends boolean = false,
  Params extends boolean = false,
  Skip extends SkipUserProfile = false,
> = (
  ...args: [
    ...(Req extends true ? [req: Request] : []),
    token: string,
    refreshToken: Values['refreshToken'],
    ...(Params extends true ? [params: Values['params']] : []),
    profile: Skip extends true
      ? undefined
      : Skip extends false
        ? Values['profile']
        : Values['profile'] | undefined,
    done: VerifyDone,
  ]
) => VerifyResult;

export type AnyVerify = (...args: never[]) => VerifyResult;

export function requireVerify(strategy: string, verify: unknown): void {
  if (typeof verify === 'function') return;
  throw new TypeError(
    `${strategy}: the second argument must be a verify function: new ${strategy}(options, verify).`,
  );
}

type Given = Omit<VerifyValues, 'profile'> & {
  readonly req: Request;
  readonly token: string;
  readonly profile: unknown;
};

/** The decision of verify, whose user is falsy if it rejected them. */
export interface Verdict {
  readonly user: Express.User | false | null | undefined;
  readonly info?: unknown;
}

/** Calls verify. It gets `params` if the option says so, or, as in passport-oauth2, if it declares five parameters (six with the request). */
export function callVerify(
  verify: AnyVerify,
  { passReqToCallback = false, passParamsToCallback = false }: VerifyOptions,
  { req, token, refreshToken, params, profile }: Given,
): Promise<Verdict> {
  const withParams = passParamsToCallback || verify.length === (passReqToCallback ? 6 : 5);
  const guarded: object | undefined = withParams
    ? Object.setPrototypeOf({ ...params }, passReqToCallback ? PARAMS_AFTER_REQUEST : PARAMS)
    : undefined;
  const given = [token, refreshToken, ...(guarded ? [guarded] : []), profile];
  const args: unknown[] = [...(passReqToCallback ? [req] : []), ...given];
  const declaresDone = verify.length > args.length;
  // Zero parameters mean a wrapper such as NestJS's, which passes everything on.
  const hasDone = verify.length === 0 || declaresDone;
  return firstOutcome<Verdict>(
    'verify',
    'verify neither called done nor returned a promise of a user',
    verify,
    (resolve, reject) => {
      let isDone = false;
      const done: VerifyDone = (error, user, info) => {
        // NestJS's wrapper passes on what `validate` returned, also if that has called `done` itself.
        if (isDone && !error && !user) return;
        isDone = true;
        if (error) reject(error);
        // The guard is for verify alone, and whoever reads info is not verify.
        else resolve({ user, info: guarded && info === guarded ? { ...guarded } : info });
      };
      Object.setPrototypeOf(done, DONE);
      const decide = (user: unknown) => {
        if (isDone) return;
        if (typeof user === 'function') reject(new TypeError(FUNCTION_RETURNED));
        else if (user !== undefined) resolve({ user: user as Verdict['user'] });
        else if (!hasDone) reject(noUser(verify.length));
      };
      const returned = (verify as (...args: unknown[]) => unknown)(...args, done);
      const fail = (error: unknown) => reject(error ?? new TypeError('verify rejected without an error.'));
      // A rejection after `done` is a second outcome, and is reported as one.
      // A query of Mongoose, which is no Promise, runs once more if it got a callback and is awaited.
      const isQuery = declaresDone && !(returned instanceof Promise) && 'exec' in Object(returned);
      if (isThenable(returned) && !isQuery) returned.then(decide, fail);
      else if (!hasDone) decide(isVerdict(returned) ? returned : undefined);
    },
  );
}

/** Only a plain object is a user. A function with default or rest parameters can return a query, say, and call `done` later. */
function isVerdict(returned: unknown): boolean {
  if (typeof returned !== 'object') return returned === false;
  const prototype = returned && (Object.getPrototypeOf(returned) as object | null);
  return prototype === null || Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value === Object;
}

/** Properties by which a verify function finds the account of a profile. Not `name`, which functions have, and which tools read. */
const ACCOUNT_KEYS = /^(provider|id|username|displayName|emails|photos|profileUrl|_json|_raw)$/;

/** A prototype for what is no profile. A function that takes it for one would give all users the account of an `undefined` ID. */
function notAProfile(prototype: object, mistake: string): object {
  return new Proxy(Object.create(prototype) as object, {
    get(inherited, key, receiver) {
      if (typeof key !== 'string' || !ACCOUNT_KEYS.test(key))
        return Reflect.get(inherited, key, receiver) as unknown;
      throw new TypeError(`verify read ${key} of ${mistake}`);
    },
  });
}

/** NestJS's wrapper hides how many parameters it has: without `passParamsToCallback`, `(..., params, profile)` gets `done` for the profile. */
const DONE = notAProfile(
  Function.prototype,
  'done, as if it were the profile. If its parameters are params and profile, set the option passParamsToCallback: true.',
);

/** `(..., profile, params)` gets `params` for the profile. */
const [PARAMS, PARAMS_AFTER_REQUEST] = [paramsWith(''), paramsWith('req, ')];

function paramsWith(first: string): object {
  const order = `(${first}accessToken, refreshToken, params, profile, done)`;
  return notAProfile(Object.prototype, `params, as if they were the profile. The order is ${order}.`);
}

const FUNCTION_RETURNED =
  'verify returned a promise of a function, which is not a user. Await what finds the user and return that; a function that takes done must be called.';

function noUser(parameters: number): TypeError {
  return new TypeError(
    `verify returned no user: it must be a plain object, false, or a promise of one. Is a return or async missing? It declares ${parameters} parameters, too few to receive done; parameters with a default value do not count.`,
  );
}

/** Evaluates the option `skipUserProfile`, in any of its forms. @param credentials - The access token, or token and secret. */
export async function isSkipped(skip: SkipUserProfile, credentials: readonly string[]): Promise<boolean> {
  if (typeof skip === 'boolean') return skip;
  const ask = skip as (...args: unknown[]) => unknown;
  if (ask.length <= 1) return Boolean(await withDeadline('skipUserProfile', ask()));
  return Boolean(await fromCallback('skipUserProfile', (done) => ask(...credentials, done), ask));
}
