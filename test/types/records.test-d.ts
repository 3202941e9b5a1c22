import { expectTypeOf } from 'expect-type';
import type * as microblog from '../../lib/microblog/record.js';
import type * as shortVideo from '../../lib/short-video/record.js';
import type { FIELDS } from '../../lib/social-network/fields.js';
import type * as socialNetwork from '../../lib/social-network/record.js';

/** The declared fields of a type, without its index signatures; optional fields stay optional. */
type KnownFields<T> = {
  [Key in keyof T as string extends Key
    ? never
    : number extends Key
      ? never
      : symbol extends Key
        ? never
        : Key]: T[Key];
};

/** Names that stand in one string, with a space between two. */
type Names<Text extends string> = Text extends `${infer Name} ${infer Rest}` ? Name | Names<Rest> : Text;
type Optional<Text extends string, Value> = { [Name in Names<Text>]?: Value };
/** One object type in place of an intersection. */
type Flat<T> = { [Key in keyof T]: T[Key] };

// Short-video network.
expectTypeOf<KnownFields<shortVideo.ShortVideoProfile>>().toEqualTypeOf<{
  data: {
    user: Flat<
      { avatar_url: string; display_name: string; open_id: string; username: string } & Optional<
        'avatar_large_url avatar_url_100 bio_description email profile_deep_link union_id',
        string
      > &
        Optional<'follower_count following_count likes_count video_count', number> &
        Optional<'is_verified', boolean>
    >;
  };
  error: { code: string; log_id: string; message: string };
}>();

// Undeclared fields are any.
// biome-ignore lint/suspicious/noExplicitAny: the strategies are generic over this type.
expectTypeOf<shortVideo.ShortVideoProfile>().toExtend<Record<string, any>>();
expectTypeOf<shortVideo.ShortVideoProfile[string]>().toBeAny();

// The nested objects have named types.
expectTypeOf<shortVideo.ShortVideoProfile['data']>().toEqualTypeOf<shortVideo.ShortVideoData>();
expectTypeOf<shortVideo.ShortVideoProfile['data']['user']>().toEqualTypeOf<shortVideo.ShortVideoUser>();
expectTypeOf<shortVideo.ShortVideoProfile['error']>().toEqualTypeOf<shortVideo.ShortVideoError>();

// Microblog network.
expectTypeOf<KnownFields<microblog.MicroblogProfile>>().toEqualTypeOf<{
  data: Flat<
    { id: string; name: string; username: string } & Optional<
      'created_at description email location pinned_tweet_id profile_image_url url',
      string
    > &
      Optional<'protected verified', boolean> & {
        entities?: {
          description: { hashtags: { end: number; start: number; tag: string }[] };
          url: {
            urls: { display_url: string; end: number; expanded_url: string; start: number; url: string }[];
          };
        };
      }
  >;
  includes?: { tweets?: { id: string; text: string }[] };
}>();

// Undeclared fields are unknown.
expectTypeOf<microblog.MicroblogProfile[string]>().toBeUnknown();
expectTypeOf<microblog.MicroblogProfile['errors']>().toBeUnknown();

// The nested objects have named types.
type Entities = Required<microblog.MicroblogProfile['data']>['entities'];
type Includes = Required<KnownFields<microblog.MicroblogProfile>>['includes'];
expectTypeOf<microblog.MicroblogProfile['data']>().toEqualTypeOf<microblog.MicroblogUser>();
expectTypeOf<Entities>().toEqualTypeOf<microblog.MicroblogEntities>();
expectTypeOf<Entities['description']>().toEqualTypeOf<microblog.MicroblogDescriptionEntities>();
expectTypeOf<Entities['description']['hashtags']>().toEqualTypeOf<microblog.MicroblogHashtag[]>();
expectTypeOf<Entities['url']>().toEqualTypeOf<microblog.MicroblogUrlEntities>();
expectTypeOf<Entities['url']['urls']>().toEqualTypeOf<microblog.MicroblogUrl[]>();
expectTypeOf<Includes>().toEqualTypeOf<microblog.MicroblogIncludes>();
expectTypeOf<Required<Includes>['tweets']>().toEqualTypeOf<microblog.MicroblogTweet[]>();

