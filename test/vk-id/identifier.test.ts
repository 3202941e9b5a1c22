import { expect } from 'chai';
import type { MalformedError } from '../../lib/index.js';
import { TOKENS, USER } from './network.js';
import { comeBack, onlyError, onlyLogin, vkIdTests } from './vk-id.js';

/** A token answer and a user info with these identifiers, written as they are; an empty text leaves one out. */
function answersWith(inTokens: string, inUserInfo: string) {
  const member = (name: string, value: string) => (value === '' ? '' : `,"${name}":${value}`);
  return {
    token: () => ({ body: `{"access_token":"ACCESS-TOKEN"${member('user_id', inTokens)}}` }),
    user: () => ({ body: `{"user":{"first_name":"Ivan"${member('user_id', inUserInfo)}}}` }),
  };
}

describe('the identifier in VK ID', () => {
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
    it(`is ${id} when the token answer says ${first} and the user info ${inUserInfo}`, async () => {
      const vkId = await atNetwork(answersWith(inTokens, inUserInfo));
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
    // One and the same number to JavaScript, which rounds both.
    ['9007199254740992', '9007199254740993'],
    ['9007199254740993', '"9007199254740992"'],
  ] as const) {
    it(`is refused when the token answer says ${inTokens} and the user info ${inUserInfo}`, async () => {
      const vkId = await atNetwork(answersWith(inTokens, inUserInfo));
      expect((await comeBack(vkId)).status).to.equal(502);
      const { name, code, step, message } = onlyError(vkId) as MalformedError;
      expect({ name, code, step }).to.deep.equal({
        name: 'MalformedError',
        code: 'identifier_mismatch',
        step: 'profile',
      });
      expect(message).to.include("another person's user_id than the token answer's");
    });
  }

  for (const inUserInfo of ['', '0', '"0"', '-5', '"-5"', '1.5', '"007"', '"abc"', 'true', '[1]', '1e400']) {
    const what = inUserInfo === '' ? 'has none' : `says ${inUserInfo}`;
    it(`is missing, and nobody logged in, when the user info ${what}`, async () => {
      const vkId = await atNetwork(answersWith('', inUserInfo));
      expect((await comeBack(vkId)).status).to.equal(502);
      expect((onlyError(vkId) as MalformedError).code).to.equal('identifier_missing');
    });
  }

  it('is that of the user, whatever else in the answer is called user_id', async () => {
    const vkId = await atNetwork({
      user: () => ({ body: { user_id: '666', other: { user_id: '666' }, user: USER } }),
    });
    expect((await comeBack(vkId)).json.user).to.deep.equal({ id: '1234567890' });
  });

  it('is the own mapping’s, where there is one, and the strategy’s name stays beside it', async () => {
    const vkId = await atNetwork(
      { token: () => ({ body: TOKENS }) },
      { options: { profile: ({ user }) => ({ id: `vk:${user.user_id}`, displayName: '' }) } },
    );
    await comeBack(vkId);
    const { provider, id } = onlyLogin(vkId).profile;
    expect({ provider, id }).to.deep.equal({ provider: 'social-network', id: 'vk:1234567890' });
  });
});
