import type { AudioAudio } from '@vkontakte/api-schema-typescript/dist/objects/audio/AudioAudio';
import type { PhotosPhoto } from '@vkontakte/api-schema-typescript/dist/objects/photos/PhotosPhoto';
import type { UsersCareer } from '@vkontakte/api-schema-typescript/dist/objects/users/UsersCareer';
import type { UsersExports } from '@vkontakte/api-schema-typescript/dist/objects/users/UsersExports';
import type { UsersFields } from '@vkontakte/api-schema-typescript/dist/objects/users/UsersFields';
import type { UsersLastSeen } from '@vkontakte/api-schema-typescript/dist/objects/users/UsersLastSeen';
import type { UsersMilitary } from '@vkontakte/api-schema-typescript/dist/objects/users/UsersMilitary';
import type { UsersOccupation } from '@vkontakte/api-schema-typescript/dist/objects/users/UsersOccupation';
import type { UsersPersonal } from '@vkontakte/api-schema-typescript/dist/objects/users/UsersPersonal';
import type { UsersRelative } from '@vkontakte/api-schema-typescript/dist/objects/users/UsersRelative';
import type { UsersSchool } from '@vkontakte/api-schema-typescript/dist/objects/users/UsersSchool';
import type { UsersUniversity } from '@vkontakte/api-schema-typescript/dist/objects/users/UsersUniversity';
import type { UsersUserConnections } from '@vkontakte/api-schema-typescript/dist/objects/users/UsersUserConnections';
import type { UsersUserCounters } from '@vkontakte/api-schema-typescript/dist/objects/users/UsersUserCounters';
import type { UsersUserFull } from '@vkontakte/api-schema-typescript/dist/objects/users/UsersUserFull';
import { expectTypeOf } from 'expect-type';
import type { Names } from '../../lib/core/profile.js';
import type { EXPANSIONS, USER_FIELD_NAMES } from '../../lib/microblog/fields.js';
import microblog from '../../lib/microblog/index.js';
import type * as x from '../../lib/microblog/record.js';
import shortVideo from '../../lib/short-video/index.js';
import type * as tiktok from '../../lib/short-video/record.js';
import type { FIELD_NAMES } from '../../lib/social-network/facts.js';
import socialNetwork from '../../lib/social-network/index.js';
import type * as vk from '../../lib/social-network/record.js';

// What the networks document, drawn from their tables member by member.
interface DocumentedShortVideoUser {
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
}
interface DocumentedMicroblogUser {
  created_at?: string;
  description?: string;
  email?: string;
  id: string;
  location?: string;
  name: string;
  pinned_tweet_id?: string;
  profile_image_url?: string;
  protected?: boolean;
  url?: string;
  username: string;
  verified?: boolean;
}

/** Names of the declared members of a type, without its index signatures. */
type Named<T> = keyof { [K in keyof T as string extends K ? never : K]: T[K] } & string;
type RequiredIn<T> = { [K in Named<T>]: Record<never, never> extends Pick<T, K> ? never : K }[Named<T>];

// Short-video network.
expectTypeOf<tiktok.ShortVideoProfile['data']>().toEqualTypeOf<{ user: DocumentedShortVideoUser }>();
type Outcome = Record<'code' | 'log_id' | 'message', string>;
expectTypeOf<tiktok.ShortVideoProfile['error']>().toEqualTypeOf<Outcome>();

// Undeclared fields are any.
expectTypeOf<tiktok.ShortVideoProfile[string]>().toBeAny();

