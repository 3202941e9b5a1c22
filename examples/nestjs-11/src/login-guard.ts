import { type ExecutionContext, HttpException, mixin } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';

/** What a strategy says of a login that failed. */
interface Failure {
  readonly message: string;
  readonly code: string;
}

/** Logs a person in through one strategy. Without it, NestJS answers every failure with a bare 401. */
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
      // Errors of the network have a status of their own: the filter reads it.
      if (error) throw error;
      if (user) return user;
      // The person's "no", or a callback without a login.
      throw new HttpException(failure ?? { message: 'Unauthorized' }, status ?? 401);
    }
  }
  return mixin(LoginGuard);
}
