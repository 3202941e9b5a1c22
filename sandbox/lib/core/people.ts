/** A user who can log in at the sandbox. One description serves all networks, and each maps it onto its own record. */
export interface SandboxPerson {
  /** Lower-case letters, digits and hyphens: the value of `?person=`. */
  readonly id: string;
  readonly displayName: string;
  /** First name, for networks that split the name. */
  readonly givenName: string;
  /** Surname; empty for a person with a single name. */
  readonly familyName: string;
  /** Handle, without `@`. The microblog network allows 1 to 15 letters, digits or underscores. */
  readonly handle: string;
  /** User ID at the short-video network, specific to the sandbox's application. */
  readonly openId: string;
  /** User ID at the short-video network, the same in all applications of a developer; some users have none. */
  readonly unionId?: string | undefined;
  /** User ID at the microblog network: 1 to 19 digits. */
  readonly microblogId: string;
  /** User ID at the social network: an integer. */
  readonly socialNetworkId: number;
  readonly email?: string | undefined;
  /** Digits, country code first. */
  readonly phone?: string | undefined;
  /** Size of the picture that the sandbox draws; `small` is less than 200 pixels wide. Default: no picture. */
  readonly picture?: 'small' | 'large' | undefined;
  readonly description?: string | undefined;
  readonly location?: string | undefined;
  /** Their own website: an http or https URL. */
  readonly website?: string | undefined;
  /** Missing when they did not say. */
  readonly sex?: 'female' | 'male' | undefined;
  /** Day 1 to 31, month 1 to 12; no year when they hide it. */
  readonly birthday?: { readonly day: number; readonly month: number; readonly year?: number } | undefined;
  /** Whether the account has the network's badge. */
  readonly verified?: boolean | undefined;
  /** Whether only approved followers can see the account. */
  readonly closed?: boolean | undefined;
  /** Post pinned at the microblog network; without a text, the post was deleted and cannot be expanded. */
  readonly pinnedPost?: { readonly id: string; readonly text?: string } | undefined;
  /** State of an account that is no longer active at the social network. */
  readonly deactivated?: 'banned' | 'deleted' | undefined;
}

export function picturePath(person: SandboxPerson, pixels?: number): string | undefined {
  if (person.picture === undefined) return undefined;
  return `/pictures/${person.id}.svg${pixels === undefined ? '' : `?size=${pixels}`}`;
}

/** @param more - Also a display name or handle that does not follow from the names. */
function person(
  id: string,
  givenName: string,
  familyName: string,
  [microblogId, socialNetworkId]: readonly [string, number],
  more: Partial<SandboxPerson> & Pick<SandboxPerson, 'openId'>,
): SandboxPerson {
  const displayName = `${givenName} ${familyName}`.trim();
  const handle = displayName.toLowerCase().replace(' ', '_');
  return { id, displayName, givenName, familyName, handle, microblogId, socialNetworkId, ...more };
}

const ALICE = person('alice', 'Alice', 'Example', ['2244994945', 1000000001], {
  openId: '723f24d7-e717-40f8-a2b6-cb8464cd23b4',
  unionId: 'c9c60f44-a68e-4f5d-84dd-ce22faeb0ba1',
  email: 'alice@example.com',
  phone: '79991234567',
  picture: 'large',
  description: 'Ordinary in every respect. #example',
  location: 'Lisbon',
  website: 'https://alice.example.com/about',
  sex: 'female',
  birthday: { day: 17, month: 5, year: 1990 },
  verified: true,
  pinnedPost: { id: '1255542774432063488', text: 'Good morning from the sandbox.' },
});

