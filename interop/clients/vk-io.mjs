import { VK } from 'vk-io';
import { vkToken } from './arctic.mjs';

/** It calls VK's API, and has no authorization code flow: the token comes from arctic. @type {import('../main.mjs').Client} */
export const vkIo = {
  package: 'vk-io',
  logins: ({ vk }) => ({
    async VK() {
      const [user] = await new VK({ token: await vkToken(vk) }).api.users.get({});
      return String(user?.id);
    },
  }),
};
