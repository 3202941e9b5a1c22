import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../lib/sandbox/index.js';
import { callbackOf, get, post } from '../requests.js';
import { ShortVideoClient } from './client.js';

describe("The sandbox's short-video network, authorization", () => {
  let sandbox: Sandbox;
  let client: ShortVideoClient;

  before(async () => {
    sandbox = await startSandbox();
    client = new ShortVideoClient(sandbox);
  });

  after(() => sandbox.close());

  it('sends the browser back with a code, the granted scopes and the state', async () => {
    const scope = 'user.info.basic,user.info.stats';
    const reply = await get(client.authorization({ auto: 'allow', scope }));
    const callback = callbackOf(reply);
    expect(reply.status).to.equal(302);
    expect(reply.headers.get('location')).to.match(/^http:\/\/127\.0\.0\.1:3000\/callback\?code=/);
    expect(Object.keys(callback)).to.deep.equal(['code', 'scopes', 'state']);
    expect(callback.code).to.match(/^[A-Za-z0-9_-]{40}\*1!4608\.va$/);
    expect(callback).to.include({ scopes: scope, state: 'xyz' });
  });

  it('leaves the state out when there was none', async () => {
    const callback = callbackOf(await get(client.authorization({ auto: 'allow', state: undefined })));
    expect(callback).to.have.all.keys('code', 'scopes');
  });

  it('sends a refusal back as access_denied, with the state', async () => {
    expect(callbackOf(await get(client.authorization({ auto: 'deny' })))).to.deep.equal({
      error: 'access_denied',
      error_description: 'User cancelled the login.',
      state: 'xyz',
    });
  });

  it('lets a person untick every scope but the basic one', async () => {
    const scope = 'user.info.basic,user.info.profile,user.info.stats';
    const form = { decision: 'allow', person: 'alice', scope: 'user.info.stats' };
    const callback = callbackOf(await post(client.authorization({ scope }), form));
    expect(callback.scopes).to.equal('user.info.basic,user.info.stats');
  });

  it('grants no scope that the application did not ask for', async () => {
    const form = { decision: 'allow', person: 'alice', scope: 'user.info.stats' };
    expect(callbackOf(await post(client.authorization(), form)).scopes).to.equal('user.info.basic');
  });

  it('answers the address without its last slash too', async () => {
    const url = client.authorization({ auto: 'allow' }).replace('/authorize/?', '/authorize?');
    expect(callbackOf(await get(url))).to.include.keys('code');
  });

  it('does without PKCE when the redirect address is no loopback', async () => {
    const changes = { redirect_uri: 'https://app.example.com/callback', code_challenge: undefined };
    const reply = await get(
      client.authorization({ auto: 'allow', ...changes, code_challenge_method: undefined }),
    );
    expect(callbackOf(reply)).to.include.keys('code');
  });
});
