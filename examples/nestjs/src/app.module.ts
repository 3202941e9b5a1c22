import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { Accounts } from './accounts.js';
import { AppController } from './app.controller.js';
import { loginController } from './login.controller.js';
import { LoginFilter } from './login.filter.js';
import { SessionSerializer } from './sessions.js';
import { Settings } from './settings.js';
import { STRATEGIES } from './strategies.js';

@Module({})
export class AppModule {
  static register(settings: Settings): DynamicModule {
    return {
      module: AppModule,
      controllers: [AppController, ...settings.names.map(loginController)],
      providers: [
        { provide: Settings, useValue: settings },
        Accounts,
        SessionSerializer,
        ...settings.names.map((name) => STRATEGIES[name]),
        { provide: APP_FILTER, useClass: LoginFilter },
      ],
    };
  }
}
