/** Expected data of the sandbox user Alice at a network, and what follows from the network's protocol. */
export interface Expectation {
  readonly network: string;
  /** What people call the network. */
  readonly title: string;
  readonly identifier: string;
  readonly email?: string;
  readonly scopes: readonly string[];
  /** A row of the record's table. */
  readonly row: readonly [field: string, value: string];
  /** Whether tokens expire. */
  readonly expires: boolean;
  readonly buttons: readonly string[];
  readonly steps: number;
}

const REFRESH = 'Refresh tokens';
const REVOKE = 'Revoke tokens';
const RECONNECT = 'Connect again';

export const ALICE: readonly Expectation[] = [
  {
    network: 'short-video',
    title: 'TikTok',
    identifier: '723f24d7-e717-40f8-a2b6-cb8464cd23b4',
    scopes: ['user.info.basic', 'user.info.profile'],
    row: ['data.user.username', 'alice_example'],
    expires: true,
    buttons: [REFRESH, REVOKE],
    steps: 5,
  },
  {
    network: 'microblog',
    title: 'X',
    identifier: '2244994945',
    email: 'alice@example.com verified by the network',
    scopes: ['tweet.read', 'users.read', 'offline.access', 'users.email'],
    row: ['data.username', 'alice_example'],
    expires: true,
    buttons: [REFRESH, REVOKE],
    steps: 5,
  },
  {
    network: 'microblog-1.0',
    title: 'X',
    identifier: '2244994945',
    email: 'alice@example.com verified by the network',
    scopes: [],
    row: ['data.username', 'alice_example'],
    expires: false,
    buttons: [REVOKE],
    steps: 6,
  },
  {
    network: 'social-network',
    title: 'VK',
    identifier: '1000000001',
    email: 'alice@example.com not reported as verified',
    scopes: [],
    row: ['first_name', 'Alice'],
    expires: true,
    buttons: [RECONNECT],
    steps: 5,
  },
  {
    network: 'social-network-vk-id',
    title: 'VK',
    identifier: '1000000001',
    email: 'alice@example.com not reported as verified',
    scopes: ['vkid.personal_info', 'email'],
    row: ['user.first_name', 'Alice'],
    expires: true,
    buttons: [REFRESH, REVOKE],
    steps: 5,
  },
];