// Microblog network: what its options name is there beside the documented members.
type Documented = Pick<x.MicroblogProfile['data'], keyof DocumentedMicroblogUser>;
expectTypeOf<Documented>().toEqualTypeOf<DocumentedMicroblogUser>();
type Passage = { end: number; start: number };
type Url = Passage & Record<'display_url' | 'expanded_url' | 'url', string>;
expectTypeOf<RequiredIn<x.MicroblogProfile>>().toEqualTypeOf<'data'>();
expectTypeOf<RequiredIn<x.MicroblogProfile['data']>>().toEqualTypeOf<'id' | 'name' | 'username'>();
type Entities = NonNullable<x.MicroblogProfile['data']['entities']>;
expectTypeOf<Entities['url']>().branded.toEqualTypeOf<{ urls: Url[] }>();
expectTypeOf<Entities['description']['hashtags']>().branded.toEqualTypeOf<(Passage & { tag: string })[]>();
type Includes = NonNullable<x.MicroblogProfile['includes']>;
expectTypeOf<RequiredIn<Includes>>().toBeNever();
type Post = NonNullable<Includes['tweets']>[number];
expectTypeOf<Pick<Post, 'id' | 'text'>>().toEqualTypeOf<Record<'id' | 'text', string>>();
type UserField = Names<(typeof USER_FIELD_NAMES)[keyof typeof USER_FIELD_NAMES][number]>;
expectTypeOf<Exclude<keyof x.MicroblogUser, UserField>>().toEqualTypeOf<'email'>();
expectTypeOf<Exclude<UserField, keyof x.MicroblogUser>>().toBeNever();
expectTypeOf<
  Exclude<(typeof EXPANSIONS)[number], keyof x.MicroblogUser>
>().toEqualTypeOf<'affiliation.user_id'>();
expectTypeOf<x.MicroblogProfile[string]>().toBeUnknown();
expectTypeOf<x.MicroblogProfile['errors']>().toBeUnknown();

// Social network: the marks of its documentation.
expectTypeOf<RequiredIn<vk.SocialNetworkProfile>>().toEqualTypeOf<
  'can_access_closed' | 'first_name' | 'id' | 'is_closed' | 'last_name' | 'photo_100'
>();

// VK's own types. Each is imported by itself: what they import of one another is any here, and they are not.
interface AtVK {
  record: UsersUserFull;
  career: UsersCareer;
  connections: UsersUserConnections;
  counters: UsersUserCounters;
  exports: UsersExports;
  last_seen: UsersLastSeen;
  military: UsersMilitary;
  occupation: UsersOccupation;
  personal: UsersPersonal;
  photo: PhotosPhoto;
  relatives: UsersRelative;
  schools: UsersSchool;
  status_audio: AudioAudio;
  universities: UsersUniversity;
}
type Any<T> = 0 extends 1 & T ? true : false;
expectTypeOf<{ [K in keyof AtVK]: Any<AtVK[K]> }[keyof AtVK]>().toEqualTypeOf<false>();
expectTypeOf<UsersFields>().not.toBeAny();

type Element<T> = T extends (infer E)[] ? E : T;
type Ours = Required<vk.SocialNetworkRecord> & {
  record: vk.SocialNetworkRecord;
  photo: vk.SocialNetworkPhoto;
};
type Arrived<K extends keyof AtVK> = Element<Ours[K]>;
type PathTo<K extends string> = K extends 'record' ? '' : `${K}.`;
/** Members that one has and the other has not, by path. */
type Only<One, Other, Path extends string> = `${Path}${Exclude<keyof One, keyof Other> & string}`;
type OnlyOurs = { [K in keyof AtVK]: Only<Arrived<K>, AtVK[K], PathTo<K>> }[keyof AtVK];
type OnlyTheirs = { [K in keyof AtVK]: Only<AtVK[K], Arrived<K>, PathTo<K>> }[keyof AtVK];

// VK has no country in any place; three objects come flat; of the track, some members are observed.
expectTypeOf<OnlyOurs>().toEqualTypeOf<
  | 'connections'
  | 'contacts'
  | 'country'
  | 'education'
  | 'track_code'
  | 'career.country_id'
  | 'military.country_id'
  | 'schools.country'
  | 'universities.country'
  | 'exports.instagram'
  | `status_audio.${'genre_id' | 'main_artists' | 'track_code'}`
  | `status_audio.${'is_explicit' | 'is_focus_track' | 'short_videos_allowed'}`
  | `status_audio.${'stories_allowed' | 'stories_cover_allowed'}`
