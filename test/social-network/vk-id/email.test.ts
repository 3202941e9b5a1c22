import { expect } from 'chai';
import { logIn } from '../../support/journey.js';
import { TOKENS, USER } from './network.js';
import { comeBack, onlyLogin, vkIdTests } from './vk-id.js';

const GRANTED = { ...TOKENS, scope: 'vkid.personal_info email' };
const WITH_EMAIL = () => ({ body: { user: { ...USER, email: 'ivan@example.com', verified: true } } });

describe('the e-mail address in VK ID', () => {
  const { atSandbox, atNetwork } = vkIdTests();

  it('is requested with includeEmail and has no verified field', async () => {
    const vkId = await atSandbox({ options: { includeEmail: true } });
    await logIn(vkId.app, 'social-network', 'alice');
    const { profile, params } = onlyLogin(vkId);
    expect(profile.emails).to.deep.equal([{ value: 'alice@example.com' }]);
    expect(params.scope).to.equal('vkid.personal_info email');
  });

  it('is absent for a user who has none, and the login succeeds', async () => {
    const vkId = await atSandbox({ options: { includeEmail: true } });
    const page = await logIn(vkId.app, 'social-network', 'ned');
    expect(page.status).to.equal(200);
    const { profile } = onlyLogin(vkId);
    expect(profile).not.to.have.property('emails');
    expect(profile._json.user.email).to.equal('');
  });

  it('is left out if the scope was requested but not granted, even if the record has one', async () => {
    const vkId = await atNetwork({ user: WITH_EMAIL }, { options: { includeEmail: true } });
    expect((await comeBack(vkId)).status).to.equal(200);
    const { profile } = onlyLogin(vkId);
    expect(profile).not.to.have.property('emails');
  });

  it('is present if it was requested for one login only, and the token response does not name the scopes', async () => {
    const token = () => ({ body: { ...TOKENS, scope: undefined } });
    const start = { scope: ['vkid.personal_info', 'email'] };
    const vkId = await atNetwork({ token, user: WITH_EMAIL }, { start });
    await comeBack(vkId);
    expect(onlyLogin(vkId).profile.emails).to.deep.equal([{ value: 'ivan@example.com' }]);
  });

  it('is present if the token response does not say which scopes were granted', async () => {
    const token = () => ({ body: { ...TOKENS, scope: undefined } });
    const vkId = await atNetwork({ token, user: WITH_EMAIL }, { options: { includeEmail: true } });
    await comeBack(vkId);
    expect(onlyLogin(vkId).profile.emails).to.deep.equal([{ value: 'ivan@example.com' }]);
  });

  it('is not verified just because the account is', async () => {
    const vkId = await atNetwork({ token: () => ({ body: GRANTED }), user: WITH_EMAIL });
    await comeBack(vkId);
    const { profile } = onlyLogin(vkId);
    expect(profile._json.user.verified).to.equal(true);
    expect(profile.emails).to.deep.equal([{ value: 'ivan@example.com' }]);
  });

  it('never comes from the token response, unlike in the classic protocol', async () => {
    const vkId = await atNetwork({ token: () => ({ body: { ...GRANTED, email: 'other@example.com' } }) });
    await comeBack(vkId);
    expect(onlyLogin(vkId).profile).not.to.have.property('emails');
  });
});
