// login.controller.ts
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
import { Accounts, type Identity } from './accounts.js';
import { callbackGuard, type LoginRequest, linkGuard, signInGuard } from './login.guard.js';

/** The routes of one network. */
export function loginController(name: string): Type {
  @Controller()
  class LoginController {
    constructor(private readonly accounts: Accounts) {}

    @Get(`api/auth/signin/${name}`)
    @UseGuards(signInGuard(name))
    @Redirect('/')
    signIn(): void {} // The guard has redirected everybody else to the network.

    @Post(`link/${name}`)
    @UseGuards(linkGuard(name))
    startLink(): void {} // The guard has redirected to the network.

    @Get(`api/auth/callback/${name}`)
    @UseGuards(callbackGuard(name))
    @Redirect('/')
    async finish(@Req() request: LoginRequest): Promise<void> {
      const { identity, authInfo } = request;
      if (!identity) throw new HttpException('Nobody logged in.', 401);
      if (authInfo?.state) return this.link(request, authInfo.state.linkTo, identity);
      const { id } = this.accounts.findOrCreate(identity);
      await promisify(request.logIn).call(request, { account: id });
    }

    private link({ user }: LoginRequest, linkTo: string, { login }: Identity): void {
      const account = this.accounts.find(linkTo);
      if (!account || user?.account !== linkTo) {
        throw new ConflictException('Somebody else has logged in since. Please try again.');
      }
      if (!this.accounts.link(account, login)) {
        throw new ConflictException('This login belongs to another account.');
      }
    }
  }
  return LoginController;
}
