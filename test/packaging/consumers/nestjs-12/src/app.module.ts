// app.module.ts
import { Module } from '@nestjs/common';
import { ConfigModule, ConfigService } from '@nestjs/config';
import { APP_FILTER } from '@nestjs/core';
import { Accounts } from './accounts.js';
import { AppController, NAMES } from './app.controller.js';
import { loginController } from './login.controller.js';
import { LoginFilter } from './login.filter.js';
import { Networks, readNetworks } from './networks.js';
import { SessionSerializer } from './session.serializer.js';
import { Microblog, ShortVideo } from './strategies.js';

@Module({
  imports: [ConfigModule.forRoot()],
  controllers: [AppController, ...NAMES.map(loginController)],
  providers: [
    Accounts,
    {
      provide: Networks,
      inject: [ConfigService],
      useFactory: readNetworks,
    },
    SessionSerializer,
    ShortVideo,
    Microblog,
    { provide: APP_FILTER, useClass: LoginFilter },
  ],
})
export class AppModule {}
