// session.serializer.ts
import { Injectable } from '@nestjs/common';
import { PassportSerializer } from '@nestjs/passport';
import { Accounts } from './accounts';

interface SessionUser {
  readonly account: string;
}

/** Keeps the ID of the account in the session. */
@Injectable()
export class SessionSerializer extends PassportSerializer {
  constructor(private readonly accounts: Accounts) {
    super();
  }

  serializeUser({ account }: SessionUser, done: (error: null, account: string) => void): void {
    done(null, account);
  }

  deserializeUser(account: string, done: (error: null, user: SessionUser | false) => void): void {
    done(null, this.accounts.find(account) ? { account } : false);
  }
}
