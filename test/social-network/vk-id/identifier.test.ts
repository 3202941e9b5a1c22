import { expect } from 'chai';
import type { MalformedError } from '../../../lib/index.js';
import { TOKENS, USER } from './network.js';
import { comeBack, onlyError, onlyLogin, vkIdTests } from './vk-id.js';

/** A token response and a user info with these IDs, which are JSON; an empty string leaves one out. */
function responsesWith(inTokens: string, inUserInfo: string) {
  const field = (name: string, value: string) => (value === '' ? '' : `,"${name}":${value}`);
  return {
    token: () => ({ body: `{"access_token":"ACCESS-TOKEN"${field('user_id', inTokens)}}` }),
    user: () => ({ body: `{"user":{"first_name":"Ivan"${field('user_id', inUserInfo)}}}` }),
  };
}

describe('the ID in VK ID', () => {
  const { atNetwork } = vkIdTests();

  for (const [inTokens, inUserInfo, id] of [
    ['1234567890', '"1234567890"', '1234567890'],
    ['"1234567890"', '1234567890', '1234567890'],
    ['1234567890', '1234567890', '1234567890'],
    ['"1234567890"', '"1234567890"', '1234567890'],
    ['', '"1234567890"', '1234567890'],
    ['9007199254740993', '"9007199254740993"', '9007199254740993'],
    ['9007199254740993', '9007199254740993', '9007199254740993'],
    ['"18446744073709551615"', '18446744073709551615', '18446744073709551615'],
  ] as const) {
    const first = inTokens === '' ? 'nothing' : inTokens;
    it(`is ${id} if the token response has ${first} and the user info has ${inUserInfo}`, async () => {
      const vkId = await atNetwork(responsesWith(inTokens, inUserInfo));
      const page = await comeBack(vkId);
      expect(page.json.user).to.deep.equal({ id });
      const { profile } = onlyLogin(vkId);
      expect(profile.id).to.equal(id);
      expect(profile.profileUrl).to.equal(`https://vk.ru/id${id}`);
    });
  }

  for (const [inTokens, inUserInfo] of [
    ['1234567890', '"1234567891"'],
    ['"1234567890"', '1234567891'],
    // JavaScript rounds both to the same number.
    ['9007199254740992', '9007199254740993'],
    ['9007199254740993', '"9007199254740992"'],
  ] as const) {
    it(`is identifier_mismatch if the token response has ${inTokens} and the user info has ${inUserInfo}`, async () => {
      const vkId = await atNetwork(responsesWith(inTokens, inUserInfo));
      expect((await comeBack(vkId)).status).to.equal(502);
      const { name, code, step, message } = onlyError(vkId) as MalformedError;
      expect({ name, code, step }).to.deep.equal({
        name: 'MalformedError',
        code: 'identifier_mismatch',
        step: 'profile',
      });
      expect(message).to.include("another user's user_id than the token response's");
    });
  }

  for (const inUserInfo of ['', '0', '"0"', '-5', '"-5"', '1.5', '"007"', '"abc"', 'true', '[1]', '1e400']) {
    const what = inUserInfo === '' ? 'has none' : `has ${inUserInfo}`;
    it(`is identifier_missing if the user info ${what}`, async () => {
      const vkId = await atNetwork(responsesWith('', inUserInfo));
      expect((await comeBack(vkId)).status).to.equal(502);
      expect((onlyError(vkId) as MalformedError).code).to.equal('identifier_missing');
    });
  }

  it('is the user_id of the user object, not another user_id in the response', async () => {
    const vkId = await atNetwork({
      user: () => ({ body: { user_id: '666', other: { user_id: '666' }, user: USER } }),
    });
    expect((await comeBack(vkId)).json.user).to.deep.equal({ id: '1234567890' });
  });

  it('is the one that the option profile returns, and the provider stays the strategy’s name', async () => {
    const vkId = await atNetwork(
      { token: () => ({ body: TOKENS }) },
      { options: { profile: ({ user }) => ({ id: `vk:${user.user_id}`, displayName: '' }) } },
    );
    await comeBack(vkId);
    const { provider, id } = onlyLogin(vkId).profile;
    expect({ provider, id }).to.deep.equal({ provider: 'social-network', id: 'vk:1234567890' });
  });
});
