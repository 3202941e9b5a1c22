// The interfaces of the document that the records follow, drawn from its tables member by member. Its neutral names of external services are kept.

// biome-ignore lint/suspicious/noExplicitAny: the document says so.
export interface ShortVideoProfile extends Record<string, any> {
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
}

export interface MicroblogProfile {
  data: {
    created_at?: string;
    description?: string;
    email?: string;
    entities?: {
      description: { hashtags: { end: number; start: number; tag: string }[] };
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
  includes?: { tweets?: { id: string; text: string }[] };
  [claims: string]: unknown;
}

export interface SocialNetworkProfile {
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
}
