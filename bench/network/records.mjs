// The people of the three networks, as their documentation shows records.
export const OPEN_ID = '723f24d7-e717-40f8-a2b6-cb8464cd23b4';
export const NUMBER = 743784474;
export const DIGITS = '2244994945';

export const shortVideoUser = {
  open_id: OPEN_ID,
  union_id: 'c9c60f44-a68e-4f5d-84dd-ce22faeb0ba1',
  display_name: 'Somebody',
  avatar_url:
    'https://p19-sign.tiktokcdn-us.com/tos-avt-0068-tx/b17f0e4b3a4f4a50993cf72cda8b88b8~c5_168x168.jpeg',
  avatar_url_100:
    'https://p19-sign.tiktokcdn-us.com/tos-avt-0068-tx/b17f0e4b3a4f4a50993cf72cda8b88b8~c5_100x100.jpeg',
  avatar_large_url:
    'https://p19-sign.tiktokcdn-us.com/tos-avt-0068-tx/b17f0e4b3a4f4a50993cf72cda8b88b8~c5_1080x1080.jpeg',
  username: 'somebody',
  profile_deep_link: 'https://www.tiktok.com/@somebody',
};

export const microblogUser = {
  id: DIGITS,
  name: 'X Developers',
  username: 'XDevelopers',
  created_at: '2013-12-14T04:35:55.000Z',
  description:
    'The voice of the developer community and your source for updates, news and events about the API.',
  location: '127.0.0.1',
  protected: false,
  verified: true,
  verified_type: 'business',
  url: 'https://t.co/3ZX3TNiZCY',
  profile_image_url: 'https://pbs.twimg.com/profile_images/1683501992314798080/normal.jpg',
  entities: {
    url: {
      urls: [{ start: 0, end: 23, url: 'https://t.co/3ZX3TNiZCY', expanded_url: 'https://docs.x.com' }],
    },
  },
};

export const credentialsRecord = {
  id: Number(DIGITS),
  id_str: DIGITS,
  name: 'X Developers',
  screen_name: 'XDevelopers',
  location: '127.0.0.1',
  description: microblogUser.description,
  url: microblogUser.url,
  entities: { ...microblogUser.entities, description: { urls: [] } },
  protected: false,
  followers_count: 583423,
  friends_count: 2048,
  listed_count: 1672,
  created_at: 'Sat Dec 14 04:35:55 +0000 2013',
  favourites_count: 2074,
  utc_offset: null,
  time_zone: null,
  geo_enabled: true,
  verified: true,
  statuses_count: 14052,
  lang: null,
  contributors_enabled: false,
  is_translator: false,
  profile_background_color: 'FFFFFF',
  profile_image_url: 'http://pbs.twimg.com/profile_images/1683501992314798080/normal.jpg',
  profile_image_url_https: microblogUser.profile_image_url,
  profile_link_color: '0084B4',
  default_profile: false,
  default_profile_image: false,
  suspended: false,
  needs_phone_verification: false,
};

export const person = {
  id: NUMBER,
  first_name: 'Персик',
  last_name: 'Рыжий',
  can_access_closed: true,
  is_closed: false,
  screen_name: 'persik',
  sex: 2,
  photo_100:
    'https://sun9-21.userapi.com/s/v1/ig2/photo.jpg?size=100x100&quality=95&crop=0,0,1000,1000&ava=1',
  photo_200:
    'https://sun9-21.userapi.com/s/v1/ig2/photo.jpg?size=200x200&quality=95&crop=0,0,1000,1000&ava=1',
};

export const vkIdUser = {
  user_id: String(NUMBER),
  first_name: 'Персик',
  last_name: 'Рыжий',
  avatar: 'https://sun9-21.userapi.com/s/v1/ig2/photo.jpg?size=200x200&ava=1',
  sex: 2,
  verified: false,
  birthday: '21.12.2000',
};
