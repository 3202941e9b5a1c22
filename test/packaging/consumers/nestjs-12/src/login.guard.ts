// login.guard.ts
import {
  type ExecutionContext,
  HttpException,
  mixin,
  type Type,
  UnauthorizedException,
} from '@nestjs/common';
import { AuthGuard, type IAuthGuard } from '@nestjs/passport';
import type { Identity } from './accounts.js';

/** What the session, Passport and these guards add to a request, on Express and on Fastify. */
export interface LoginRequest {
  readonly query: Readonly<Record<string, unknown>>;
  readonly body?: { readonly formToken?: string };
  readonly session: { formToken?: string };
  /** Who is logged in. */
  readonly user?: { readonly account: string };
  /** Who logged in at the network. */
  readonly identity?: Identity;
  /** The state that the login began with. */
  readonly authInfo?: { readonly state?: { readonly linkTo: string } };
  readonly logIn: (user: object, done: (error?: unknown) => void) => void;
}

export function requestOf(context: ExecutionContext): LoginRequest {
  return context.switchToHttp().getRequest<LoginRequest>();
}

/** The failure of a strategy: the user declined, or no pending login matches the callback. */
interface Failure {
  readonly message: string;
  readonly code?: string;
}

/** The guard of the callback route. It leaves `request.user` alone and sets `request.identity` and `request.authInfo`. */
export function callbackGuard(name: string): Type<IAuthGuard> {
  class CallbackGuard extends AuthGuard(name) {
    override canActivate(context: ExecutionContext) {
      const { code, error } = requestOf(context).query;
      // Without an authorization response, the strategy would begin a login here.
      if (code === undefined && error === undefined) throw new HttpException('Nothing to finish.', 400);
      return super.canActivate(context);
    }

    override getAuthenticateOptions(_context: ExecutionContext): object {
      return { property: 'identity' };
    }

    // The inherited method turns every failure into a bare 401.
    override handleRequest<User>(
      error: unknown,
      identity: User | false,
      failure: Failure | undefined,
      _context: ExecutionContext,
      status: number | undefined,
    ): User {
      if (error) throw error; // for LoginFilter
      if (identity) return identity;
      throw new HttpException(failure ?? { message: 'This login is not allowed.' }, status ?? 401);
    }
  }
  return mixin(CallbackGuard);
}

/** The guard of the sign-in route. It redirects to the network, but not users who are logged in: a link on another site must not change who is. */
export function signInGuard(name: string): Type<IAuthGuard> {
  class SignInGuard extends AuthGuard(name) {
    override canActivate(context: ExecutionContext) {
      return requestOf(context).user ? true : super.canActivate(context);
    }
  }
  return mixin(SignInGuard);
}

/** The guard of the route that links another login to the user's account. It redirects to the network. */
export function linkGuard(name: string): Type<IAuthGuard> {
  class LinkGuard extends AuthGuard(name) {
    override canActivate(context: ExecutionContext) {
      const { user, body, session } = requestOf(context);
      if (!user) throw new UnauthorizedException();
      // A page of another site cannot know the token, so it cannot send this form.
      const isFormOurs = session.formToken !== undefined && session.formToken === body?.formToken;
      if (!isFormOurs) throw new HttpException('This form is out of date.', 403);
      return super.canActivate(context);
    }

    // The state stays in the login's encrypted cookie and comes back in `authInfo`, so nobody can turn a login into a link.
    override getAuthenticateOptions(context: ExecutionContext): object {
      return { state: { linkTo: requestOf(context).user?.account } };
    }
  }
  return mixin(LinkGuard);
}
