import { expectTypeOf } from 'expect-type';
import type { Request } from 'express';
import {
  type MicroblogProfile,
  MicroblogStrategy,
  type MicroblogValues,
  type Profile,
  type ShortVideoProfile,
  ShortVideoStrategy,
  type ShortVideoValues,
  type SocialNetworkProfile,
  SocialNetworkStrategy,
  type Verify,
  type VerifyDone,
} from '../../lib/index.js';
import microblog, {
  type MicroblogOAuth1Params,
  MicroblogOAuth1Strategy,
  type MicroblogOAuth2Params,
  MicroblogOAuth2Strategy,
} from '../../lib/microblog/index.js';
import shortVideo, { type ShortVideoParams } from '../../lib/short-video/index.js';
import socialNetwork, {
  grantedScopes,
  type SocialNetworkClassicParams,
  type VkIdParams,
  type VkIdProfile,
} from '../../lib/social-network/index.js';

const client = { clientID: 'a', clientSecret: 'b' };
type ShortVideo = Profile<ShortVideoProfile>;
type Microblog = Profile<MicroblogProfile>;
type SocialNetwork = Profile<SocialNetworkProfile>;
type VkId = Profile<VkIdProfile>;
type Maybe = string | undefined;

// The eight forms of verify, inferred from the options alone.
const req = { passReqToCallback: true } as const;
const params = { passParamsToCallback: true } as const;
const skip = { skipUserProfile: true } as const;

new ShortVideoStrategy(client, (...args) => {
  expectTypeOf(args).toEqualTypeOf<
    [token: string, refreshToken: string, profile: ShortVideo, done: VerifyDone]
  >();
});
new ShortVideoStrategy({ ...client, ...req }, (...args) => {
  expectTypeOf(args).toEqualTypeOf<
    [req: Request, token: string, refreshToken: string, profile: ShortVideo, done: VerifyDone]
  >();
});
new ShortVideoStrategy({ ...client, ...params }, (...args) => {
  expectTypeOf(args).toEqualTypeOf<
    [token: string, refreshToken: string, params: ShortVideoParams, profile: ShortVideo, done: VerifyDone]
  >();
});
new ShortVideoStrategy({ ...client, ...skip }, (...args) => {
  expectTypeOf(args).toEqualTypeOf<
    [token: string, refreshToken: string, profile: undefined, done: VerifyDone]
  >();
});
new ShortVideoStrategy({ ...client, ...req, ...params }, (...args) => {
  expectTypeOf(args).toEqualTypeOf<
    [
      req: Request,
      token: string,
      refreshToken: string,
      params: ShortVideoParams,
      profile: ShortVideo,
      done: VerifyDone,
    ]
  >();
});
new ShortVideoStrategy({ ...client, ...req, ...skip }, (...args) => {
  expectTypeOf(args).toEqualTypeOf<
    [req: Request, token: string, refreshToken: string, profile: undefined, done: VerifyDone]
  >();
});
new ShortVideoStrategy({ ...client, ...params, ...skip }, (...args) => {
  expectTypeOf(args).toEqualTypeOf<
    [token: string, refreshToken: string, params: ShortVideoParams, profile: undefined, done: VerifyDone]
  >();
});
new ShortVideoStrategy({ ...client, ...req, ...params, ...skip }, (...args) => {
  expectTypeOf(args).toEqualTypeOf<
    [
      req: Request,
      token: string,
      refreshToken: string,
      params: ShortVideoParams,
      profile: undefined,
      done: VerifyDone,
    ]
  >();
});

// Written in the call, with names of their own.
new ShortVideoStrategy(
  { ...client, passReqToCallback: true, passParamsToCallback: true },
  (request, token, refresh, answer, profile, done) => {
    expectTypeOf([request, token, refresh, answer, profile, done] as const).toEqualTypeOf<
      readonly [Request, string, string, ShortVideoParams, ShortVideo, VerifyDone]
    >();
  },
);
// A function that decides at run time may skip the profile.
new ShortVideoStrategy({ ...client, skipUserProfile: () => true }, (_token, _refresh, profile) => {
  expectTypeOf(profile).toEqualTypeOf<ShortVideo | undefined>();
});

