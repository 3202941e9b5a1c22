import type { FIELD_KINDS } from './fields.js';

/**
 * User object of the social network (VK), with the names and marks of its documentation. `profile._json` is a {@link SocialNetworkRecord}: the
 * same as it arrives.
 *
 * Beyond the identifier and the name the network sends only the fields that the request named, and leaves out most of those that the user hides.
 * The members of `contacts`, `connections` and `education` come on the record itself.
 *
 * @see https://dev.vk.com/ru/reference/objects/user (read 2026-11)
 */
export interface SocialNetworkProfile
  extends Fields,
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

type Fields = { -readonly [Name in keyof typeof FIELD_KINDS]?: Kinds[(typeof FIELD_KINDS)[Name]] };

/** What the kinds of fields are. Where the documentation that this package follows and the network differ, a type admits both. */
type Kinds = {
  text: string;
  number: number;
  flag: SocialNetworkFlag;
  /** Documented as a flag, sent as a boolean. */
  noIndex: SocialNetworkFlag | boolean;
  /** -1 is sent for some banned accounts. */
  sex: -1 | 0 | 1 | 2;
  friendStatus: 0 | 1 | 2 | 3;
  relation: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
  wall: 'all' | 'owner';
  place: SocialNetworkPlace;
  contacts: SocialNetworkContacts;
  connections: SocialNetworkConnections;
  education: SocialNetworkEducation;
  exports: SocialNetworkExports;
  cropPhoto: SocialNetworkCropPhoto;
  audio: SocialNetworkStatusAudio;
  personal: SocialNetworkPersonal;
  partner: SocialNetworkRelationPartner;
  relatives: SocialNetworkRelative[];
  occupation: SocialNetworkOccupation;
  /** Documented as one employment, sent as a list. */
  careers: SocialNetworkCareer | SocialNetworkCareer[];
  /** Documented as one service, sent as a list. */
  military: SocialNetworkMilitary | Partial<SocialNetworkMilitary>[];
  schools: SocialNetworkSchool[];
  universities: SocialNetworkUniversity[];
  lastSeen: SocialNetworkLastSeen;
  counters: SocialNetworkCounters;
};

/** Yes or no as the network writes it: 1 yes, 0 no. */
export type SocialNetworkFlag = 0 | 1;

/** A town or country, with its identifier in the network's database. */
export interface SocialNetworkPlace {
  id: number;
  title: string;
}

/** Phone numbers as the user wrote them. */
export interface SocialNetworkContacts {
  mobile_phone?: string;
  home_phone?: string;
}

/** The user's names at external services. */
export interface SocialNetworkConnections {
  skype?: string;
  facebook?: string;
  facebook_name?: string;
  twitter?: string;
  livejournal?: string;
  instagram?: string;
}

/** External services to which the user's posts are exported. */
export interface SocialNetworkExports {
  facebook?: number;
  livejournal?: number;
  twitter?: number;
  instagram?: number;
}

/** Higher education in short; `graduation` is a year. */
export interface SocialNetworkEducation {
  university?: number;
  university_name?: string;
  faculty?: number;
  faculty_name?: string;
  graduation?: number;
  education_form?: string;
  education_status?: string;
  university_group_id?: number;
}

/** How the picture was cut from a photo: `crop` is the part that is the picture, `rect` the square part of `crop`. */
export interface SocialNetworkCropPhoto {
  photo: SocialNetworkPhoto;
  crop: SocialNetworkRectangle;
  rect: SocialNetworkRectangle;
}

/** Part of an image between its upper left corner (`x`, `y`) and its lower right one (`x2`, `y2`), in per cent of width and height. */
export interface SocialNetworkRectangle {
  x: number;
  y: number;
  x2: number;
  y2: number;
}

/** A photo in one of the user's albums; widths and heights in pixels, `date` in seconds since 1970. */
export interface SocialNetworkPhoto {
  id: number;
  album_id: number;
  owner_id: number;
  date: number;
  has_tags: boolean;
  access_key?: string;
  can_comment?: SocialNetworkFlag;
  height?: number;
  width?: number;
  lat?: number;
  long?: number;
  photo_256?: string;
  place?: string;
  post_id?: number;
  text?: string;
  user_id?: number;
  images?: SocialNetworkPhotoImage[];
  sizes?: SocialNetworkPhotoSize[];
}

type ImageType = 'p' | 'q' | 's' | 'r' | 'x' | 'y' | 'm' | 'l' | 'o' | 'z' | 'w';
type ServiceType = 'max' | 'k' | 'a' | 'b' | 'i' | 'g' | 'd' | 'c' | 'e' | 'j' | 'temp' | 'h' | 'n' | 'f';

/** A copy of a photo; `type` is the letter by which the network names its size. */
export interface SocialNetworkPhotoImage<Type extends string = ImageType> {
  type?: Type;
  url?: string;
  width?: number;
  height?: number;
}