>();
// These come only with fields that profileFields does not take.
expectTypeOf<OnlyTheirs>().toEqualTypeOf<
  | `can_${'ban' | 'be_invited_group' | 'call' | 'call_from_group' | 'invite_as_voicerooms_speaker'}`
  | `can_${'see_gifts' | 'see_wishes' | 'subscribe_podcasts' | 'subscribe_posts' | 'upload_doc'}`
  | `is_${'best_friend' | 'message_request' | 'service' | 'subscribed_podcasts' | 'video_live_notifications_blocked'}`
  | `photo.${'comments' | 'hidden' | 'likes' | 'real_offset' | 'reposts' | 'square_crop' | 'tags' | 'thumb_hash' | 'vertical_align'}`
  | `photo${'' | '_big' | '_max_size' | '_medium' | '_medium_rec' | '_rec'}`
  | `video_live${'' | '_count' | '_level'}`
  | 'access_key'
  | 'activity'
  | 'clips_count'
  | 'contact_id'
  | 'contact_name'
  | 'descriptions'
  | 'has_unseen_stories'
  | 'hash'
  | 'language'
  | 'lists'
  | 'mutual'
  | 'online_info'
  | 'owner_state'
  | 'service_description'
  | 'status_app'
  | 'stories_archive_count'
  | 'test'
  | 'type'
>();
// Every name that profileFields takes is a member; names of fields that the documentation has and VK's types have not.
type FieldName = Names<(typeof FIELD_NAMES)[keyof typeof FIELD_NAMES][number]>;
expectTypeOf<Exclude<FieldName, keyof vk.SocialNetworkProfile>>().toBeNever();
expectTypeOf<Exclude<FieldName, UsersFields>>().toEqualTypeOf<
  'country' | 'online_app' | 'online_mobile' | 'relation_partner' | 'status_audio'
>();

/** Members that both have, and whose value at VK the record does not admit. */
type Refused<Ours, Theirs, Path extends string> = {
  [K in keyof Ours & keyof Theirs & string]: [Exclude<Theirs[K], undefined>] extends [
    Exclude<Ours[K], undefined>,
  ]
    ? never
    : `${Path}${K}`;
}[keyof Ours & keyof Theirs & string];
type RefusedMembers = { [K in keyof AtVK]: Refused<Arrived<K>, AtVK[K], PathTo<K>> }[keyof AtVK];
// The document names the numbers.
expectTypeOf<RefusedMembers>().toEqualTypeOf<
  'last_seen.platform' | `personal.${'alcohol' | 'life_main' | 'people_main' | 'political' | 'smoking'}`
>();

// As it arrives, with default options.
const client = { clientID: 'a', clientSecret: 'b' };
shortVideo(client, (_token, _refresh, { _json }) => {
  // @ts-expect-error The scope user.info.profile brings it.
  _json.data.user.username.toLowerCase();
  // @ts-expect-error Not every response has it.
  _json.error.code.trim();
});
microblog(client, (_token, _refresh, { _json }) => {
  // @ts-expect-error A description without marked-up passages has none.
  void _json.data.entities?.description.hashtags;
  // @ts-expect-error It is in data.
  _json.username.toLowerCase();
});
microblog({ ...client, version: '1.0' }, (_token, _secret, { _json }) => {
  expectTypeOf(_json.entities?.url?.urls[0]?.expanded_url).toEqualTypeOf<string | null | undefined>();
});
socialNetwork(client, (_token, _refresh, { _json }) => {
  // Documented as one employment.
  expectTypeOf(_json.career?.map(({ id }) => id)).toEqualTypeOf<(number | undefined)[] | undefined>();
});
