import { expectTypeOf } from 'expect-type';
import type {
  ShortVideoData,
  ShortVideoError,
  ShortVideoProfile,
  ShortVideoUser,
} from '../../lib/short-video/record.js';
import type { KnownFields, KnownKeys, OptionalKeys, RequiredKeys } from './keys.js';

// The record declares two fields, and both are required.
expectTypeOf<KnownKeys<ShortVideoProfile>>().toEqualTypeOf<'data' | 'error'>();
expectTypeOf<RequiredKeys<ShortVideoProfile>>().toEqualTypeOf<'data' | 'error'>();
expectTypeOf<OptionalKeys<ShortVideoProfile>>().toEqualTypeOf<never>();

// `data` has only the user.
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

// Every field has the right type.
expectTypeOf<KnownFields<ShortVideoProfile>>().toEqualTypeOf<{
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

// Undeclared fields are any, and exist only at the top level.
// biome-ignore lint/suspicious/noExplicitAny: the strategies are generic over this type.
expectTypeOf<ShortVideoProfile>().toExtend<Record<string, any>>();
expectTypeOf<ShortVideoProfile[string]>().toBeAny();
expectTypeOf<keyof ShortVideoProfile['data']>().toEqualTypeOf<'user'>();
expectTypeOf<keyof ShortVideoProfile['error']>().toEqualTypeOf<'code' | 'log_id' | 'message'>();

// The nested objects have named types.
expectTypeOf<ShortVideoProfile['data']>().toEqualTypeOf<ShortVideoData>();
expectTypeOf<ShortVideoProfile['data']['user']>().toEqualTypeOf<ShortVideoUser>();
expectTypeOf<ShortVideoProfile['error']>().toEqualTypeOf<ShortVideoError>();
