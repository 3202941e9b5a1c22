import { expectTypeOf } from 'expect-type';
import type {
  MicroblogDescriptionEntities,
  MicroblogEntities,
  MicroblogHashtag,
  MicroblogIncludes,
  MicroblogProfile,
  MicroblogTweet,
  MicroblogUrl,
  MicroblogUrlEntities,
  MicroblogUser,
} from '../../lib/microblog/record.js';
import type { KnownKeys, KnownMembers, OptionalKeys, RequiredKeys } from './keys.js';

// The record names two members; `includes` may be missing.
expectTypeOf<KnownKeys<MicroblogProfile>>().toEqualTypeOf<'data' | 'includes'>();
expectTypeOf<RequiredKeys<MicroblogProfile>>().toEqualTypeOf<'data'>();
expectTypeOf<OptionalKeys<MicroblogProfile>>().toEqualTypeOf<'includes'>();

// Three fields of the user are required, ten are optional.
expectTypeOf<RequiredKeys<MicroblogProfile['data']>>().toEqualTypeOf<'id' | 'name' | 'username'>();
expectTypeOf<OptionalKeys<MicroblogProfile['data']>>().toEqualTypeOf<
  | 'created_at'
  | 'description'
  | 'email'
  | 'entities'
  | 'location'
  | 'pinned_tweet_id'
  | 'profile_image_url'
  | 'protected'
  | 'url'
  | 'verified'
>();

// Every member has its type, at its place.
expectTypeOf<KnownMembers<MicroblogProfile>>().toEqualTypeOf<{
  data: {
    created_at?: string;
    description?: string;
    email?: string;
    entities?: {
      description: {
        hashtags: { end: number; start: number; tag: string }[];
      };
      url: {
        urls: { display_url: string; end: number; expanded_url: string; start: number; url: string }[];
      };
    };
    id: string;
    location?: string;
    name: string;
    pinned_tweet_id?: string;
    profile_image_url?: string;
    protected?: boolean;
    url?: string;
    username: string;
    verified?: boolean;
  };
  includes?: {
    tweets?: { id: string; text: string }[];
  };
}>();

// A member that the record does not name is unknown, and only at the top level.
expectTypeOf<MicroblogProfile[string]>().toBeUnknown();
expectTypeOf<MicroblogProfile['errors']>().toBeUnknown();
expectTypeOf<string>().not.toExtend<keyof MicroblogProfile['data']>();

// The nested objects have names of their own.
type Entities = Required<MicroblogProfile['data']>['entities'];
type Includes = Required<KnownMembers<MicroblogProfile>>['includes'];
expectTypeOf<MicroblogProfile['data']>().toEqualTypeOf<MicroblogUser>();
expectTypeOf<Entities>().toEqualTypeOf<MicroblogEntities>();
expectTypeOf<Entities['description']>().toEqualTypeOf<MicroblogDescriptionEntities>();
expectTypeOf<Entities['description']['hashtags']>().toEqualTypeOf<MicroblogHashtag[]>();
expectTypeOf<Entities['url']>().toEqualTypeOf<MicroblogUrlEntities>();
expectTypeOf<Entities['url']['urls']>().toEqualTypeOf<MicroblogUrl[]>();
expectTypeOf<Includes>().toEqualTypeOf<MicroblogIncludes>();
expectTypeOf<Required<Includes>['tweets']>().toEqualTypeOf<MicroblogTweet[]>();
