import type { VerifyValues } from '../core/login/index.js';
import type { TokenResponse } from '../core/oauth2/index.js';
import type { Names, Optional, RecordOf } from '../core/profile.js';
import type { FIELD_NAMES } from './facts.js';

type Fields<Kind extends keyof typeof FIELD_NAMES, Type> = Optional<Type, (typeof FIELD_NAMES)[Kind][number]>;

/**
 * User object of the social network (VK), with the names and marks of its documentation. `profile._json` is a {@link SocialNetworkRecord}: the
 * same as it arrives.
 *
 * Beyond the identifier and the name the network sends only the fields that the request named, and leaves out most of those that the user hides.
 * The members of `contacts`, `connections` and `education` come on the record itself. Where the documentation that this package follows and the
 * network differ, a type admits both.
 *
 * `bdate` is `D.M.YYYY`, or `D.M` when the user hides the year. `screen_name` is the short address of the page, `id` and the ID where the user
 * chose none; `nickname` a patronymic or second name. Names that end in `_abl`, `_acc`, ... are in that case of Russian, `_abl` in the
 * prepositional. The pictures `photo_<width>` are square or, with `_orig`, uncut, and placeholders when the user has none; those wider than the
 * picture are missing. `photo_id` is `<owner>_<photo>`. `timezone` is in hours from UTC, sent to the user themselves only. `verified`, the
 * network's tick, says nothing about an e-mail address.
 *
 * @see https://dev.vk.com/ru/reference/objects/user (read 2026-11)
 */
export interface SocialNetworkProfile
  extends Fields<'text', string>,
    Fields<'number', number>,
    Fields<'flag', SocialNetworkFlag>,
    SocialNetworkContacts,
    SocialNetworkConnections,
    SocialNetworkEducation {
  /** Unique ID, an integer of up to 64 bits. */
  id: number;
  /** First name; a deleted account carries a placeholder. */
  first_name: string;
  /** Last name; may be empty. */
  last_name: string;
  /** Address of the square picture, 100 pixels wide; that of a placeholder when the user has none. */
  photo_100: string;
  /** Whether the privacy settings hide the profile; absent when `deactivated` is set. */
  is_closed: boolean;
  /** Whether the user of the token may see the profile though it is closed; absent when `deactivated` is set. */
  can_access_closed: boolean;
  /** Why the account is gone, `deleted` or `banned`; optional fields are missing then. */
  deactivated?: string;
  /** E-mail address; the network sends it only in the token response. */
  email?: string;
  /** Whether the profile is hidden from those who are not logged in. */
  hidden?: number;
  /** The network's mark of the response. */
  track_code?: string;
  /** Documented as one employment, sent as a list. */
  career?: SocialNetworkCareer | SocialNetworkCareer[];
  city?: SocialNetworkPlace;
  connections?: SocialNetworkConnections;
  contacts?: SocialNetworkContacts;
  counters?: SocialNetworkCounters;
  country?: SocialNetworkPlace;
  crop_photo?: SocialNetworkCropPhoto;
  education?: SocialNetworkEducation;
  exports?: SocialNetworkExports;
  /** 0 no friend of the viewer, 1 request sent, 2 request received, 3 friend. */
  friend_status?: 0 | 1 | 2 | 3;
  /** Whether the page is kept from search engines: documented as a flag, sent as a boolean. */
  is_no_index?: SocialNetworkFlag | boolean;
  last_seen?: SocialNetworkLastSeen;
  /** Documented as one service, sent as a list. */
  military?: SocialNetworkMilitary | Partial<SocialNetworkMilitary>[];
  occupation?: SocialNetworkOccupation;
  personal?: SocialNetworkPersonal;
  /** 0 not given, 1 single, 2 in a relationship, 3 engaged, 4 married, 5 complicated, 6 searching, 7 in love, 8 in a civil union. */
  relation?: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
  relation_partner?: SocialNetworkRelationPartner;
  relatives?: SocialNetworkRelative[];
  schools?: SocialNetworkSchool[];
  /** 1 female, 2 male, 0 not given, -1 for some banned accounts. */
  sex?: -1 | 0 | 1 | 2;
  status_audio?: SocialNetworkStatusAudio;
  universities?: SocialNetworkUniversity[];
  wall_default?: 'all' | 'owner';
}

/**
 * The user object as it arrives (`profile._json`): only the identifier and the name are certain.
 *
 * `career` and `military` are lists here, as the network sends them; {@link SocialNetworkProfile} admits a single one as well.
 */
export interface SocialNetworkRecord extends Partial<SocialNetworkProfile> {
  id: number;
  first_name: string;
  last_name: string;
  career?: SocialNetworkCareer[];
  military?: Partial<SocialNetworkMilitary>[];
}

/** Yes or no as the network writes it: 1 yes, 0 no. */
export type SocialNetworkFlag = 0 | 1;

