/**
 * User object of the social network, spelled as the network sends it.
 *
 * Beyond the identifier and the name the network sends only the fields that the request named in its `fields`
 * parameter, and leaves out most of those that the user hides. "The viewer" below is the user whose token made the
 * request: in a login, the same user.
 *
 * @see https://dev.vk.com/ru/reference/objects/user (read 2026-11)
 */
export interface SocialNetworkProfile {
  /** Unique ID, an integer of up to 64 bits. */
  id: number;
  /** First name; a deleted account carries a placeholder. */
  first_name: string;
  /** Last name; may be empty. */
  last_name: string;
  /** Address of the square profile image, 100 pixels wide; a placeholder picture when the user has none. */
  photo_100: string;
  /** Whether the privacy settings hide the profile; absent when `deactivated` is set. */
  is_closed: boolean;
  /** Whether the viewer may see the profile though it is closed; absent when `deactivated` is set. */
  can_access_closed: boolean;

  /** Why the account is gone, `deleted` or `banned`; optional fields are missing then. */
  deactivated?: string;
  /** E-mail address; the network sends it only in the token response. */
  email?: string;
  /** Short address of the page, or `id` and the ID if the user chose none. */
  screen_name?: string;
  /** Short address of the page, as `screen_name`. */
  domain?: string;
  /** Patronymic or second name. */
  nickname?: string;
  /** Last name before marriage. */
  maiden_name?: string;

  /** First name in the nominative case. */
  first_name_nom?: string;
  /** First name in the genitive case. */
  first_name_gen?: string;
  /** First name in the dative case. */
  first_name_dat?: string;
  /** First name in the accusative case. */
  first_name_acc?: string;
  /** First name in the instrumental case. */
  first_name_ins?: string;
  /** First name in the prepositional case. */
  first_name_abl?: string;
  /** Last name in the nominative case. */
  last_name_nom?: string;
  /** Last name in the genitive case. */
  last_name_gen?: string;
  /** Last name in the dative case. */
  last_name_dat?: string;
  /** Last name in the accusative case. */
  last_name_acc?: string;
  /** Last name in the instrumental case. */
  last_name_ins?: string;
  /** Last name in the prepositional case. */
  last_name_abl?: string;

  /** Date of birth, `D.M.YYYY`, or `D.M` when the user hides the year. */
  bdate?: string;
  /** 0 unknown, 1 female, 2 male. */
  sex?: 0 | 1 | 2;
  /** Town where the user grew up, free text. */
  home_town?: string;
  /** Town given as contact. */
  city?: SocialNetworkCity;
  /** Country given as contact. */
  country?: SocialNetworkCountry;
  /** Phone numbers. */
  contacts?: SocialNetworkContacts;
  /** Website, as the user wrote it. */
  site?: string;
  /** Accounts at external services. */
  connections?: SocialNetworkConnections;
  /** External services to which the user's posts are exported. */
  exports?: SocialNetworkExports;
  /** Time zone, sent to the user themselves only. */
  timezone?: number;

  /** Whether there is a profile image, rather than a placeholder picture. */
  has_photo?: SocialNetworkFlag;
  /** Identifier of the profile image, `<owner>_<photo>` such as `6492_192164258`. */
  photo_id?: string;
  /** Address of the square profile image, 50 pixels wide. */
  photo_50?: string;
  /** Address of the square profile image, 200 pixels wide; absent when the image is smaller. */
  photo_200?: string;
  /** Address of the uncut profile image, 200 pixels wide. */
  photo_200_orig?: string;
  /** Address of the square profile image, 400 pixels wide; absent when the image is smaller. */
  photo_400?: string;
  /** Address of the uncut profile image, 400 pixels wide; absent when the image is smaller. */
  photo_400_orig?: string;
  /** Address of the widest square profile image. */
  photo_max?: string;
  /** Address of the widest uncut profile image. */
  photo_max_orig?: string;
  /** How the profile image was cut from the photo. */
  crop_photo?: SocialNetworkCropPhoto;

