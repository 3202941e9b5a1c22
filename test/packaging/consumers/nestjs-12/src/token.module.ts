// token.module.ts
import { Module } from '@nestjs/common';
import { ConfigModule, ConfigService } from '@nestjs/config';
import { APP_FILTER } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { Accounts } from './accounts.js';
import { LoginFilter } from './login.filter.js';
import { Networks, readNetworks } from './networks.js';
import { Microblog, ShortVideo } from './strategies.js';
import { MeController, tokenController } from './token.controller.js';

const jwtModule = JwtModule.registerAsync({
  inject: [ConfigService],
  useFactory: (config: ConfigService) => ({
    secret: config.getOrThrow('JWT_SECRET'),
    signOptions: { expiresIn: '1h' },
  }),
});

/** Logins that end with a token, without sessions. */
@Module({
  imports: [ConfigModule.forRoot({ isGlobal: true }), jwtModule],
  controllers: [tokenController('short-video'), tokenController('microblog'), MeController],
  providers: [
    Accounts,
    {
      provide: Networks,
      inject: [ConfigService],
      useFactory: readNetworks,
    },
    ShortVideo,
    Microblog,
    { provide: APP_FILTER, useClass: LoginFilter },
  ],
})
export class TokenModule {}
