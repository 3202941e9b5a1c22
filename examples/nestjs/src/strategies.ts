import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import {
  MicroblogOAuth1Strategy,
  MicroblogOAuth2Strategy,
  type MicroblogParams,
  type Profile,
  ShortVideoStrategy,
  SocialNetworkStrategy,
} from 'passport-social-networks';
import { type Identity, identityOf } from './accounts.js';
import { Settings } from './settings.js';

@Injectable()
class ShortVideo extends PassportStrategy(ShortVideoStrategy) {
  constructor(settings: Settings) {
    super(settings.optionsOf('short-video'));
  }

  validate(_token: string, _refreshToken: string | undefined, profile: Profile<unknown>): Identity {
    return identityOf(profile);
  }
}

@Injectable()
class Microblog extends PassportStrategy(MicroblogOAuth2Strategy) {
  constructor(settings: Settings) {
    super({ ...settings.optionsOf('microblog'), passParamsToCallback: true });
  }

  validate(
    _token: string,
    _refreshToken: string | undefined,
    params: MicroblogParams<'2.0'>, // because of passParamsToCallback
    profile: Profile<unknown>,
  ): Identity {
    return { ...identityOf(profile), scope: params.scope };
  }
}

/** OAuth 1.0a, under its own strategy name. */
@Injectable()
class Microblog10 extends PassportStrategy(MicroblogOAuth1Strategy) {
  constructor(settings: Settings) {
    super({ ...settings.optionsOf('microblog-1-0'), name: 'microblog-1-0' });
  }

  validate(_token: string, _tokenSecret: string, profile: Profile<unknown>): Identity {
    return identityOf(profile);
  }
}

@Injectable()
class SocialNetwork extends PassportStrategy(SocialNetworkStrategy) {
  constructor(settings: Settings) {
    super(settings.optionsOf('social-network'));
  }

  validate(_token: string, _refreshToken: string | undefined, profile: Profile<unknown>): Identity {
    return identityOf(profile);
  }
}

/** VK ID, under its own strategy name. */
@Injectable()
class SocialNetwork21 extends PassportStrategy(SocialNetworkStrategy) {
  constructor(settings: Settings) {
    super({ ...settings.optionsOf('social-network-vk-id'), version: '2.1', name: 'social-network-vk-id' });
  }

  validate(_token: string, _refreshToken: string | undefined, profile: Profile<unknown>): Identity {
    return identityOf(profile);
  }
}

/** Strategy classes by strategy name. */
export const STRATEGIES = {
  'short-video': ShortVideo,
  microblog: Microblog,
  'microblog-1-0': Microblog10,
  'social-network': SocialNetwork,
  'social-network-vk-id': SocialNetwork21,
} as const;