  /** Text about the user, in their own words. */
  about?: string;
  /** Activities, free text. */
  activities?: string;
  /** Interests, free text. */
  interests?: string;
  /** Favourite books, free text. */
  books?: string;
  /** Favourite games, free text. */
  games?: string;
  /** Favourite films, free text. */
  movies?: string;
  /** Favourite music, free text. */
  music?: string;
  /** Favourite television programmes, free text. */
  tv?: string;
  /** Favourite quotations, free text. */
  quotes?: string;
  /** Line of text below the name on the page. */
  status?: string;
  /** Track that plays, if the user shows it instead of the status line. */
  status_audio?: SocialNetworkStatusAudio;
  /** Views and habits that the user states. */
  personal?: SocialNetworkPersonal;

  /**
   * 0 not given, 1 single, 2 in a relationship, 3 engaged, 4 married, 5 complicated, 6 searching, 7 in love,
   * 8 in a civil union.
   */
  relation?: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
  /** The partner of `relation`, if the user named one. */
  relation_partner?: SocialNetworkRelationPartner;
  /** Family members that the user named. */
  relatives?: SocialNetworkRelative[];

  /** What the user does now. */
  occupation?: SocialNetworkOccupation;
  /** Employment; the network's schema of API 5.199 has a list of them here. */
  career?: SocialNetworkCareer;
  /** Military service; the network's schema of API 5.199 has a list of them here. */
  military?: SocialNetworkMilitary;
  /** Higher education; the network's schema of API 5.199 has these fields on the record itself. */
  education?: SocialNetworkEducation;
  /** Schools, the user's own list. */
  schools?: SocialNetworkSchool[];
  /** Universities, the user's own list. */
  universities?: SocialNetworkUniversity[];

  /** Whether the user is on the site now. */
  online?: SocialNetworkFlag;
  /** Whether the user is online by telephone, site or app. */
  online_mobile?: SocialNetworkFlag;
  /** Identifier of the app with which the user is online. */
  online_app?: number;
  /** Last visit. */
  last_seen?: SocialNetworkLastSeen;
  /** Whether the page has the network's tick; says nothing about an e-mail address. */
  verified?: SocialNetworkFlag;
  /** Whether the page has the fire sign of a trending author. */
  trending?: SocialNetworkFlag;
  /** Whether the network knows a mobile number of the user. */
  has_mobile?: SocialNetworkFlag;
  /** Whether the page is kept from search engines. */
  is_no_index?: SocialNetworkFlag;
  /** What the wall shows first: everybody's posts or the owner's. */
  wall_default?: 'all' | 'owner';
  /** Followers, an integer. */
  followers_count?: number;
  /** Numbers of the things that the user has. */
  counters?: SocialNetworkCounters;

  /** Friends that the user and the viewer have in common, an integer. */
  common_count?: number;
  /** Whether the user and the viewer are friends. */
  is_friend?: SocialNetworkFlag;
  /** 0 no friend of the viewer, 1 request sent to the user, 2 request received from the user, 3 friend. */
  friend_status?: 0 | 1 | 2 | 3;
  /** Whether the viewer bookmarked the user. */
  is_favorite?: SocialNetworkFlag;
  /** Whether the viewer's news leave the user out. */
  is_hidden_from_feed?: SocialNetworkFlag;
  /** Whether the user blocked the viewer. */
  blacklisted?: SocialNetworkFlag;
  /** Whether the viewer blocked the user. */
  blacklisted_by_me?: SocialNetworkFlag;
  /** Whether the viewer may post on the user's wall. */
  can_post?: SocialNetworkFlag;
  /** Whether the viewer may see other people's posts on the user's wall. */
  can_see_all_posts?: SocialNetworkFlag;
  /** Whether the viewer may see the user's audio. */
  can_see_audio?: SocialNetworkFlag;
  /** Whether the viewer may ask the user for friendship. */
  can_send_friend_request?: SocialNetworkFlag;
  /** Whether the viewer may write to the user in private. */
  can_write_private_message?: SocialNetworkFlag;
}

/** Yes or no as the network writes it: 1 yes, 0 no. */
export type SocialNetworkFlag = 0 | 1;

