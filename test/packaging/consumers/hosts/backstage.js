import assert from 'node:assert/strict';
import { decodeOAuthState, encodeOAuthState, PassportHelpers } from '@backstage/plugin-auth-node';
import { MicroblogStrategy, ShortVideoStrategy, SocialNetworkStrategy } from 'passport-social-networks';
import { startSandbox } from 'passport-social-networks-sandbox';
import { authenticatorOf } from './src/backstage.mjs';

const sandbox = await startSandbox({ strict: true });
const names = [];
for (const [Strategy, { clientID, clientSecret, ...options }] of [
  [ShortVideoStrategy, sandbox.options('short-video')],
  [MicroblogStrategy, { ...sandbox.options('microblog'), scope: 'tweet.read users.read offline.access' }],
  [SocialNetworkStrategy, sandbox.options('social-network', { version: '2.1' })],
]) {
  const authenticator = authenticatorOf(Strategy, options);
  const settings = { clientId: clientID, clientSecret };
  const callbackUrl = 'http://127.0.0.1:7007/api/auth/network/handler/frame';
  const context = authenticator.initialize({ callbackUrl, config: { getString: (name) => settings[name] } });
  const cookies = [];
  const res = { setHeader() {}, appendHeader: (_name, line) => cookies.push(line.split(';', 1)[0]) };
  const state = encodeOAuthState({ nonce: 'NONCE', env: 'development' });
  const { url } = await authenticator.start({ req: { headers: {}, res }, scope: '', state }, context);
  const { headers } = await fetch(`${url}&auto=allow&person=alice`, { redirect: 'manual' });
  const query = Object.fromEntries(new URL(headers.get('location')).searchParams);
  // As Backstage's routes read it.
  assert.deepEqual(decodeOAuthState(query.state), { nonce: 'NONCE', env: 'development' });
  let known = await authenticator.authenticate(
    { req: { headers: { cookie: cookies[0] }, query, res } },
    context,
  );
  for (const _time of [1, 2])
    known = await authenticator.refresh({ refreshToken: known.session.refreshToken }, context);
  assert.equal(known.fullProfile.displayName, 'Alice Example');
  // Backstage's own way to refresh, with a client that it constructs, has no device ID.
  if (Strategy !== SocialNetworkStrategy)
    await PassportHelpers.executeRefreshTokenStrategy(context.strategy, known.session.refreshToken);
  names.push(context.strategy.name);
}
console.log(`${process.version} logged in: ${names.join(', ')}`);
process.exit();
