// token.controller.ts
import { Controller, Get, HttpException, Req, type Type, UseGuards } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { Accounts } from './accounts.js';
import { JwtGuard, type TokenRequest } from './jwt.guard.js';
import { callbackGuard, type LoginRequest, signInGuard } from './login.guard.js';

/** The routes of one network. A login ends with a token. */
export function tokenController(name: string): Type {
  @Controller('api/auth')
  class TokenController {
    constructor(
      private readonly accounts: Accounts,
      private readonly jwt: JwtService,
    ) {}

    @Get(`signin/${name}`)
    @UseGuards(signInGuard(name))
    signIn(): void {} // The guard has redirected to the network.

    @Get(`callback/${name}`)
    @UseGuards(callbackGuard(name))
    async finish(@Req() { identity }: LoginRequest): Promise<{ token: string }> {
      if (!identity) throw new HttpException('Nobody logged in.', 401);
      const { id } = this.accounts.findOrCreate(identity);
      return { token: await this.jwt.signAsync({ sub: id }) };
    }
  }
  return TokenController;
}

@Controller('api/me')
@UseGuards(JwtGuard)
export class MeController {
  constructor(private readonly accounts: Accounts) {}

  @Get()
  me(@Req() { token }: TokenRequest): { name: string } {
    const account = this.accounts.find(token?.sub ?? '');
    if (!account) throw new HttpException('This account is gone.', 401);
    return { name: account.name };
  }
}