/** A town. */
export interface SocialNetworkCity {
  /** Identifier in the network's database of towns. */
  id: number;
  /** Name of the place. */
  title: string;
}

/** A country. */
export interface SocialNetworkCountry {
  /** Identifier in the network's database of countries. */
  id: number;
  /** Name of the place. */
  title: string;
}

/** Phone numbers as the user wrote them; the network may put both fields on the record itself. */
export interface SocialNetworkContacts {
  /** Mobile number. */
  mobile_phone?: string;
  /** Further number. */
  home_phone?: string;
}

/**
 * The user's names at five external services.
 *
 * The field names are neutral placeholders: the network sends each service under its own name, and may put it on the
 * record itself.
 */
export interface SocialNetworkConnections {
  /** Name at the first service. */
  service_1?: string;
  /** Name at the second service. */
  service_2?: string;
  /** Name at the third service. */
  service_3?: string;
  /** Name at the fourth service. */
  service_4?: string;
  /** Name at the fifth service. */
  service_5?: string;
}

/**
 * Export of posts to four external services.
 *
 * The field names are neutral placeholders: the network sends each service under its own name.
 */
export interface SocialNetworkExports {
  /** Export to the first service. */
  export_1?: number;
  /** Export to the second service. */
  export_2?: number;
  /** Export to the third service. */
  export_3?: number;
  /** Export to the fourth service. */
  export_4?: number;
}

/** How the profile image and its thumbnail were cut from a photo. */
export interface SocialNetworkCropPhoto {
  /** The photo. */
  photo: SocialNetworkPhoto;
  /** The part of `photo` that is the profile image. */
  crop: SocialNetworkRectangle;
  /** The square part of `crop` that is the thumbnail. */
  rect: SocialNetworkRectangle;
}

/** Part of an image, between two corners given in per cent of its width and height. */
export interface SocialNetworkRectangle {
  /** Upper left corner, from the left edge. */
  x: number;
  /** Upper left corner, from the upper edge. */
  y: number;
  /** Lower right corner, from the left edge. */
  x2: number;
  /** Lower right corner, from the upper edge. */
  y2: number;
}

/** A photo in one of the user's albums. */
export interface SocialNetworkPhoto {
  /** Identifier among the owner's photos. */
  id: number;
  /** Identifier of the album. */
  album_id: number;
  /** Identifier of the owner. */
  owner_id: number;
  /** Identifier of the user who uploaded it. */
  user_id?: number;
  /** Identifier of the post that carries it. */
  post_id?: number;
  /** Access key of the photo. */
  access_key?: string;
  /** Time of upload, seconds since 1970. */
  date: number;
  /** Caption. */
  text?: string;
  /** Name of the place. */
  place?: string;
  /** Latitude of the place, degrees. */
  lat?: number;
  /** Longitude of the place, degrees. */
  long?: number;
  /** Whether people or things are tagged in it. */
  has_tags: boolean;
  /** Whether the viewer may comment on it. */
  can_comment?: SocialNetworkFlag;
  /** Width of the original, pixels. */
  width?: number;
  /** Height of the original, pixels. */
  height?: number;
  /** Address of a copy. */
  photo_256?: string;
  /** Copies by size. */
  images?: SocialNetworkPhotoImage[];
  /** Copies by size, with the fuller list of sizes. */
  sizes?: SocialNetworkPhotoSize[];
}

/** A copy of a photo in one of the sizes that the network keeps. */
export interface SocialNetworkPhotoImage {
  /** Letter by which the network names the size. */
  type?: 'p' | 'q' | 's' | 'r' | 'x' | 'y' | 'm' | 'l' | 'o' | 'z' | 'w';
  /** Address of the image. */
  url?: string;
  /** Pixels. */
  width?: number;
  /** Pixels. */
  height?: number;
}

