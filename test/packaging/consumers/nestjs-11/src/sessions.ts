// sessions.ts
import type { INestApplication } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import session from 'express-session';
import passport from 'passport';

/** Adds sessions to an application on Express. */
export function useSessions(app: INestApplication): void {
  const secret = app.get(ConfigService).getOrThrow('SESSION_SECRET');
  const cookie = { sameSite: 'lax', secure: 'auto' } as const;
  app.use(session({ secret, resave: false, saveUninitialized: false, cookie }), passport.session());
}
