import { type ExecutionContext, HttpException, mixin } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { isLoginResponse } from 'passport-social-networks';

/** The info that a strategy passes on when a login fails. */
interface Failure {
  readonly message: string;
  readonly code: string;
}

/** Creates a guard that logs users in with one strategy. A plain `AuthGuard` turns every failure into a bare 401. */
export function loginGuard(name: string) {
  class LoginGuard extends AuthGuard(name) {
    override async canActivate(context: ExecutionContext): Promise<boolean> {
      const request = context.switchToHttp().getRequest<Request>();
      const isSignedIn = request.user !== undefined;
      // Neither a link on another site nor a login that began before may change who is signed in.
      if (isSignedIn && !isLoginResponse(request)) return true;
      await super.canActivate(context);
      if (!isSignedIn) await this.logIn(request);
      return true;
    }

    override handleRequest<User>(
      error: unknown,
      user: User | false,
      failure: Failure | undefined,
      _context: ExecutionContext,
      status: number | undefined,
    ): User {
      // Network errors carry their own status, which LoginFilter uses.
      if (error) throw error;
      if (user) return user;
      // The user declined, or no pending login matches the authorization response.
      throw new HttpException(failure ?? { message: 'Unauthorized' }, status ?? 401);
    }
  }
  return mixin(LoginGuard);
}
