import { expectTypeOf } from 'expect-type';
import type { Request } from 'express';

import {
  type MicroblogOAuth1Record,
  type MicroblogOAuth1Strategy,
  type MicroblogOAuth2Strategy,
  type MicroblogOptions,
  type MicroblogRecord,
  MicroblogStrategy,
  type Profile,
  type ShortVideoOptions,
  type ShortVideoProfile,
  type ShortVideoRecord,
  ShortVideoStrategy,
  type ShortVideoValues,
  type SocialNetworkOptions,
  type SocialNetworkRecord,
  SocialNetworkStrategy,
  type Verify,
  type VerifyDone,
} from '../../lib/index.js';
import microblog, {
  type MicroblogOAuth1Params,
  type MicroblogOAuth2Params,
} from '../../lib/microblog/index.js';
import shortVideo, { type ShortVideoParams } from '../../lib/short-video/index.js';
import socialNetwork, {
  grantedScopes,
  type SocialNetworkClassicParams,
  type VkIdParams,
  type VkIdProfile,
} from '../../lib/social-network/index.js';

const client = { clientID: 'a', clientSecret: 'b' };
const first = { ...client, version: '1.0' } as const;
const vkId = { clientID: 'a', version: '2.1' } as const;
const req = { passReqToCallback: true } as const;
const params = { passParamsToCallback: true } as const;
const skip = { skipUserProfile: true } as const;

type ShortVideo = Profile<ShortVideoRecord>;
type Microblog = Profile<MicroblogRecord>;
type MicroblogOAuth1 = Profile<MicroblogOAuth1Record>;
type SocialNetwork = Profile<SocialNetworkRecord>;
type VkId = Profile<VkIdProfile>;
type Maybe = string | undefined;

// The forms of verify, inferred from the options alone: without any, with one and with all of them.
new ShortVideoStrategy(client, (...args) => {
  expectTypeOf(args).toEqualTypeOf<[string, string, ShortVideo, VerifyDone]>();
});
new ShortVideoStrategy({ ...client, ...skip }, (...args) => {
  expectTypeOf(args).toEqualTypeOf<[string, string, undefined, VerifyDone]>();
});
new ShortVideoStrategy({ ...client, ...req, ...params, ...skip }, (...args) => {
  expectTypeOf(args).toEqualTypeOf<[Request, string, string, ShortVideoParams, undefined, VerifyDone]>();
});

// A function that decides at run time may skip the profile.
new ShortVideoStrategy({ ...client, skipUserProfile: () => true }, (_token, _refresh, profile) => {
  expectTypeOf(profile).toEqualTypeOf<ShortVideo | undefined>();
});

// Microblog without version, and with 2.0: only the scope offline.access brings a refresh token.
new MicroblogStrategy({ ...client, ...params }, (...args) => {
  expectTypeOf(args).toEqualTypeOf<[string, Maybe, MicroblogOAuth2Params, Microblog, VerifyDone]>();
});
// Microblog 1.0: the second argument is the token secret, which is always a string.
new MicroblogStrategy(first, (...args) => {
  expectTypeOf(args).toEqualTypeOf<[string, string, MicroblogOAuth1, VerifyDone]>();
});
new MicroblogStrategy({ ...first, ...params }, (...args) => {
  expectTypeOf(args).toEqualTypeOf<[string, string, MicroblogOAuth1Params, MicroblogOAuth1, VerifyDone]>();
});
new SocialNetworkStrategy({ ...client, ...params }, (...args) => {
  expectTypeOf(args).toEqualTypeOf<[string, Maybe, SocialNetworkClassicParams, SocialNetwork, VerifyDone]>();
});
// VK ID has its own record type.
new SocialNetworkStrategy({ ...vkId, ...req, ...params }, (...args) => {
  expectTypeOf(args).toEqualTypeOf<[Request, string, Maybe, VkIdParams, VkId, VerifyDone]>();
});
// The type of a verify function that stands apart.
const apart: Verify<ShortVideoValues, false, true> = (_token, _refresh, answer, profile, done) => {
  expectTypeOf([answer, profile] as const).toEqualTypeOf<readonly [ShortVideoParams, ShortVideo]>();
  done(null, { id: answer.open_id });
};
new ShortVideoStrategy({ ...client, ...params }, apart);

