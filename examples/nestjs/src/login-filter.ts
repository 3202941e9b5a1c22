import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { Response } from 'express';

/** The properties of a login error that the response depends on. */
interface LoginError {
  readonly message: string;
  readonly statusCode?: number;
  readonly code?: string;
  readonly expose?: boolean;
}

/** Responds with the error's own status and code. Without this filter, NestJS responds with the status alone. */
@Catch()
export class LoginFilter implements ExceptionFilter {
  private readonly logger = new Logger('Login');

  catch(error: LoginError, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    if (error instanceof HttpException) {
      response.status(error.getStatus()).json(error.getResponse());
      return;
    }
    // The message is for developers and contains no secrets or tokens.
    this.logger.error(error);
    const { statusCode = 500, code, expose } = error;
    const message = expose ? error.message : 'The login could not be finished. Please try again.';
    response.status(statusCode).json({ message, code });
  }
}
