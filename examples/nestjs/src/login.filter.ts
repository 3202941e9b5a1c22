import { type ArgumentsHost, Catch, HttpException, Logger } from '@nestjs/common';
import { BaseExceptionFilter } from '@nestjs/core';
import type { ProviderError } from 'passport-social-networks';

/** Any error. Those of the networks say what the response depends on. */
type LoginError = Error & Partial<Pick<ProviderError, 'statusCode' | 'code' | 'expose'>>;

/** Responds with the error's own status and code. Without this filter, NestJS responds with the status alone. */
@Catch()
export class LoginFilter extends BaseExceptionFilter<LoginError> {
  private readonly logger = new Logger('Login');

  override catch(error: LoginError, host: ArgumentsHost): void {
    super.catch(error instanceof HttpException ? error : this.exceptionOf(error), host);
  }

  private exceptionOf(error: LoginError): HttpException {
    this.logger.error(error); // Its message is for developers. It contains no secrets or tokens.
    const { statusCode = 500, code, expose } = error;
    const message = expose ? error.message : 'The login could not be finished. Please try again.';
    return new HttpException({ message, code }, statusCode);
  }
}
