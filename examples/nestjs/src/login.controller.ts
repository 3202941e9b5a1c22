import { promisify } from 'node:util';
import {
  ConflictException,
  Controller,
  Get,
  HttpException,
  Post,
  Redirect,
  Req,
  type Type,
  UseGuards,
} from '@nestjs/common';
import { Accounts, type Identity, keyOf } from './accounts.js';
import { callbackGuard, type LoginRequest, linkGuard, signInGuard } from './login.guard.js';

/** The routes of one network. */
export function loginController(name: string): Type {
  @Controller()
  class LoginController {
    constructor(private readonly accounts: Accounts) {}

    @Get(`api/auth/signin/${name}`)
    @UseGuards(signInGuard(name))
    @Redirect('/')
    signIn(): void {} // The guard has redirected everybody who is not logged in to the network.

    @Post(`link/${name}`)
    @UseGuards(linkGuard(name))
    @Redirect('/')
    startLink(): void {} // The guard has redirected everybody who is logged in to the network.

    @Get(`api/auth/callback/${name}`)
    @UseGuards(callbackGuard(name))
    @Redirect('/')
    async finish(@Req() request: LoginRequest): Promise<void> {
      const { identity, authInfo, user } = request;
      if (!identity) throw new HttpException('Nobody logged in.', 401);
      // Only the state tells a link from a login.
      if (authInfo?.state) return this.link(request, authInfo.state.linkTo, identity);
      if (user) return; // A login that began before must not change who is logged in.
      await promisify(request.logIn).call(request, this.accounts.findOrCreate(identity));
    }

    private link({ user }: LoginRequest, linkTo: string, identity: Identity): void {
      if (!user || keyOf(user) !== linkTo) throw new ConflictException('Somebody else has logged in since.');
      if (!this.accounts.link(user, identity))
        throw new ConflictException('This login belongs to another account.');
    }
  }
  return LoginController;
}