/** The default people of a sandbox. Each has something that breaks careless software. */
export const PEOPLE: readonly SandboxPerson[] = [
  ALICE,
  person('anna', 'Анна', 'Примерова', ['783214', 743784474], {
    openId: '_Xq0tN5yD3kQm1vB8sLwZr2cHf7gJp9aUeKo4iYdTnM',
    handle: 'anna_primerova',
    unionId: '4f1c2f8e-93ab-4c55-8f0e-1d7c5b6a9e21',
    email: 'anna@example.com',
    picture: 'large',
    description: 'Имя кириллицей.',
    location: 'Казань',
    sex: 'female',
    birthday: { day: 3, month: 7 },
    pinnedPost: { id: '1234567890' },
  }),
  // Their IDs are another person's at each of the other networks.
  person('hanako', '花子 👩‍🚀', '🌸', ['5', 66748], {
    openId: '12',
    // From 11 on, every even place is within a character.
    displayName: '🌸 花子 👩‍🚀🌸🌸🌸🌸🌸🌸🌸🌸🌸🌸🌸🌸🌸🌸🌸🌸🌸🌸',
    handle: 'hanako',
    unionId: '0b7a5dc1-2f60-4e0a-9b5c-6f1e8d3c7a42',
    email: 'hanako@example.com',
    description: '絵文字と漢字、写真なし 📷🚫',
    closed: true,
  }),
  person('ned', 'Ned', 'Noaddress', ['38895958', 12345678], {
    openId: '5c1d8e0a-3f7b-4b7e-9d24-7f2a6c90e1b8',
    picture: 'small',
    description: 'Has no e-mail address, no union_id and a small picture.',
    sex: 'male',
  }),
  person('max', 'Max', 'Bignumber', ['1823456789012345679', 2147483648], {
    openId: '-000dXQ7_yB2mZ9kLr4VtSw1pNfHc6gJe3uAiEoKdMxY',
    unionId: 'e2d9b0c4-7a13-4c68-8e5f-90ab3d1f6c77',
    email: 'max@example.com',
    picture: 'large',
    description: 'Has identifiers that break software: beyond 2^53, and with a leading hyphen.',
    sex: 'male',
  }),
  person('boris', 'Boris', 'Banned', ['17874544', 555000555], {
    openId: 'b8f0c3aa-6f0d-4d1b-8a1e-2e4c9d7f5a60',
    unionId: '7d5e9a31-0c48-4f9e-b3a7-58c1f2e6d094',
    email: 'boris@example.com',
    description: 'Banned by the social network.',
    deactivated: 'banned',
  }),
  person(
    'hubert',
    'Hubert Blaine Adolph Charles David Earl Frederick Gerald Hubert Irvin John',
    'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaftschaferswessenschafe',
    ['9223372036854775807', 9007199254740991],
    {
      openId: '_000Hb9dQ7yB2mZ9kLr4VtSw1pNfHc6gJe3uAiEoKdMxYTz8Rq5Wv0Xn2Cs7Pl4Gj1Fb6Uh3-Ka',
      displayName:
        'Hubert Blaine Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaftschaferswessenschafe Sr.',
      handle: 'hubert_blaine_w',
      unionId: 'u-Hb9dQ7yB2mZ9kLr4VtSw1pNfHc6gJe3uAiEoKdMxYTz8Rq5Wv0Xn2Cs7Pl4Gj1Fb6Uh3Ka-9d2e',
      email: 'hubert.blaine.wolfeschlegelsteinhausenbergerdorff.welche.voraltern@long-names.example.com',
      picture: 'large',
      description: `Has names and identifiers of more than 64 characters, and the largest numbers there are. ${'Und so weiter. '.repeat(8).trim()}`,
      sex: 'male',
      birthday: { day: 29, month: 2, year: 1904 },
    },
  ),
  person('layla', 'ليلى', '', ['12', 5], {
    openId: '66748',
    handle: 'layla',
    description:
      'Written from right to left; one name alone, no e-mail address, no picture, the shortest numbers.',
    sex: 'female',
  }),
  person('dora', 'Dora', 'Deleted', ['21462353', 200100500], {
    // Ned's, without its hyphens.
    openId: '5c1d8e0a3f7b4b7e9d247f2a6c90e1b8',
    unionId: 'a94c1e77-20b5-4c3e-8f1d-6b2e9d0c5f38',
    description: 'Deleted the account at the social network.',
    deactivated: 'deleted',
  }),
  person('maxine', 'Maxine', '<b>Twin</b>', ['1823456789012345678', 6442450944], {
    openId: '-000DxQ7_yB2mZ9kLr4VtSw1pNfHc6gJe3uAiEoKdMxY',
    handle: 'max_bignumber',
    email: 'max@example.com',
    description:
      'Is not Max: the IDs differ in letter case or beyond 2^53 or 2^32, and all else is the same. The name is markup.',
    sex: 'female',
  }),
  person('nora', 'Nora', "O'Neil", ['12244994945', 11000000001], {
    openId: '_000Hb9dQ7yB2mZ9kLr4VtSw1pNfHc6gJe3uAiEoKdMxYTz8Rq5Wv0Xn2Cs7Pl4Gj1Fb6Uh3_Ka',
    displayName: `Nora "No" O'Neil`,
    handle: 'nora_oneil',
    picture: 'large',
    description: `Has quotation marks and an apostrophe in the name. The IDs are Hubert's but for a hyphen near the end, and Alice's but for the first digit.`,
    sex: 'female',
  }),
  {
    ...ALICE,
    id: 'alison',
    // Alice's, but for a hyphen at the beginning.
    openId: '-723f24d7-e717-40f8-a2b6-cb8464cd23b4',
    unionId: 'c9c60f44-a68e-4f5d-84dd-ce22faeb0ba2',
    microblogId: '2244994946',
    socialNetworkId: 1000000002,
    birthday: undefined,
  },
];
