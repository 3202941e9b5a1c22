import { expectTypeOf } from 'expect-type';
import type { FIELDS } from '../../lib/social-network/fields.js';
import type {
  SocialNetworkCareer,
  SocialNetworkCity,
  SocialNetworkConnections,
  SocialNetworkContacts,
  SocialNetworkCounters,
  SocialNetworkCountry,
  SocialNetworkCropPhoto,
  SocialNetworkEducation,
  SocialNetworkExports,
  SocialNetworkFlag,
  SocialNetworkLastSeen,
  SocialNetworkMilitary,
  SocialNetworkOccupation,
  SocialNetworkPersonal,
  SocialNetworkPhoto,
  SocialNetworkPhotoImage,
  SocialNetworkPhotoSize,
  SocialNetworkProfile,
  SocialNetworkRectangle,
  SocialNetworkRelationPartner,
  SocialNetworkRelative,
  SocialNetworkSchool,
  SocialNetworkStatusAudio,
  SocialNetworkUniversity,
} from '../../lib/social-network/record.js';
import type { KnownKeys, RequiredKeys } from './keys.js';

// Six fields are required; the others are optional.
expectTypeOf<RequiredKeys<SocialNetworkProfile>>().toEqualTypeOf<
  'can_access_closed' | 'first_name' | 'id' | 'is_closed' | 'last_name' | 'photo_100'
>();

// Every field has the right type, and there are no others.
expectTypeOf<SocialNetworkProfile>().toEqualTypeOf<{
  can_access_closed: boolean;
  first_name: string;
  id: number;
  is_closed: boolean;
  last_name: string;
  photo_100: string;

  about?: string;
  activities?: string;
  bdate?: string;
  books?: string;
  deactivated?: string;
  domain?: string;
  email?: string;
  first_name_abl?: string;
  first_name_acc?: string;
  first_name_dat?: string;
  first_name_gen?: string;
  first_name_ins?: string;
  first_name_nom?: string;
  games?: string;
  home_town?: string;
  interests?: string;
  last_name_abl?: string;
  last_name_acc?: string;
  last_name_dat?: string;
  last_name_gen?: string;
  last_name_ins?: string;
  last_name_nom?: string;
  maiden_name?: string;
  movies?: string;
  music?: string;
  nickname?: string;
  photo_200?: string;
  photo_200_orig?: string;
  photo_400?: string;
  photo_400_orig?: string;
  photo_50?: string;
  photo_id?: string;
  photo_max?: string;
  photo_max_orig?: string;
  quotes?: string;
  screen_name?: string;
  site?: string;
  status?: string;
  tv?: string;

  common_count?: number;
  followers_count?: number;
  online_app?: number;
  timezone?: number;

  blacklisted?: 0 | 1;
  blacklisted_by_me?: 0 | 1;
  can_post?: 0 | 1;
  can_see_all_posts?: 0 | 1;
  can_see_audio?: 0 | 1;
  can_send_friend_request?: 0 | 1;
  can_write_private_message?: 0 | 1;
  has_mobile?: 0 | 1;
  has_photo?: 0 | 1;
  is_favorite?: 0 | 1;
  is_friend?: 0 | 1;
  is_hidden_from_feed?: 0 | 1;
  is_no_index?: 0 | 1;
  online?: 0 | 1;
  online_mobile?: 0 | 1;
  trending?: 0 | 1;
  verified?: 0 | 1;

  friend_status?: 0 | 1 | 2 | 3;
  relation?: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
  sex?: 0 | 1 | 2;
  wall_default?: 'all' | 'owner';

  career?: {
    city_id?: number;
    city_name?: string;
    company?: string;
    country_id?: number;
    from?: number;
    group_id?: number;
    position?: string;
    until?: number;
  };
  city?: {
    id: number;
    title: string;
  };
  country?: {
    id: number;
    title: string;
  };
  connections?: {
    service_1?: string;
    service_2?: string;
    service_3?: string;
    service_4?: string;
    service_5?: string;
  };
  contacts?: {
    home_phone?: string;
    mobile_phone?: string;
  };
  counters?: {
    albums?: number;
    audios?: number;
    followers?: number;
    friends?: number;
    groups?: number;
    mutual_friends?: number;
    notes?: number;
    online_friends?: number;
    pages?: number;
    photos?: number;
    user_videos?: number;
    videos?: number;
  };
  education?: {
    faculty?: number;
    faculty_name?: string;
    graduation?: number;
    university?: number;
    university_name?: string;
  };
  exports?: {
    export_1?: number;
    export_2?: number;
    export_3?: number;
    export_4?: number;
  };
  last_seen?: {
    platform?: 1 | 2 | 3 | 4 | 5 | 6 | 7;
    time?: number;
  };
  military?: {
    country_id: number;
    from?: number;
    unit: string;
    unit_id: number;
    until?: number;
  };
  occupation?: {
    id?: number;
    name?: string;
    type?: 'work' | 'school' | 'university';
  };
  personal?: {
    alcohol?: 1 | 2 | 3 | 4 | 5;
    inspired_by?: string;
    langs?: string[];
    life_main?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
    people_main?: 1 | 2 | 3 | 4 | 5 | 6;
    political?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
    religion?: string;
    smoking?: 1 | 2 | 3 | 4 | 5;
  };
  relation_partner?: {
    can_access_closed?: boolean;
    deactivated?: string;
    first_name: string;
    hidden?: number;
    id: number;
    is_closed?: boolean;
    last_name: string;
  };
  status_audio?: {
    access_key?: string;
    album_id?: number;
    artist: string;
    date?: number;
    duration: number;
    genre_id?: number;
    id: number;
    owner_id: number;
    performer?: string;
    title: string;
    url?: string;
  };
  crop_photo?: {
    crop: { x: number; x2: number; y: number; y2: number };
    photo: {
      album_id: number;
      date: number;
      has_tags: boolean;
      id: number;
      owner_id: number;
      access_key?: string;
      can_comment?: 0 | 1;
      height?: number;
      lat?: number;
      long?: number;
      photo_256?: string;
      place?: string;
      post_id?: number;
      text?: string;
      user_id?: number;
      width?: number;
      images?: {
        height?: number;
        type?: 'p' | 'q' | 's' | 'r' | 'x' | 'y' | 'm' | 'l' | 'o' | 'z' | 'w';
        url?: string;
        width?: number;
      }[];
      sizes?: {
        height?: number;
        src?: string;
        type?:
          | ('max' | 'k' | 'a' | 'b' | 'i' | 'p' | 'q' | 's' | 'g' | 'd' | 'r' | 'x' | 'y' | 'm' | 'l')
          | ('o' | 'z' | 'w' | 'c' | 'e' | 'j' | 'temp' | 'h' | 'n' | 'f');
        url?: string;
        width?: number;
      }[];
    };
    rect: { x: number; x2: number; y: number; y2: number };
  };

  relatives?: {
    id?: number;
    name?: string;
    type?: 'parent' | 'child' | 'grandparent' | 'grandchild' | 'sibling';
  }[];
  schools?: {
    city?: number;
    class?: string;
    country?: number;
    id?: string;
    name?: string;
    speciality?: string;
    type?: number;
    type_str?: string;
    year_from?: number;
    year_graduated?: number;
    year_to?: number;
  }[];
  universities?: {
    chair?: number;
    chair_name?: string;
    city?: number;
    country?: number;
    education_form?: string;
    education_status?: string;
    faculty?: number;
    faculty_name?: string;
    graduation?: number;
    id?: number;
    name?: string;
    university_group_id?: number;
  }[];
}>();

