import { expectTypeOf } from 'expect-type';
import type {
  ShortVideoData,
  ShortVideoError,
  ShortVideoProfile,
  ShortVideoUser,
} from '../../lib/short-video/record.js';
import type { KnownKeys, KnownMembers, OptionalKeys, RequiredKeys } from './keys.js';

// The record names two members, and neither may be missing.
expectTypeOf<KnownKeys<ShortVideoProfile>>().toEqualTypeOf<'data' | 'error'>();
expectTypeOf<RequiredKeys<ShortVideoProfile>>().toEqualTypeOf<'data' | 'error'>();
expectTypeOf<OptionalKeys<ShortVideoProfile>>().toEqualTypeOf<never>();

// `data` holds the user and nothing else.
expectTypeOf<KnownKeys<ShortVideoProfile['data']>>().toEqualTypeOf<'user'>();
expectTypeOf<RequiredKeys<ShortVideoProfile['data']>>().toEqualTypeOf<'user'>();

// Four fields of the user are required, eleven are optional.
expectTypeOf<RequiredKeys<ShortVideoProfile['data']['user']>>().toEqualTypeOf<
  'avatar_url' | 'display_name' | 'open_id' | 'username'
>();
expectTypeOf<OptionalKeys<ShortVideoProfile['data']['user']>>().toEqualTypeOf<
  | 'avatar_large_url'
  | 'avatar_url_100'
  | 'bio_description'
  | 'email'
  | 'follower_count'
  | 'following_count'
  | 'is_verified'
  | 'likes_count'
  | 'profile_deep_link'
  | 'union_id'
  | 'video_count'
>();

// Every member has its type, at its place.
expectTypeOf<KnownMembers<ShortVideoProfile>>().toEqualTypeOf<{
  data: {
    user: {
      avatar_large_url?: string;
      avatar_url: string;
      avatar_url_100?: string;
      bio_description?: string;
      display_name: string;
      email?: string;
      follower_count?: number;
      following_count?: number;
      is_verified?: boolean;
      likes_count?: number;
      open_id: string;
      profile_deep_link?: string;
      union_id?: string;
      username: string;
      video_count?: number;
    };
  };
  error: {
    code: string;
    log_id: string;
    message: string;
  };
}>();

// A member that the record does not name is anything at all, and only at the top level.
// biome-ignore lint/suspicious/noExplicitAny: the strategies are generic over this very type.
expectTypeOf<ShortVideoProfile>().toExtend<Record<string, any>>();
expectTypeOf<ShortVideoProfile[string]>().toBeAny();
expectTypeOf<keyof ShortVideoProfile['data']>().toEqualTypeOf<'user'>();
expectTypeOf<keyof ShortVideoProfile['error']>().toEqualTypeOf<'code' | 'log_id' | 'message'>();

// The nested objects have names of their own.
expectTypeOf<ShortVideoProfile['data']>().toEqualTypeOf<ShortVideoData>();
expectTypeOf<ShortVideoProfile['data']['user']>().toEqualTypeOf<ShortVideoUser>();
expectTypeOf<ShortVideoProfile['error']>().toEqualTypeOf<ShortVideoError>();
