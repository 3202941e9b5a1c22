import { expectTypeOf } from 'expect-type';
import type { Request } from 'express';

import passport = require('passport');

import {
  type MicroblogOAuth1Strategy,
  type MicroblogOAuth2Strategy,
  type MicroblogProfile,
  MicroblogStrategy,
  type Profile,
  type ShortVideoProfile,
  ShortVideoStrategy,
  type SocialNetworkProfile,
  SocialNetworkStrategy,
  type VerifyDone,
} from '../../lib/index.js';
import microblog, {
  MicroblogOAuth1Strategy as OAuth1,
  MicroblogOAuth2Strategy as OAuth2,
} from '../../lib/microblog/index.js';
import shortVideo from '../../lib/short-video/index.js';
import socialNetwork, { type VkIdProfile } from '../../lib/social-network/index.js';

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

// The short forms infer every argument, in the class and in the factory.
new ShortVideoStrategy(client, (token, refresh, profile, done) => {
  expectTypeOf([token, refresh, profile, done] as const).toEqualTypeOf<
    readonly [string, string, ShortVideo, VerifyDone]
  >();
});
new ShortVideoStrategy(withRequest, (req, token, refresh, profile, done) => {
  expectTypeOf([req, token, refresh, profile, done] as const).toEqualTypeOf<
    readonly [Request, string, string, ShortVideo, VerifyDone]
  >();
});
shortVideo(client, (token, refresh, profile, done) => {
  expectTypeOf([token, refresh, profile, done] as const).toEqualTypeOf<
    readonly [string, string, ShortVideo, VerifyDone]
  >();
});
shortVideo(withRequest, (req, _token, _refresh, profile, done) => {
  expectTypeOf([req, profile, done] as const).toEqualTypeOf<readonly [Request, ShortVideo, VerifyDone]>();
});
new SocialNetworkStrategy(client, (token, refresh, profile, done) => {
  expectTypeOf([token, refresh, profile, done] as const).toEqualTypeOf<
    readonly [string, Maybe, SocialNetwork, VerifyDone]
  >();
});
new SocialNetworkStrategy(withRequest, (req, token, refresh, profile, done) => {
  expectTypeOf([req, token, refresh, profile, done] as const).toEqualTypeOf<
    readonly [Request, string, Maybe, SocialNetwork, VerifyDone]
  >();
});
socialNetwork(client, (_token, refresh, profile) => {
  expectTypeOf([refresh, profile] as const).toEqualTypeOf<readonly [Maybe, SocialNetwork]>();
});
socialNetwork(withRequest, (req, _token, refresh, profile) => {
  expectTypeOf([req, refresh, profile] as const).toEqualTypeOf<readonly [Request, Maybe, SocialNetwork]>();
});

// Microblog without version, and with 2.0: only the scope offline.access brings a refresh token.
new MicroblogStrategy(client, (token, refresh, profile, done) => {
  expectTypeOf([token, refresh, profile, done] as const).toEqualTypeOf<
    readonly [string, Maybe, Microblog, VerifyDone]
  >();
});
new MicroblogStrategy({ ...client, version: '2.0' }, (_token, refresh, profile) => {
  expectTypeOf([refresh, profile] as const).toEqualTypeOf<readonly [Maybe, Microblog]>();
});
new MicroblogStrategy(withRequest, (req, token, refresh, profile, done) => {
  expectTypeOf([req, token, refresh, profile, done] as const).toEqualTypeOf<
    readonly [Request, string, Maybe, Microblog, VerifyDone]
  >();
});
microblog(client, (_token, refresh, profile) => {
  expectTypeOf([refresh, profile] as const).toEqualTypeOf<readonly [Maybe, Microblog]>();
});
microblog(withRequest, (req, _token, refresh, _profile, _done) => {
  expectTypeOf([req, refresh] as const).toEqualTypeOf<readonly [Request, Maybe]>();
});
new OAuth2(client, (_token, refresh, profile) => {
  expectTypeOf([refresh, profile] as const).toEqualTypeOf<readonly [Maybe, Microblog]>();
});

// Microblog 1.0: the second argument is the token secret, which is always a string.
new MicroblogStrategy(first, (token, secret, profile, done) => {
  expectTypeOf([token, secret, profile, done] as const).toEqualTypeOf<
    readonly [string, string, Microblog, VerifyDone]
  >();
});
new MicroblogStrategy(firstWithRequest, (req, token, secret, profile, done) => {
  expectTypeOf([req, token, secret, profile, done] as const).toEqualTypeOf<
    readonly [Request, string, string, Microblog, VerifyDone]
  >();
});
microblog({ version: '1.0', consumerKey: 'a', consumerSecret: 'b' }, (_token, secret, profile) => {
  expectTypeOf([secret, profile] as const).toEqualTypeOf<readonly [string, Microblog]>();
});
new OAuth1(first, (_token, secret, profile) => {
  expectTypeOf([secret, profile] as const).toEqualTypeOf<readonly [string, Microblog]>();
});

// VK ID has its own record type.
new SocialNetworkStrategy(vkId, (_token, refresh, profile, done) => {
  expectTypeOf([refresh, profile, done] as const).toEqualTypeOf<readonly [Maybe, VkId, VerifyDone]>();
});
new SocialNetworkStrategy(vkIdWithRequest, (req, _token, _refresh, profile, _done) => {
  expectTypeOf([req, profile] as const).toEqualTypeOf<readonly [Request, VkId]>();
});
socialNetwork(vkId, (_token, _refresh, profile) => {
  expectTypeOf(profile).toEqualTypeOf<VkId>();
});

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
socialNetwork<{ own: string }>(client, (_token, _refresh, profile) => {
  expectTypeOf(profile._json.own).toEqualTypeOf<string>();
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

// Passport accepts every strategy.
declare const strategies: [
  ShortVideoStrategy,
  MicroblogStrategy,
  MicroblogOAuth1Strategy,
  MicroblogOAuth2Strategy,
  SocialNetworkStrategy,
];
for (const strategy of strategies) passport.use(strategy);
for (const strategy of strategies) expectTypeOf(strategy.name).toEqualTypeOf<string>();

// The factory returns an instance of the class.
expectTypeOf(shortVideo(client, () => {})).toEqualTypeOf<ShortVideoStrategy>();
expectTypeOf(microblog(client, () => {})).toEqualTypeOf<MicroblogOAuth2Strategy>();
expectTypeOf(microblog(first, () => {})).toEqualTypeOf<MicroblogOAuth1Strategy>();
expectTypeOf(socialNetwork(client, () => {})).toEqualTypeOf<SocialNetworkStrategy>();