// The record can be used as any record, although it has no index signature.
// biome-ignore lint/suspicious/noExplicitAny: the strategies are generic over this type.
expectTypeOf<SocialNetworkProfile>().toExtend<Record<string, any>>();
expectTypeOf<string>().not.toExtend<keyof SocialNetworkProfile>();

// The nested objects have named types.
type Given = Required<SocialNetworkProfile>;
type Photo = Given['crop_photo']['photo'];
expectTypeOf<Given['career']>().toEqualTypeOf<SocialNetworkCareer>();
expectTypeOf<Given['city']>().toEqualTypeOf<SocialNetworkCity>();
expectTypeOf<Given['connections']>().toEqualTypeOf<SocialNetworkConnections>();
expectTypeOf<Given['contacts']>().toEqualTypeOf<SocialNetworkContacts>();
expectTypeOf<Given['counters']>().toEqualTypeOf<SocialNetworkCounters>();
expectTypeOf<Given['country']>().toEqualTypeOf<SocialNetworkCountry>();
expectTypeOf<Given['crop_photo']>().toEqualTypeOf<SocialNetworkCropPhoto>();
expectTypeOf<Given['crop_photo']['crop']>().toEqualTypeOf<SocialNetworkRectangle>();
expectTypeOf<Given['crop_photo']['rect']>().toEqualTypeOf<SocialNetworkRectangle>();
expectTypeOf<Photo>().toEqualTypeOf<SocialNetworkPhoto>();
expectTypeOf<Required<Photo>['images']>().toEqualTypeOf<SocialNetworkPhotoImage[]>();
expectTypeOf<Required<Photo>['sizes']>().toEqualTypeOf<SocialNetworkPhotoSize[]>();
expectTypeOf<Given['education']>().toEqualTypeOf<SocialNetworkEducation>();
expectTypeOf<Given['exports']>().toEqualTypeOf<SocialNetworkExports>();
expectTypeOf<Given['last_seen']>().toEqualTypeOf<SocialNetworkLastSeen>();
expectTypeOf<Given['military']>().toEqualTypeOf<SocialNetworkMilitary>();
expectTypeOf<Given['occupation']>().toEqualTypeOf<SocialNetworkOccupation>();
expectTypeOf<Given['personal']>().toEqualTypeOf<SocialNetworkPersonal>();
expectTypeOf<Given['relation_partner']>().toEqualTypeOf<SocialNetworkRelationPartner>();
expectTypeOf<Given['relatives']>().toEqualTypeOf<SocialNetworkRelative[]>();
expectTypeOf<Given['schools']>().toEqualTypeOf<SocialNetworkSchool[]>();
expectTypeOf<Given['status_audio']>().toEqualTypeOf<SocialNetworkStatusAudio>();
expectTypeOf<Given['universities']>().toEqualTypeOf<SocialNetworkUniversity[]>();
expectTypeOf<Given['verified']>().toEqualTypeOf<SocialNetworkFlag>();

// Every field of the record can be requested, but for those that always come, or come with others.
expectTypeOf<Exclude<KnownKeys<SocialNetworkProfile>, (typeof FIELDS)[number]>>().toEqualTypeOf<
  'id' | 'first_name' | 'last_name' | 'is_closed' | 'can_access_closed' | 'deactivated' | 'email'
>();
