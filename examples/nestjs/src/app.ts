import { Controller, type DynamicModule, Get, Injectable, type LoggerService, Req } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { PassportSerializer } from '@nestjs/passport';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request } from 'express';
import session from 'express-session';
import passport from 'passport';
import { type Account, Accounts } from './accounts.js';
import { loginController } from './login-controller.js';
import { LoginFilter } from './login-filter.js';
import { type Networks, Settings } from './settings.js';
import { STRATEGIES } from './strategies.js';

/** Stores the whole account in the session. */
@Injectable()
class AccountSerializer extends PassportSerializer {
  serializeUser(account: Account, done: (error: null, account: Account) => void): void {
    done(null, account);
  }

  deserializeUser(account: Account, done: (error: null, account: Account) => void): void {
    done(null, account);
  }
}

@Controller()
class HomeController {
  constructor(private readonly settings: Settings) {}

  @Get()
  home(@Req() req: Request): Express.User | string {
    const links = namesOf(this.settings).map(
      (name) => `<p><a href="/api/auth/signin/${name}">${name}</a></p>`,
    );
    return req.user ?? links.join('');
  }
}

class AppModule {}

/** The application module, without the session middleware that `createApp` adds. */
export function appModule(settings: Settings, accounts: Accounts): DynamicModule {
  const names = namesOf(settings);
  return {
    module: AppModule,
    controllers: [HomeController, ...names.map(loginController)],
    providers: [
      { provide: Settings, useValue: settings },
      { provide: Accounts, useValue: accounts },
      AccountSerializer,
      ...names.map((name) => STRATEGIES[name]),
    ],
  };
}

function namesOf({ networks }: Settings): (keyof Networks)[] {
  return (Object.keys(STRATEGIES) as (keyof Networks)[]).filter((name) => networks[name] !== undefined);
}

/** Dependencies that tests can replace. */
interface Replacements {
  readonly accounts?: Accounts;
  readonly logger?: LoggerService;
}

export async function createApp(
  settings: Settings,
  { accounts = new Accounts(), logger }: Replacements = {},
): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(appModule(settings, accounts), {
    ...(logger && { logger }),
    abortOnError: false,
  });
  // Trust the X-Forwarded headers of one proxy for the scheme and host of the redirect URI.
  app.set('trust proxy', settings.trustProxy ? 1 : false);
  app.use(
    session({
      secret: settings.secret,
      resave: false,
      saveUninitialized: false,
      cookie: { sameSite: 'lax', secure: 'auto' },
    }),
    passport.session(),
  );
  app.useGlobalFilters(new LoginFilter());
  return app;
}