// Social network.
type Six = 1 | 2 | 3 | 4 | 5 | 6;
type Rectangle = { x: number; x2: number; y: number; y2: number };
type ImageKind = Names<'p q s r x y m l o z w'>;

expectTypeOf<socialNetwork.SocialNetworkProfile>().toEqualTypeOf<
  Flat<
    {
      can_access_closed: boolean;
      first_name: string;
      id: number;
      is_closed: boolean;
      last_name: string;
      photo_100: string;

      friend_status?: 0 | 1 | 2 | 3;
      relation?: 0 | Six | 7 | 8;
      sex?: 0 | 1 | 2;
      wall_default?: 'all' | 'owner';

      career?: Flat<
        Optional<'city_id country_id from group_id until', number> &
          Optional<'city_name company position', string>
      >;
      city?: { id: number; title: string };
      country?: { id: number; title: string };
      connections?: Optional<'service_1 service_2 service_3 service_4 service_5', string>;
      contacts?: Optional<'home_phone mobile_phone', string>;
      counters?: Optional<
        | Names<'albums audios followers friends groups mutual_friends notes online_friends'>
        | Names<'pages photos user_videos videos'>,
        number
      >;
      education?: Flat<
        Optional<'faculty graduation university', number> & Optional<'faculty_name university_name', string>
      >;
      exports?: Optional<'export_1 export_2 export_3 export_4', number>;
      last_seen?: { platform?: Six | 7; time?: number };
      military?: { country_id: number; from?: number; unit: string; unit_id: number; until?: number };
      occupation?: { id?: number; name?: string; type?: 'work' | 'school' | 'university' };
      personal?: Flat<
        Optional<'inspired_by religion', string> &
          Optional<'alcohol smoking', 1 | 2 | 3 | 4 | 5> & {
            langs?: string[];
            life_main?: Six | 7 | 8;
            people_main?: Six;
            political?: Six | 7 | 8 | 9;
          }
      >;
      relation_partner?: Flat<
        {
          first_name: string;
          id: number;
          last_name: string;
          deactivated?: string;
          hidden?: number;
        } & Optional<'can_access_closed is_closed', boolean>
      >;
      status_audio?: Flat<
        { artist: string; duration: number; id: number; owner_id: number; title: string } & Optional<
          'access_key performer url',
          string
        > &
          Optional<'album_id date genre_id', number>
      >;
      crop_photo?: {
        crop: Rectangle;
        photo: Flat<
          { album_id: number; date: number; has_tags: boolean; id: number; owner_id: number } & Optional<
            'access_key photo_256 place text',
            string
          > &
            Optional<'height lat long post_id user_id width', number> & {
              can_comment?: 0 | 1;
              images?: { height?: number; type?: ImageKind; url?: string; width?: number }[];
              sizes?: {
                height?: number;
                src?: string;
                type?: ImageKind | Names<'max k a b i g d c e j temp h n f'>;
                url?: string;
                width?: number;
              }[];
            }
        >;
        rect: Rectangle;
      };

      relatives?: {
        id?: number;
        name?: string;
        type?: 'parent' | 'child' | 'grandparent' | 'grandchild' | 'sibling';
      }[];
      schools?: Flat<
        Optional<'city country type year_from year_graduated year_to', number> &
          Optional<'class id name speciality type_str', string>
      >[];
      universities?: Flat<
        Optional<'chair city country faculty graduation id university_group_id', number> &
          Optional<'chair_name education_form education_status faculty_name name', string>
      >[];
    } & Optional<
      | Names<'about activities bdate books deactivated domain email games home_town interests maiden_name'>
      | Names<'movies music nickname photo_id photo_50 photo_200 photo_200_orig photo_400 photo_400_orig'>
      | Names<'photo_max photo_max_orig quotes screen_name site status tv'>
      | `${'first' | 'last'}_name_${Names<'abl acc dat gen ins nom'>}`,
      string
    > &
      Optional<'common_count followers_count online_app timezone', number> &
      Optional<
        | Names<'blacklisted blacklisted_by_me can_post can_see_all_posts can_see_audio trending verified'>
        | Names<'can_send_friend_request can_write_private_message has_mobile has_photo is_favorite'>
        | Names<'is_friend is_hidden_from_feed is_no_index online online_mobile'>,
        0 | 1
      >
  >