/** A town or country, with its identifier in the network's database. */
export interface SocialNetworkPlace {
  id: number;
  title: string;
}

/** Phone numbers as the user wrote them. */
export type SocialNetworkContacts = Optional<string, 'mobile_phone home_phone'>;

/** The user's names at external services. */
export type SocialNetworkConnections = Optional<
  string,
  'skype facebook facebook_name twitter livejournal instagram'
>;

/** External services to which the user's posts are exported. */
export type SocialNetworkExports = Optional<number, 'facebook livejournal twitter instagram'>;

/** Higher education in short; `graduation` is a year. */
export interface SocialNetworkEducation
  extends Optional<number, 'university faculty graduation university_group_id'>,
    Optional<string, 'university_name faculty_name education_form education_status'> {}

/** How the picture was cut from a photo: `crop` is the part that is the picture, `rect` the square part of `crop`. */
export interface SocialNetworkCropPhoto {
  photo: SocialNetworkPhoto;
  crop: SocialNetworkRectangle;
  rect: SocialNetworkRectangle;
}

/** Part of an image between its upper left corner (`x`, `y`) and its lower right one (`x2`, `y2`), in per cent of width and height. */
export type SocialNetworkRectangle = Record<'x' | 'y' | 'x2' | 'y2', number>;

/** A photo in one of the user's albums; widths and heights in pixels, `date` in seconds since 1970. */
export interface SocialNetworkPhoto
  extends Record<'id' | 'album_id' | 'owner_id' | 'date', number>,
    Optional<number, 'height width lat long post_id user_id'>,
    Optional<string, 'access_key photo_256 place text'> {
  has_tags: boolean;
  can_comment?: SocialNetworkFlag;
  images?: SocialNetworkPhotoImage[];
  sizes?: SocialNetworkPhotoSize[];
}

type ImageType = Names<'p q s r x y m l o z w'>;
type ServiceType = Names<'max k a b i g d c e j temp h n f'>;

/** A copy of a photo; `type` is the letter by which the network names its size. */
export interface SocialNetworkPhotoImage<Type extends string = ImageType>
  extends Optional<number, 'width height'> {
  type?: Type;
  url?: string;
}

/** A copy of a photo, those for the network's own use included; `src` is the older name of `url`. */
export interface SocialNetworkPhotoSize extends SocialNetworkPhotoImage<ImageType | ServiceType> {
  src?: string;
}

/** The track that plays; `duration` in seconds, `date` in seconds since 1970. The booleans, `track_code` and `main_artists` are observed. */
export interface SocialNetworkStatusAudio
  extends Record<'id' | 'owner_id' | 'duration', number>,
    Record<'artist' | 'title', string>,
    Optional<number, 'album_id genre_id date file_size stream_duration'>,
    Optional<string, 'performer url access_key track_code'>,
    Optional<
      boolean,
      'is_explicit is_focus_track short_videos_allowed stories_allowed stories_cover_allowed'
    > {
  main_artists?: Optional<string, 'id name domain'>[];
}

/** Views and habits that the user states. 0 is sent for what is not stated. */
export interface SocialNetworkPersonal extends Optional<string, 'religion inspired_by'> {
  /** 1 communist, 2 socialist, 3 moderate, 4 liberal, 5 conservative, 6 monarchist, 7 ultraconservative, 8 indifferent, 9 libertarian. */
  political?: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
  /** Languages, by name. */
  langs?: string[];
  langs_full?: object[];
  religion_id?: number;
  /** 1 mind and creativity, 2 kindness and honesty, 3 beauty and health, 4 power and wealth, 5 courage and persistence, 6 humour. */
  people_main?: 0 | 1 | 2 | 3 | 4 | 5 | 6;
  /** 1 family, 2 career and money, 3 leisure, 4 science, 5 improving the world, 6 self-development, 7 beauty and art, 8 fame. */
  life_main?: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
  /** 1 very negative, 2 negative, 3 compromising, 4 neutral, 5 positive; so is `alcohol`. */
  smoking?: 0 | 1 | 2 | 3 | 4 | 5;
  alcohol?: 0 | 1 | 2 | 3 | 4 | 5;
}

/** The partner of a relationship, a shorter user object. */
export type SocialNetworkRelationPartner = Pick<SocialNetworkProfile, 'id' | 'first_name' | 'last_name'> &
  Partial<Pick<SocialNetworkProfile, 'deactivated' | 'hidden' | 'is_closed' | 'can_access_closed'>>;

/** A relative of the user; `id` if the network knows them, below 0 if not. */
export interface SocialNetworkRelative extends Optional<string, 'name birth_date'> {
  id?: number;
  type?: 'parent' | 'child' | 'grandparent' | 'grandchild' | 'sibling';
}

/** What the user does now, with the identifier and name of the school, university or company. */
export interface SocialNetworkOccupation extends Optional<number, 'id city_id graduate_year'> {
  type?: 'work' | 'school' | 'university';
  name?: string;
}

