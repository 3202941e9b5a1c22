import { expectTypeOf } from 'expect-type';
import type { Request } from 'express';

import {
  type MicroblogProfile,
  MicroblogStrategy,
  type Profile,
  type ShortVideoProfile,
  ShortVideoStrategy,
  type SocialNetworkProfile,
  SocialNetworkStrategy,
  type VerifyDone,
} from '../../lib/index.js';
import type { MicroblogOAuth1Params, MicroblogOAuth2Params } from '../../lib/microblog/index.js';
import shortVideo, { type ShortVideoParams } from '../../lib/short-video/index.js';
import type { SocialNetworkClassicParams, VkIdParams, VkIdProfile } from '../../lib/social-network/index.js';
import { grantedScopes } from '../../lib/social-network/index.js';

const client = { clientID: 'a', clientSecret: 'b' };
const withRequest = { ...client, passReqToCallback: true } as const;
const first = { ...client, version: '1.0' } as const;
const firstWithRequest = { ...first, passReqToCallback: true } as const;
const vkId = { clientID: 'a', version: '2.1' } as const;
const vkIdWithRequest = { ...vkId, passReqToCallback: true } as const;

type ShortVideo = Profile<ShortVideoProfile>;
type Microblog = Profile<MicroblogProfile>;
type SocialNetwork = Profile<SocialNetworkProfile>;
type VkId = Profile<VkIdProfile>;
type Maybe = string | undefined;

// A verify with the token response before the profile declares its argument types, and they are checked.
new ShortVideoStrategy(
  client,
  (
    _token: string,
    _refresh: string,
    _params: ShortVideoParams,
    _profile: ShortVideo,
    _done: VerifyDone,
  ) => {},
);
new ShortVideoStrategy(
  withRequest,
  (
    _req: Request,
    _t: string,
    _r: string,
    _params: ShortVideoParams,
    _profile: ShortVideo,
    _done: VerifyDone,
  ) => {},
);
shortVideo(
  client,
  (_t: string, _r: string, params: ShortVideoParams, _profile: ShortVideo, _done: VerifyDone) => {
    expectTypeOf(params.open_id).toEqualTypeOf<string>();
  },
);
new MicroblogStrategy(
  client,
  (_t: string, _r: Maybe, _params: MicroblogOAuth2Params, _profile: Microblog, _done: VerifyDone) => {},
);
new MicroblogStrategy(
  withRequest,
  (
    _req: Request,
    _t: string,
    _r: Maybe,
    _params: MicroblogOAuth2Params,
    _p: Microblog,
    _done: VerifyDone,
  ) => {},
);
new MicroblogStrategy(
  first,
  (_t: string, _secret: string, params: MicroblogOAuth1Params, _profile: Microblog, _done: VerifyDone) => {
    expectTypeOf(params.user_id).toEqualTypeOf<Maybe>();
  },
);
new SocialNetworkStrategy(
  client,
  (_t: string, _r: Maybe, params: SocialNetworkClassicParams, _profile: SocialNetwork, _done: VerifyDone) => {
    expectTypeOf(params.user_id).toEqualTypeOf<number>();
  },
);
new SocialNetworkStrategy(
  vkId,
  (_t: string, _r: Maybe, params: VkIdParams, _profile: VkId, _done: VerifyDone) => {
    expectTypeOf(params.device_id).toEqualTypeOf<string>();
  },
);
new MicroblogStrategy(
  firstWithRequest,
  (
    _req: Request,
    _t: string,
    _secret: string,
    _p: MicroblogOAuth1Params,
    _m: Microblog,
    _done: VerifyDone,
  ) => {},
);
new SocialNetworkStrategy(
  vkIdWithRequest,
  (_req: Request, _t: string, _r: Maybe, _params: VkIdParams, _profile: VkId, _done: VerifyDone) => {},
);

const profileFirst = (_t: string, _r: string, _p: ShortVideo, _a: ShortVideoParams, _d: VerifyDone) => {};
// @ts-expect-error The profile comes after the token response, not before it.
new ShortVideoStrategy(client, profileFirst);
// @ts-expect-error The refresh token may be missing.
new MicroblogStrategy(client, (_t: string, _refresh: string, _profile: Microblog, _done: VerifyDone) => {});
const requestFirst = (_req: Request, _t: string, _r: Maybe, _p: SocialNetwork, _d: VerifyDone) => {};
// @ts-expect-error The request comes only with passReqToCallback.
new SocialNetworkStrategy(client, requestFirst);
// @ts-expect-error The record is that of another network.
new MicroblogStrategy(client, (_t: string, _r: Maybe, _profile: SocialNetwork, _done: VerifyDone) => {});

// The network's grantedScopes accepts the params that verify gets.
expectTypeOf(grantedScopes).toBeCallableWith({} as SocialNetworkClassicParams);
expectTypeOf(grantedScopes).toBeCallableWith({} as VkIdParams);