>();

// The record can be used as any record, although it has no index signature.
// biome-ignore lint/suspicious/noExplicitAny: the strategies are generic over this type.
expectTypeOf<socialNetwork.SocialNetworkProfile>().toExtend<Record<string, any>>();

// The nested objects have named types.
type Given = Required<socialNetwork.SocialNetworkProfile>;
type Photo = Given['crop_photo']['photo'];
expectTypeOf<Given['career']>().toEqualTypeOf<socialNetwork.SocialNetworkCareer>();
expectTypeOf<Given['city']>().toEqualTypeOf<socialNetwork.SocialNetworkCity>();
expectTypeOf<Given['connections']>().toEqualTypeOf<socialNetwork.SocialNetworkConnections>();
expectTypeOf<Given['contacts']>().toEqualTypeOf<socialNetwork.SocialNetworkContacts>();
expectTypeOf<Given['counters']>().toEqualTypeOf<socialNetwork.SocialNetworkCounters>();
expectTypeOf<Given['country']>().toEqualTypeOf<socialNetwork.SocialNetworkCountry>();
expectTypeOf<Given['crop_photo']>().toEqualTypeOf<socialNetwork.SocialNetworkCropPhoto>();
expectTypeOf<Given['crop_photo']['crop']>().toEqualTypeOf<socialNetwork.SocialNetworkRectangle>();
expectTypeOf<Photo>().toEqualTypeOf<socialNetwork.SocialNetworkPhoto>();
expectTypeOf<Required<Photo>['images']>().toEqualTypeOf<socialNetwork.SocialNetworkPhotoImage[]>();
expectTypeOf<Required<Photo>['sizes']>().toEqualTypeOf<socialNetwork.SocialNetworkPhotoSize[]>();
expectTypeOf<Given['education']>().toEqualTypeOf<socialNetwork.SocialNetworkEducation>();
expectTypeOf<Given['exports']>().toEqualTypeOf<socialNetwork.SocialNetworkExports>();
expectTypeOf<Given['last_seen']>().toEqualTypeOf<socialNetwork.SocialNetworkLastSeen>();
expectTypeOf<Given['military']>().toEqualTypeOf<socialNetwork.SocialNetworkMilitary>();
expectTypeOf<Given['occupation']>().toEqualTypeOf<socialNetwork.SocialNetworkOccupation>();
expectTypeOf<Given['personal']>().toEqualTypeOf<socialNetwork.SocialNetworkPersonal>();
expectTypeOf<Given['relation_partner']>().toEqualTypeOf<socialNetwork.SocialNetworkRelationPartner>();
expectTypeOf<Given['relatives']>().toEqualTypeOf<socialNetwork.SocialNetworkRelative[]>();
expectTypeOf<Given['schools']>().toEqualTypeOf<socialNetwork.SocialNetworkSchool[]>();
expectTypeOf<Given['status_audio']>().toEqualTypeOf<socialNetwork.SocialNetworkStatusAudio>();
expectTypeOf<Given['universities']>().toEqualTypeOf<socialNetwork.SocialNetworkUniversity[]>();
expectTypeOf<Given['verified']>().toEqualTypeOf<socialNetwork.SocialNetworkFlag>();

// Every field of the record can be requested, but for those that always come, or come with others.
expectTypeOf<Exclude<keyof socialNetwork.SocialNetworkProfile, (typeof FIELDS)[number]>>().toEqualTypeOf<
  'id' | 'first_name' | 'last_name' | 'is_closed' | 'can_access_closed' | 'deactivated' | 'email'
>();
