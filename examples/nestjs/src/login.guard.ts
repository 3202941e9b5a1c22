import { type ExecutionContext, ForbiddenException, HttpException, mixin, type Type } from '@nestjs/common';
import { AuthGuard, type IAuthGuard } from '@nestjs/passport';
import { isLoginResponse } from 'passport-social-networks';
import { type Account, type Identity, keyOf } from './accounts.js';

/** What Passport and these guards add to a request, on Express and on Fastify. */
export interface LoginRequest {
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Who is logged in. */
  readonly user?: Account;
  /** Who logged in at the network. */
  readonly identity?: Identity;
  /** The state that the login began with. */
  readonly authInfo?: { readonly state?: { readonly linkTo: string } };
  readonly logIn: (user: Account, done: (error?: unknown) => void) => void;
}

function requestOf(context: ExecutionContext): LoginRequest {
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
      // Without an authorization response, the strategy would begin a login here.
      if (!isLoginResponse(requestOf(context))) throw new HttpException('Nothing to finish.', 400);
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

/** The guard of the route that links another login to the user's account. It redirects users who are logged in to the network. */
export function linkGuard(name: string): Type<IAuthGuard> {
  class LinkGuard extends AuthGuard(name) {
    override canActivate(context: ExecutionContext) {
      const { user, headers } = requestOf(context);
      if (!user) return true;
      // Pages of other sites can send this form, too. Browsers tell.
      if (headers['sec-fetch-site'] !== 'same-origin') throw new ForbiddenException();
      return super.canActivate(context);
    }

    // The state stays in the login's encrypted cookie and comes back in `authInfo`, so nobody can turn a login into a link.
    override getAuthenticateOptions(context: ExecutionContext): object {
      const { user } = requestOf(context);
      return { state: user && { linkTo: keyOf(user) } };
    }
  }
  return mixin(LinkGuard);
}