/** An employment: `group_id` is the company's community, `from` and `until` are years. */
export interface SocialNetworkCareer
  extends Optional<number, 'id group_id country_id city_id from until'>,
    Optional<string, 'company city_name position'> {}

/** A military service; `from` and `until` are years. */
export interface SocialNetworkMilitary extends Optional<number, 'id from until'> {
  country_id: number;
  unit: string;
  unit_id: number;
}

/** A school that the user attended. `country` and `city` are documented as numbers, and sent as text, too. */
export interface SocialNetworkSchool
  extends Optional<string, 'id name class speciality type_str'>,
    Optional<number, 'class_id type year_from year_to year_graduated'>,
    Optional<number | string, 'country city'> {}

/** A university that the user attended. */
export interface SocialNetworkUniversity
  extends Optional<number, 'id country city faculty chair education_form_id education_status_id'>,
    Optional<number, 'graduation university_group_id'>,
    Optional<string, 'name faculty_name chair_name education_form education_status'> {}

/** Last visit, `time` in seconds since 1970. */
export interface SocialNetworkLastSeen {
  time?: number;
  /** 1 mobile site, 2 iPhone, 3 iPad, 4 Android, 5 Windows Phone, 6 Windows 10, 7 full site. */
  platform?: 1 | 2 | 3 | 4 | 5 | 6 | 7;
}

/** Numbers of the things that the user has. */
export type SocialNetworkCounters = Optional<
  number,
  | 'albums articles audios badges clips clips_followers clips_likes clips_views followers friends'
  | 'friends_followers gifts groups mutual_friends new_photo_tags new_recognition_tags notes online_friends'
  | 'pages photos podcasts posts subscriptions user_photos user_videos video_playlists videos'
  | 'videos_followers wishes'
>;

/** What an application may name as its own type of record. */
// biome-ignore lint/suspicious/noExplicitAny: its fields may be of any type.
export type AnyRecord = Record<string, any>;

/**
 * Response of VK ID to the user-info request, with `profileFields` together with the user's record from `users.get`.
 *
 * @see https://id.vk.ru/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-description (read 2026-11)
 */
export interface VkIdProfile {
  /** The user who logged in. */
  user: VkIdUser;
  /** The record from `users.get`; absent without `profileFields` or if that request failed. */
  lookup?: SocialNetworkRecord;
}

/**
 * The user, as far as the granted scopes allow. The name is in the language of the request, `birthday` is `DD.MM.YYYY`, `avatar` the URL of a
 * picture. Only with the scopes of their names come `phone`, digits without `+`, and `email`, not known to be verified; either is empty if there
 * is none.
 */
export interface VkIdUser extends Optional<string, 'first_name last_name phone email avatar birthday'> {
  /** ID, digits; the same number as the classic `id`. */
  user_id: string;
  /** 0 unknown, 1 female, 2 male. */
  sex?: 0 | 1 | 2;
  /** Whether the account is confirmed; says nothing about the e-mail address. */
  verified?: boolean;
}

/** The protocols of the network: `'2.0'` is the classic one, `'2.1'` VK ID. */
export type SocialNetworkVersion = '2.0' | '2.1';

/** The classic token response, as verify gets it. There is no refresh token. */
export interface SocialNetworkClassicParams extends TokenResponse {
  /** The user's ID. */
  readonly user_id: number;
  /** Seconds until the access token expires; 0 means it never expires. */
  readonly expires_in: number;
  /** Only with the scope `email`, and only if the account has an address. */
  readonly email?: string;
}

/** VK ID's token response, as verify gets it. */
export interface VkIdParams extends TokenResponse {
  /** The user's ID. */
  readonly user_id: number;
  /** Every refresh needs it: store it with the refresh token. Added from the authorization response. */
  readonly device_id: string;
  /** The granted scopes, joined with spaces. */
  readonly scope?: string;
  /** Seconds until the access token expires. */
  readonly expires_in?: number;
}

/** The token response of one version. */
export type SocialNetworkParams<V extends SocialNetworkVersion = SocialNetworkVersion> = V extends '2.1'
  ? VkIdParams
  : SocialNetworkClassicParams;

/** `profile._json` of one version, as it arrives, unless the application names a type of its own. */
export type SocialNetworkRecordOf<P extends AnyRecord, V extends SocialNetworkVersion> = RecordOf<
  P,
  SocialNetworkProfile,
  V extends '2.1' ? VkIdProfile : SocialNetworkRecord
>;

/** What verify gets: a refresh token from VK ID only. */
export type SocialNetworkValues<
  P extends AnyRecord = SocialNetworkProfile,
  V extends SocialNetworkVersion = '2.0',
> = VerifyValues<SocialNetworkRecordOf<P, V>, SocialNetworkParams<V>>;
