import { expect } from 'chai';
import type { SocialNetworkAuthenticateOptions } from '../../../lib/index.js';
import { redirectOf } from '../../support/attempt.js';
import { vkIdStrategy } from './vk-id.js';

/** The parameters of an authorization request to VK ID. */
async function parametersOf(
  options: object = {},
  authenticate: SocialNetworkAuthenticateOptions = {},
): Promise<Record<string, string>> {
  const { searchParams } = await redirectOf(vkIdStrategy(options), authenticate);
  return Object.fromEntries(searchParams);
}

describe('an authorization request to VK ID', () => {
  it('goes to id.vk.ru with only the parameters that the protocol requires', async () => {
    const url = await redirectOf(vkIdStrategy({ callbackURL: 'https://app.example/callback' }));
    const { state, code_challenge, ...others } = Object.fromEntries(url.searchParams);
    expect(url.origin + url.pathname).to.equal('https://id.vk.ru/authorize');
    expect(others).to.deep.equal({
      response_type: 'code',
      client_id: 'CLIENT-ID',
      redirect_uri: 'https://app.example/callback',
      scope: 'vkid.personal_info',
      code_challenge_method: 'S256',
    });
    expect(code_challenge).to.match(/^[A-Za-z0-9_-]{43}$/);
    expect(state).to.match(/^[A-Za-z0-9_-]{32,}$/);
  });

  it('writes the space between scopes as %20', async () => {
    const { search } = await redirectOf(vkIdStrategy({ scope: ['vkid.personal_info', 'phone'] }));
    expect(search).to.include('scope=vkid.personal_info%20phone');
  });

  it('adds the scope email with includeEmail, to the default scope or to the option scope', async () => {
    expect((await parametersOf({ includeEmail: true })).scope).to.equal('vkid.personal_info email');
    expect((await parametersOf({ includeEmail: true, scope: 'phone' })).scope).to.equal('phone email');
    expect((await parametersOf({ includeEmail: true, scope: 'email' })).scope).to.equal('email');
    expect((await parametersOf({ includeEmail: false })).scope).to.equal('vkid.personal_info');
  });

  for (const prompt of ['none', 'login', 'consent', 'select_account'] as const) {
    it(`has the prompt ${prompt}`, async () => {
      expect((await parametersOf({}, { prompt })).prompt).to.equal(prompt);
    });
  }

  it('joins several prompts with a space', async () => {
    const { search } = await redirectOf(vkIdStrategy({}), { prompt: ['login', 'consent'] });
    expect(search).to.include('prompt=login%20consent');
  });

  it('has provider, langId and scheme under the network’s names', async () => {
    const { provider, lang_id, scheme } = await parametersOf(
      {},
      { provider: 'mail_ru', langId: 3, scheme: 'dark' },
    );
    expect({ provider, lang_id, scheme }).to.deep.equal({
      provider: 'mail_ru',
      lang_id: '3',
      scheme: 'dark',
    });
  });

  it('has langId 0, which is Russian', async () => {
    expect((await parametersOf({}, { langId: 0 })).lang_id).to.equal('0');
  });

  it('leaves out what authenticate does not pass', async () => {
    expect(await parametersOf({}, {})).not.to.have.any.keys('prompt', 'provider', 'lang_id', 'scheme');
  });

  it('leaves out the parameters of the classic protocol', async () => {
    const parameters = await parametersOf({}, { display: 'popup', revoke: true });
    expect(parameters).not.to.have.any.keys('display', 'revoke', 'v');
  });

  it('keeps the query of a custom authorizationURL, which cannot override the protocol’s parameters', async () => {
    const authorizationURL = 'https://id.example/authorize?brand=app&state=theirs&client_id=theirs';
    const { brand, state, client_id } = await parametersOf({ authorizationURL });
    expect({ brand, client_id }).to.deep.equal({ brand: 'app', client_id: 'CLIENT-ID' });
    expect(state).not.to.equal('theirs');
  });

  it('is the same with pkce: true and state: true, the options of passport-oauth2', async () => {
    expect(await parametersOf({ pkce: true, state: true })).to.include({ code_challenge_method: 'S256' });
  });
});
