import { expect } from 'chai';
import { logIn } from '../support/journey.js';
import { TOKENS, USER } from './network.js';
import { comeBack, onlyLogin, vkIdTests } from './vk-id.js';

const GRANTED = { ...TOKENS, scope: 'vkid.personal_info email' };
const WITH_ADDRESS = () => ({ body: { user: { ...USER, email: 'ivan@example.com', verified: true } } });

describe('the e-mail address in VK ID', () => {
  const { atSandbox, atNetwork } = vkIdTests();

  it('comes with includeEmail, and claims nothing about its being verified', async () => {
    const vkId = await atSandbox({ options: { includeEmail: true } });
    await logIn(vkId.app, 'social-network', 'alice');
    const { profile, params } = onlyLogin(vkId);
    expect(profile.emails).to.deep.equal([{ value: 'alice@example.com' }]);
    expect(params.scope).to.equal('vkid.personal_info email');
  });

  it('does not come without includeEmail', async () => {
    const vkId = await atSandbox();
    await logIn(vkId.app, 'social-network', 'alice');
    const { profile } = onlyLogin(vkId);
    expect(profile).not.to.have.property('emails');
    expect(profile._json.user).not.to.have.property('email');
  });

  it('is absent for a person who has none, and the login is as good as any', async () => {
    const vkId = await atSandbox({ options: { includeEmail: true } });
    const page = await logIn(vkId.app, 'social-network', 'ned');
    expect(page.status).to.equal(200);
    const { profile } = onlyLogin(vkId);
    expect(profile).not.to.have.property('emails');
    expect(profile._json.user.email).to.equal('');
  });

  it('is left out where the scope was asked for and not granted, whatever the record holds', async () => {
    const vkId = await atNetwork({ user: WITH_ADDRESS }, { options: { includeEmail: true } });
    expect((await comeBack(vkId)).status).to.equal(200);
    const { profile } = onlyLogin(vkId);
    expect(profile).not.to.have.property('emails');
  });

  it('comes where the token answer does not say what was granted', async () => {
    const token = () => ({ body: { ...TOKENS, scope: undefined } });
    const vkId = await atNetwork({ token, user: WITH_ADDRESS }, { options: { includeEmail: true } });
    await comeBack(vkId);
    expect(onlyLogin(vkId).profile.emails).to.deep.equal([{ value: 'ivan@example.com' }]);
  });

  it('is not verified because the account is', async () => {
    const vkId = await atNetwork({ token: () => ({ body: GRANTED }), user: WITH_ADDRESS });
    await comeBack(vkId);
    const { profile } = onlyLogin(vkId);
    expect(profile._json.user.verified).to.equal(true);
    expect(profile.emails).to.deep.equal([{ value: 'ivan@example.com' }]);
  });

  for (const [what, email] of Object.entries({
    'an empty text': '',
    nothing: undefined,
    null: null,
    'a number': 4608,
  })) {
    it(`is absent where the record has ${what} for it`, async () => {
      const token = () => ({ body: GRANTED });
      const vkId = await atNetwork({ token, user: () => ({ body: { user: { ...USER, email } } }) });
      expect((await comeBack(vkId)).status).to.equal(200);
      expect(onlyLogin(vkId).profile).not.to.have.property('emails');
    });
  }

  it('is never taken from the token answer, as the classic protocol does it', async () => {
    const vkId = await atNetwork({ token: () => ({ body: { ...GRANTED, email: 'other@example.com' } }) });
    await comeBack(vkId);
    expect(onlyLogin(vkId).profile).not.to.have.property('emails');
  });
});
