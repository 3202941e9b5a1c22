import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { get, post, responseParameters } from '../requests.js';
import { ShortVideoClient } from './client.js';

describe("The sandbox's short-video network, authorization", () => {
  let sandbox: Sandbox;
  let client: ShortVideoClient;

  before(async () => {
    sandbox = await startSandbox();
    client = new ShortVideoClient(sandbox);
  });

  after(() => sandbox.close());

  it('redirects back with a code, the granted scopes and the state', async () => {
    const scope = 'user.info.basic,user.info.stats';
    const reply = await get(client.authorization({ auto: 'allow', scope }));
    const parameters = responseParameters(reply);
    expect(reply.status).to.equal(302);
    expect(reply.headers.get('location')).to.match(/^http:\/\/127\.0\.0\.1:3000\/callback\?code=/);
    expect(Object.keys(parameters)).to.deep.equal(['code', 'scopes', 'state']);
    expect(parameters.code).to.match(/^[A-Za-z0-9_-]{40}\*1!4608\.va$/);
    expect(parameters).to.include({ scopes: scope, state: 'xyz' });
  });

  it('redirects back without a state when there was none', async () => {
    const parameters = responseParameters(
      await get(client.authorization({ auto: 'allow', state: undefined })),
    );
    expect(parameters).to.have.all.keys('code', 'scopes');
  });

  it('redirects back with access_denied and the state when the user declines', async () => {
    expect(responseParameters(await get(client.authorization({ auto: 'deny' })))).to.deep.equal({
      error: 'access_denied',
      error_description: 'User cancelled the login.',
      state: 'xyz',
    });
  });

  it('lets the user untick every scope but the basic one', async () => {
    const scope = 'user.info.basic,user.info.profile,user.info.stats';
    const form = { decision: 'allow', person: 'alice', scope: 'user.info.stats' };
    const parameters = responseParameters(await post(client.authorization({ scope }), form));
    expect(parameters.scopes).to.equal('user.info.basic,user.info.stats');
  });

  it('grants no scope that was not requested', async () => {
    const form = { decision: 'allow', person: 'alice', scope: 'user.info.stats' };
    expect(responseParameters(await post(client.authorization(), form)).scopes).to.equal('user.info.basic');
  });

  it('also works without the slash at the end of the path', async () => {
    const url = client.authorization({ auto: 'allow' }).replace('/authorize/?', '/authorize?');
    expect(responseParameters(await get(url))).to.include.keys('code');
  });

  it('needs no PKCE when the redirect URI is not loopback', async () => {
    const changes = { redirect_uri: 'https://app.example.com/callback', code_challenge: undefined };
    const reply = await get(
      client.authorization({ auto: 'allow', ...changes, code_challenge_method: undefined }),
    );
    expect(responseParameters(reply)).to.include.keys('code');
  });
});
