import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { Response } from 'express';

/** What errors of a login carry, as far as their answer needs it. */
interface LoginError {
  readonly message: string;
  readonly statusCode?: number;
  readonly code?: string;
  readonly expose?: boolean;
}

/** Answers with the status and code of an error, where NestJS answers with a bare 500. */
@Catch()
export class LoginFilter implements ExceptionFilter {
  private readonly logger = new Logger('Login');

  catch(error: LoginError, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    if (error instanceof HttpException) {
      response.status(error.getStatus()).json(error.getResponse());
      return;
    }
    // The message is for the developer; it holds no secret and no token.
    this.logger.error(error);
    const { statusCode = 500, code, expose } = error;
    const message = expose ? error.message : 'The login could not be finished. Please try again.';
    response.status(statusCode).json({ message, code });
  }
}