// Options in variables of the exported types.
declare const options: [
  ShortVideoOptions,
  MicroblogOptions<'1.0'>,
  MicroblogOptions,
  SocialNetworkOptions<{ own: 1 }>,
];
shortVideo({ ...options[0], ...req }, (...args) => {
  expectTypeOf(args).toEqualTypeOf<[Request, string, string, ShortVideo, VerifyDone]>();
});
microblog(options[1], (_token, secret) => expectTypeOf(secret).toEqualTypeOf<string>());
microblog(options[2], (_token, refresh) => expectTypeOf(refresh).toEqualTypeOf<Maybe>());
socialNetwork(options[3], (_t, _r, { _json }) => expectTypeOf(_json).toEqualTypeOf<{ own: 1 }>());

// Options that are not known before run time allow every form.
const unknown = { ...client, passReqToCallback: Boolean(process.env.REQ) };
new ShortVideoStrategy(unknown, (..._args) => {});

// @ts-expect-error Without the option there are no params.
new ShortVideoStrategy(client, apart);
const requestFirst = (_req: Request, _t: string, _r: Maybe, _p: SocialNetwork, _d: VerifyDone) => {};
// @ts-expect-error The request comes only with passReqToCallback.
new SocialNetworkStrategy(client, requestFirst);
// @ts-expect-error Another network's record.
new MicroblogStrategy(client, (_t: string, _r: Maybe, _profile: SocialNetwork, _done: VerifyDone) => {});

// The application may name the record type.
interface WithExtras extends ShortVideoProfile {
  extra: number;
}
shortVideo<WithExtras>(client, (_token, _refresh, profile) => {
  expectTypeOf(profile._json.extra).toEqualTypeOf<number>();
});
new ShortVideoStrategy<WithExtras>(
  { ...client, profile: ({ extra }) => ({ id: String(extra), displayName: '' }) },
  () => {},
);
new SocialNetworkStrategy<{ id: number; own: boolean }>(client, (_token, _refresh, profile) => {
  expectTypeOf(profile._json).toEqualTypeOf<{ id: number; own: boolean }>();
});
// @ts-expect-error A short-video record must have the fields of every short-video record.
shortVideo<{ own: string }>(client, () => {});

// Verify may be async, with or without a user, and may return the result of another function.
const users = { findOrCreate: (_profile: object, _done: VerifyDone): Promise<void> => Promise.resolve() };
new ShortVideoStrategy(client, async (_token, _refresh, profile) => ({ id: profile.id }));
new MicroblogStrategy(first, async () => false);
new SocialNetworkStrategy(client, async () => null);
new MicroblogStrategy(client, (_token, _refresh, profile, done) => users.findOrCreate(profile, done));
new ShortVideoStrategy(client, (_token, _refresh, profile, done) => {
  done(null, { id: profile.id }, { message: 'Welcome.' });
  done(null, false);
  done(new Error('down'));
});

// A strategy can be extended, and its verify infers as well.
class OwnMicroblog extends MicroblogStrategy {
  constructor() {
    super(client, async (_token, _refresh, profile) => ({ id: profile.id }));
  }
}
expectTypeOf<OwnMicroblog>().toExtend<MicroblogOAuth2Strategy>();
expectTypeOf<InstanceType<typeof MicroblogStrategy>>().toEqualTypeOf<MicroblogOAuth2Strategy>();

// A strategy of either protocol has a name.
expectTypeOf<ShortVideoStrategy['name']>().toEqualTypeOf<string>();
expectTypeOf<MicroblogOAuth1Strategy['name']>().toEqualTypeOf<string>();

// The factory returns an instance of the class.
expectTypeOf(shortVideo(client, () => {})).toEqualTypeOf<ShortVideoStrategy>();
expectTypeOf(microblog(client, () => {})).toEqualTypeOf<MicroblogOAuth2Strategy>();
expectTypeOf(microblog(first, () => {})).toEqualTypeOf<MicroblogOAuth1Strategy>();
expectTypeOf(socialNetwork(client, () => {})).toEqualTypeOf<SocialNetworkStrategy>();

// `params` of verify is what each network's grantedScopes takes.
expectTypeOf(grantedScopes).toBeCallableWith({} as SocialNetworkClassicParams);
expectTypeOf(grantedScopes).toBeCallableWith({} as VkIdParams);
