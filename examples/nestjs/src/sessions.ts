import { Injectable } from '@nestjs/common';
import { PassportSerializer } from '@nestjs/passport';
import type { NestExpressApplication } from '@nestjs/platform-express';
import session from 'express-session';
import passport from 'passport';
import { type Account, Accounts, keyOf } from './accounts.js';
import { Settings } from './settings.js';

/** Keeps the key of the account in the session. */
@Injectable()
export class SessionSerializer extends PassportSerializer {
  constructor(private readonly accounts: Accounts) {
    super();
  }

  serializeUser(account: Account, done: (error: null, key: string) => void): void {
    done(null, keyOf(account));
  }

  deserializeUser(key: string, done: (error: null, account: Account | false) => void): void {
    done(null, this.accounts.find(key) ?? false);
  }
}

/** Adds sessions to an application on Express. */
export function useSessions(app: NestExpressApplication): void {
  const { secret, trustProxy } = app.get(Settings);
  // Trust the X-Forwarded headers of one proxy for the scheme and host of the redirect URI.
  app.set('trust proxy', trustProxy ? 1 : false);
  const cookie = { sameSite: 'lax', secure: 'auto' } as const;
  app.use(session({ secret, resave: false, saveUninitialized: false, cookie }), passport.session());
}
