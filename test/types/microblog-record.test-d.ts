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
import type { KnownFields, KnownKeys, OptionalKeys, RequiredKeys } from './keys.js';

// The record declares two fields; `includes` is optional.
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

// Every field has the right type.
expectTypeOf<KnownFields<MicroblogProfile>>().toEqualTypeOf<{
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

// Undeclared fields are unknown, and exist only at the top level.
expectTypeOf<MicroblogProfile[string]>().toBeUnknown();
expectTypeOf<MicroblogProfile['errors']>().toBeUnknown();
expectTypeOf<string>().not.toExtend<keyof MicroblogProfile['data']>();

// The nested objects have named types.
type Entities = Required<MicroblogProfile['data']>['entities'];
type Includes = Required<KnownFields<MicroblogProfile>>['includes'];
expectTypeOf<MicroblogProfile['data']>().toEqualTypeOf<MicroblogUser>();
expectTypeOf<Entities>().toEqualTypeOf<MicroblogEntities>();
expectTypeOf<Entities['description']>().toEqualTypeOf<MicroblogDescriptionEntities>();
expectTypeOf<Entities['description']['hashtags']>().toEqualTypeOf<MicroblogHashtag[]>();
expectTypeOf<Entities['url']>().toEqualTypeOf<MicroblogUrlEntities>();
expectTypeOf<Entities['url']['urls']>().toEqualTypeOf<MicroblogUrl[]>();
expectTypeOf<Includes>().toEqualTypeOf<MicroblogIncludes>();
expectTypeOf<Required<Includes>['tweets']>().toEqualTypeOf<MicroblogTweet[]>();