/** A copy of a photo, those for the network's own use included; `src` is the older name of `url`. */
export interface SocialNetworkPhotoSize extends SocialNetworkPhotoImage<ImageType | ServiceType> {
  src?: string;
}

/** The track that plays; `duration` in seconds, `date` in seconds since 1970. The members from `is_explicit` on are observed. */
export interface SocialNetworkStatusAudio {
  id: number;
  owner_id: number;
  artist: string;
  title: string;
  duration: number;
  performer?: string;
  album_id?: number;
  genre_id?: number;
  date?: number;
  url?: string;
  access_key?: string;
  file_size?: number;
  stream_duration?: number;
  is_explicit?: boolean;
  is_focus_track?: boolean;
  track_code?: string;
  main_artists?: { id?: string; name?: string; domain?: string }[];
  short_videos_allowed?: boolean;
  stories_allowed?: boolean;
  stories_cover_allowed?: boolean;
}

/** Views and habits that the user states. 0 is sent for what is not stated. */
export interface SocialNetworkPersonal {
  /** 1 communist, 2 socialist, 3 moderate, 4 liberal, 5 conservative, 6 monarchist, 7 ultraconservative, 8 indifferent, 9 libertarian. */
  political?: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
  /** Languages, by name. */
  langs?: string[];
  langs_full?: object[];
  religion?: string;
  religion_id?: number;
  inspired_by?: string;
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
export interface SocialNetworkRelative {
  id?: number;
  name?: string;
  birth_date?: string;
  type?: 'parent' | 'child' | 'grandparent' | 'grandchild' | 'sibling';
}

/** What the user does now, with the identifier and name of the school, university or company. */
export interface SocialNetworkOccupation {
  type?: 'work' | 'school' | 'university';
  id?: number;
  name?: string;
  city_id?: number;
  graduate_year?: number;
}

/** An employment: `group_id` is the company's community, `from` and `until` are years. */
export interface SocialNetworkCareer {
  id?: number;
  group_id?: number;
  company?: string;
  country_id?: number;
  city_id?: number;
  city_name?: string;
  from?: number;
  until?: number;
  position?: string;
}

/** A military service; `from` and `until` are years. */
export interface SocialNetworkMilitary {
  id?: number;
  country_id: number;
  unit: string;
  unit_id: number;
  from?: number;
  until?: number;
}

/** A school that the user attended. `country` and `city` are documented as numbers, and sent as text, too. */
export interface SocialNetworkSchool {
  id?: string;
  name?: string;
  country?: number | string;
  city?: number | string;
  class?: string;
  class_id?: number;
  speciality?: string;
  type?: number;
  type_str?: string;
  year_from?: number;
  year_to?: number;
  year_graduated?: number;
}

/** A university that the user attended. */
export interface SocialNetworkUniversity {
  id?: number;
  name?: string;
  country?: number;
  city?: number;
  faculty?: number;
  faculty_name?: string;
  chair?: number;
  chair_name?: string;
  education_form?: string;
  education_form_id?: number;
  education_status?: string;
  education_status_id?: number;
  graduation?: number;
  university_group_id?: number;
}

/** Last visit, `time` in seconds since 1970. */
export interface SocialNetworkLastSeen {
  time?: number;
  /** 1 mobile site, 2 iPhone, 3 iPad, 4 Android, 5 Windows Phone, 6 Windows 10, 7 full site. */
  platform?: 1 | 2 | 3 | 4 | 5 | 6 | 7;
}

/** Numbers of the things that the user has. */
export interface SocialNetworkCounters {
  albums?: number;
  articles?: number;
  audios?: number;
  badges?: number;
  clips?: number;
  clips_followers?: number;
  clips_likes?: number;
  clips_views?: number;
  followers?: number;
  friends?: number;
  friends_followers?: number;
  gifts?: number;
  groups?: number;
  mutual_friends?: number;
  new_photo_tags?: number;
  new_recognition_tags?: number;
  notes?: number;
  online_friends?: number;
  pages?: number;
  photos?: number;
  podcasts?: number;
  posts?: number;
  subscriptions?: number;
  user_photos?: number;
  user_videos?: number;
  video_playlists?: number;
  videos?: number;
  videos_followers?: number;
  wishes?: number;
}

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

/** The user, as far as the granted scopes allow. */
export interface VkIdUser {
  /** ID, digits; the same number as the classic `id`. */
  user_id: string;
  /** First name, in the language of the request. */
  first_name?: string;
  /** Surname, in the same language. */
  last_name?: string;
  /** Only with the scope `phone`: digits without `+`; empty if there is none. */
  phone?: string;
  /** Only with the scope `email`; empty if there is none. Not known to be verified. */
  email?: string;
  /** URL of a picture. */
  avatar?: string;
  /** 0 unknown, 1 female, 2 male. */
  sex?: 0 | 1 | 2;
  /** Whether the account is confirmed; says nothing about the e-mail address. */
  verified?: boolean;
  /** `DD.MM.YYYY`. */
  birthday?: string;
}
