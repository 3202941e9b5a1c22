// jwt.guard.ts
import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';

/** The request of a user with a token. */
export interface TokenRequest {
  readonly headers: { readonly authorization?: string };
  token?: { readonly sub: string };
}

/** Accepts requests with a token of {@link TokenController}, `Authorization: Bearer ...`. */
@Injectable()
export class JwtGuard implements CanActivate {
  constructor(private readonly jwt: JwtService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<TokenRequest>();
    const [scheme, token = ''] = request.headers.authorization?.split(' ') ?? [];
    if (scheme !== 'Bearer') throw new UnauthorizedException();
    try {
      request.token = await this.jwt.verifyAsync<{ sub: string }>(token);
    } catch {
      throw new UnauthorizedException();
    }
    return true;
  }
}
