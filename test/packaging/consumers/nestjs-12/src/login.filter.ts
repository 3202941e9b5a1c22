// login.filter.ts
import { type ArgumentsHost, Catch, HttpException, Logger } from '@nestjs/common';
import { BaseExceptionFilter } from '@nestjs/core';
import { ProviderError } from 'passport-social-networks';

/** Responds to errors of the networks with their status and code. Their message is for developers: it goes to the log. */
@Catch(ProviderError)
export class LoginFilter extends BaseExceptionFilter<ProviderError> {
  private readonly logger = new Logger('Login');

  override catch(error: ProviderError, host: ArgumentsHost): void {
    this.logger.error(error.message);
    const message = 'The network could not log you in. Please try again.';
    super.catch(new HttpException({ message, code: error.code }, error.status) as never, host);
  }
}