// Every strategy and factory.
shortVideo({ ...client, ...req, ...params }, (_req, _token, _refresh, answer, profile) => {
  expectTypeOf([answer, profile] as const).toEqualTypeOf<readonly [ShortVideoParams, ShortVideo]>();
});
new MicroblogStrategy({ ...client, ...params }, (_token, refresh, answer, profile) => {
  expectTypeOf([refresh, answer, profile] as const).toEqualTypeOf<
    readonly [Maybe, MicroblogOAuth2Params, Microblog]
  >();
});
new MicroblogStrategy({ ...client, version: '1.0', ...params }, (_token, secret, answer, profile) => {
  expectTypeOf([secret, answer, profile] as const).toEqualTypeOf<
    readonly [string, MicroblogOAuth1Params, Microblog]
  >();
});
new MicroblogStrategy(
  { ...client, version: '1.0', ...req, ...params, ...skip },
  (request, _token, secret, answer, profile) => {
    expectTypeOf([request, secret, answer, profile] as const).toEqualTypeOf<
      readonly [Request, string, MicroblogOAuth1Params, undefined]
    >();
  },
);
new MicroblogOAuth2Strategy({ ...client, ...params }, (_token, _refresh, answer) => {
  expectTypeOf(answer).toEqualTypeOf<MicroblogOAuth2Params>();
});
new MicroblogOAuth1Strategy({ ...client, ...params }, (_token, _secret, answer) => {
  expectTypeOf(answer.user_id).toEqualTypeOf<Maybe>();
});
microblog({ ...client, version: '1.0', ...params }, (_token, _secret, answer) => {
  expectTypeOf(answer).toEqualTypeOf<MicroblogOAuth1Params>();
});
microblog({ ...client, ...req, ...params }, (request, _token, _refresh, answer) => {
  expectTypeOf([request, answer] as const).toEqualTypeOf<readonly [Request, MicroblogOAuth2Params]>();
});
new SocialNetworkStrategy({ ...client, ...params }, (_token, refresh, answer, profile) => {
  expectTypeOf([refresh, answer, profile] as const).toEqualTypeOf<
    readonly [Maybe, SocialNetworkClassicParams, SocialNetwork]
  >();
});
new SocialNetworkStrategy(
  { clientID: 'a', version: '2.1', ...req, ...params },
  (_req, _token, _refresh, answer, profile) => {
    expectTypeOf([answer, profile] as const).toEqualTypeOf<readonly [VkIdParams, VkId]>();
  },
);
socialNetwork({ clientID: 'a', version: '2.1', ...params }, (_token, _refresh, answer) => {
  expectTypeOf(answer.device_id).toEqualTypeOf<string>();
});

// The type of a verify function that stands apart.
const apart: Verify<ShortVideoValues, false, true> = (_token, _refresh, answer, profile, done) => {
  expectTypeOf([answer, profile] as const).toEqualTypeOf<readonly [ShortVideoParams, ShortVideo]>();
  done(null, { id: answer.open_id });
};
new ShortVideoStrategy({ ...client, ...params }, apart);
expectTypeOf<MicroblogValues<'1.0'>['refreshToken']>().toEqualTypeOf<string>();

// Options that are not known before run time allow every form.
const unknown = { ...client, passReqToCallback: Boolean(process.env.REQ) };
new ShortVideoStrategy(unknown, (..._args) => {});

// @ts-expect-error A misspelt option.
new ShortVideoStrategy({ ...client, passParamToCallback: true }, () => {});
// @ts-expect-error A misspelt option of OAuth 1.0a.
new MicroblogStrategy({ ...client, version: '1.0', passParamToCallback: true }, () => {});
// @ts-expect-error Without the option there are no params.
new ShortVideoStrategy(client, apart);
// @ts-expect-error The refresh token may be missing.
new MicroblogStrategy(client, (_t: string, _refresh: string, _profile: Microblog, _done: VerifyDone) => {});
const requestFirst = (_req: Request, _t: string, _r: Maybe, _p: SocialNetwork, _d: VerifyDone) => {};
// @ts-expect-error The request comes only with passReqToCallback.
new SocialNetworkStrategy(client, requestFirst);
// @ts-expect-error Another network's record.
new MicroblogStrategy(client, (_t: string, _r: Maybe, _profile: SocialNetwork, _done: VerifyDone) => {});

// A strategy can be extended, and its verify infers as well.
class Own extends ShortVideoStrategy {
  constructor() {
    super(client, async (_token, _refresh, profile) => ({ id: profile.id }));
  }
}
expectTypeOf<Own>().toExtend<ShortVideoStrategy>();
class OwnMicroblog extends MicroblogStrategy {
  constructor() {
    super(client, async (_token, _refresh, profile) => ({ id: profile.id }));
  }
}
expectTypeOf<OwnMicroblog>().toExtend<MicroblogOAuth2Strategy>();
expectTypeOf<InstanceType<typeof MicroblogStrategy>>().toEqualTypeOf<MicroblogOAuth2Strategy>();

// `params` of verify is what each network's grantedScopes takes.
expectTypeOf(grantedScopes).toBeCallableWith({} as SocialNetworkClassicParams);
expectTypeOf(grantedScopes).toBeCallableWith({} as VkIdParams);