/** A copy of a photo in one of the sizes that the network keeps, service sizes included. */
export interface SocialNetworkPhotoSize {
  /** Letter or word by which the network names the size. */
  type?:
    | 'max'
    | 'k'
    | 'a'
    | 'b'
    | 'i'
    | 'p'
    | 'q'
    | 's'
    | 'g'
    | 'd'
    | 'r'
    | 'x'
    | 'y'
    | 'm'
    | 'l'
    | 'o'
    | 'z'
    | 'w'
    | 'c'
    | 'e'
    | 'j'
    | 'temp'
    | 'h'
    | 'n'
    | 'f';
  /** Address of the image. */
  url?: string;
  /** Address of the image, under its older name. */
  src?: string;
  /** Pixels. */
  width?: number;
  /** Pixels. */
  height?: number;
}

/** The track that plays. */
export interface SocialNetworkStatusAudio {
  /** Identifier among the owner's tracks. */
  id: number;
  /** Identifier of the owner. */
  owner_id: number;
  /** Artist. */
  artist: string;
  /** Title. */
  title: string;
  /** Length, seconds. */
  duration: number;
  /** Performer. */
  performer?: string;
  /** Identifier of the album. */
  album_id?: number;
  /** Identifier of the genre. */
  genre_id?: number;
  /** Time of upload, seconds since 1970. */
  date?: number;
  /** Address of the sound file. */
  url?: string;
  /** Access key of the track. */
  access_key?: string;
}

/** Views and habits that the user states. */
export interface SocialNetworkPersonal {
  /**
   * 1 communist, 2 socialist, 3 moderate, 4 liberal, 5 conservative, 6 monarchist, 7 ultraconservative, 8 indifferent,
   * 9 libertarian.
   */
  political?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
  /** Languages, by name. */
  langs?: string[];
  /** World view, free text. */
  religion?: string;
  /** Sources of inspiration, free text. */
  inspired_by?: string;
  /**
   * What counts in people: 1 mind and creativity, 2 kindness and honesty, 3 beauty and health, 4 power and wealth,
   * 5 courage and persistence, 6 humour and love of life.
   */
  people_main?: 1 | 2 | 3 | 4 | 5 | 6;
  /**
   * What counts in life: 1 family and children, 2 career and money, 3 entertainment and leisure, 4 science and
   * research, 5 improving the world, 6 self-development, 7 beauty and art, 8 fame and influence.
   */
  life_main?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
  /** View of smoking: 1 very negative, 2 negative, 3 compromising, 4 neutral, 5 positive. */
  smoking?: 1 | 2 | 3 | 4 | 5;
  /** View of alcohol: 1 very negative, 2 negative, 3 compromising, 4 neutral, 5 positive. */
  alcohol?: 1 | 2 | 3 | 4 | 5;
}

/** The partner of a relationship, a shorter user object. */
export interface SocialNetworkRelationPartner {
  /** Unique identifier. */
  id: number;
  /** First name. */
  first_name: string;
  /** Last name. */
  last_name: string;
  /** Why the account is gone, `deleted` or `banned`. */
  deactivated?: string;
  /** Set when the profile is hidden from callers without a user's token. */
  hidden?: number;
  /** Whether the privacy settings hide the profile. */
  is_closed?: boolean;
  /** Whether the viewer may see the profile though it is closed. */
  can_access_closed?: boolean;
}

/** A relative of the user. */
export interface SocialNetworkRelative {
  /** ID, if the relative is a user of the network. */
  id?: number;
  /** Name, if the relative is no user of the network. */
  name?: string;
  /** What the relative is to the user. */
  type?: 'parent' | 'child' | 'grandparent' | 'grandchild' | 'sibling';
}

/** What the user does now. */
export interface SocialNetworkOccupation {
  /** Kind of occupation; `school` is secondary education. */
  type?: 'work' | 'school' | 'university';
  /** Identifier of the school, university or company's community. */
  id?: number;
  /** Name of the school, university or company. */
  name?: string;
}

/** An employment. */
export interface SocialNetworkCareer {
  /** ID of the company's community; `company` if it has none. */
  group_id?: number;
  /** Name of the company; `group_id` if it has a community. */
  company?: string;
  /** Identifier in the network's database of countries. */
  country_id?: number;
  /** ID in the network's database of towns; `city_name` if it has none. */
  city_id?: number;
  /** Name of the town; `city_id` if the network knows it. */
  city_name?: string;
  /** Year it began. */
  from?: number;
  /** Year it ended. */
  until?: number;
  /** Post held. */
  position?: string;
}

