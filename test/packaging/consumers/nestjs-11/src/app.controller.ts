// app.controller.ts
import { randomUUID } from 'node:crypto';
import { Controller, Get, Header, Req } from '@nestjs/common';
import { Accounts } from './accounts';
import type { LoginRequest } from './login.guard';

export const NAMES = ['short-video', 'microblog'];

@Controller()
export class AppController {
  constructor(private readonly accounts: Accounts) {}

  @Get()
  @Header('content-type', 'text/html')
  home(@Req() { user, session }: LoginRequest): string {
    const account = this.accounts.find(user?.account ?? '');
    if (!account)
      return NAMES.map((name) => `<p><a href="/api/auth/signin/${name}">${name}</a></p>`).join('');
    session.formToken ??= randomUUID();
    // Users choose their own names.
    const text = JSON.stringify({ name: account.name, logins: [...account.logins] }).replaceAll('<', '&lt;');
    const forms = NAMES.map(
      (name) => `<form method="post" action="/link/${name}">
        <input type="hidden" name="formToken" value="${session.formToken}">
        <button>Link ${name}</button>
      </form>`,
    );
    return `<pre>${text}</pre>${forms.join('')}`;
  }
}
