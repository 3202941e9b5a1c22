// app.module.ts
import { Module } from '@nestjs/common';
import { ConfigModule, ConfigService } from '@nestjs/config';
import { APP_FILTER } from '@nestjs/core';
import { Accounts } from './accounts';
import { AppController, NAMES } from './app.controller';
import { loginController } from './login.controller';
import { LoginFilter } from './login.filter';
import { Networks, readNetworks } from './networks';
import { SessionSerializer } from './session.serializer';
import { Microblog, ShortVideo } from './strategies';

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
