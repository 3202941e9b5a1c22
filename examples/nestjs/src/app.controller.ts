import { Controller, Get, Header, Req, Res } from '@nestjs/common';
import type { Account } from './accounts.js';
import type { LoginRequest } from './login.guard.js';
import { Settings } from './settings.js';

@Controller()
export class AppController {
  constructor(private readonly settings: Settings) {}

  @Get()
  home(
    @Req() { user }: LoginRequest,
    @Res({ passthrough: true }) response: { type(name: string): unknown },
  ): Account | string {
    if (user) return user;
    response.type('text/html');
    const { names } = this.settings;
    return names.map((name) => `<p><a href="/api/auth/signin/${name}">${name}</a></p>`).join('');
  }

  /** Linking changes an account, so it begins with a form. */
  @Get('logins')
  @Header('content-type', 'text/html')
  logins(): string {
    const { names } = this.settings;
    return names
      .map((name) => `<form method="post" action="/link/${name}"><button>Link ${name}</button></form>`)
      .join('');
  }
}
