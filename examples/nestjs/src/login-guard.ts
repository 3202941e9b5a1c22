import { type ExecutionContext, HttpException, mixin } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';

/** The info that a strategy passes on when a login fails. */
interface Failure {
  readonly message: string;
  readonly code: string;
}

/** Creates a guard that logs users in with one strategy. A plain `AuthGuard` turns every failure into a bare 401. */
export function loginGuard(name: string) {
  class LoginGuard extends AuthGuard(name) {
    override async canActivate(context: ExecutionContext): Promise<boolean> {
      await super.canActivate(context);
      await this.logIn(context.switchToHttp().getRequest<Request>());
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
