// strategies.ts
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import {
  type MicroblogParams,
  MicroblogStrategy,
  type Profile,
  ShortVideoStrategy,
} from 'passport-social-networks';
import { type Identity, identityOf } from './accounts.js';
import { Networks } from './networks.js';

@Injectable()
export class ShortVideo extends PassportStrategy(ShortVideoStrategy) {
  constructor({ shortVideo }: Networks) {
    super(shortVideo);
  }

  validate(_accessToken: string, _refreshToken: string | undefined, profile: Profile<unknown>): Identity {
    return identityOf(profile);
  }
}

@Injectable()
export class Microblog extends PassportStrategy(MicroblogStrategy) {
  constructor({ microblog }: Networks) {
    super({ ...microblog, passParamsToCallback: true });
  }

  validate(
    _accessToken: string,
    _refreshToken: string | undefined,
    params: MicroblogParams<'2.0'>, // because of passParamsToCallback
    profile: Profile<unknown>,
  ): Identity {
    return { ...identityOf(profile), scope: params.scope };
  }
}