/** A military service. */
export interface SocialNetworkMilitary {
  /** Identifier in the network's database of countries. */
  country_id: number;
  /** Name or number of the unit. */
  unit: string;
  /** Identifier in the network's database of units. */
  unit_id: number;
  /** Year it began. */
  from?: number;
  /** Year it ended. */
  until?: number;
}

/** Higher education in short. */
export interface SocialNetworkEducation {
  /** Identifier of the university. */
  university?: number;
  /** Name of the university. */
  university_name?: string;
  /** Identifier of the faculty. */
  faculty?: number;
  /** Name of the faculty. */
  faculty_name?: string;
  /** Year of graduation. */
  graduation?: number;
}

/** A school that the user attended. */
export interface SocialNetworkSchool {
  /** Identifier in the network's database of schools. */
  id?: string;
  /** Name. */
  name?: string;
  /** Identifier in the network's database of countries. */
  country?: number;
  /** Identifier in the network's database of towns. */
  city?: number;
  /** Letter of the class. */
  class?: string;
  /** Subject of specialisation. */
  speciality?: string;
  /** Number of the kind of school, from 0 for a general one. */
  type?: number;
  /** Name of the kind of school. */
  type_str?: string;
  /** Year the user came. */
  year_from?: number;
  /** Year the user left. */
  year_to?: number;
  /** Year of graduation. */
  year_graduated?: number;
}

/** A university that the user attended. */
export interface SocialNetworkUniversity {
  /** Identifier in the network's database of universities. */
  id?: number;
  /** Name. */
  name?: string;
  /** Identifier in the network's database of countries. */
  country?: number;
  /** Identifier in the network's database of towns. */
  city?: number;
  /** Identifier of the faculty. */
  faculty?: number;
  /** Name of the faculty. */
  faculty_name?: string;
  /** Identifier of the chair. */
  chair?: number;
  /** Name of the chair. */
  chair_name?: string;
  /** Form of study, such as full-time, in words. */
  education_form?: string;
  /** Status, such as student or graduate, in words. */
  education_status?: string;
  /** Year of graduation. */
  graduation?: number;
  /** Identifier of a group at the university; the network does not document which. */
  university_group_id?: number;
}

/** Last visit of the user. */
export interface SocialNetworkLastSeen {
  /** Time of the visit, seconds since 1970. */
  time?: number;
  /** 1 mobile site, 2 iPhone, 3 iPad, 4 Android, 5 Windows Phone, 6 Windows 10, 7 full site. */
  platform?: 1 | 2 | 3 | 4 | 5 | 6 | 7;
}

/** Numbers of the things that the user has, integers; sent when a single user is asked for with a token. */
export interface SocialNetworkCounters {
  /** Photo albums. */
  albums?: number;
  /** Audio tracks. */
  audios?: number;
  /** Followers. */
  followers?: number;
  /** Friends. */
  friends?: number;
  /** Communities. */
  groups?: number;
  /** Friends in common with the viewer. */
  mutual_friends?: number;
  /** Notes. */
  notes?: number;
  /** Friends who are online. */
  online_friends?: number;
  /** Pages that the user follows. */
  pages?: number;
  /** Photos. */
  photos?: number;
  /** Videos in which the user is tagged. */
  user_videos?: number;
  /** Videos. */
  videos?: number;
}

/** What an application may name as its own type of record. */
// biome-ignore lint/suspicious/noExplicitAny: its fields may be of any type.
export type AnyRecord = Record<string, any>;

/**
 * Response of VK ID to the user-info request, spelled as the network sends it; with `profileFields`, together with the user's record from
 * `users.get`.
 *
 * @see https://id.vk.ru/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-description (read 2026-11)
 */
export interface VkIdProfile {
  /** The user who logged in. */
  user: VkIdUser;
  /** The record from `users.get`; absent without `profileFields` or if that request failed. */
  lookup?: Partial<SocialNetworkProfile>;
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
