import {
  MicroblogOAuth2Strategy,
  MicroblogStrategy,
  ShortVideoStrategy,
  SocialNetworkStrategy,
} from '../../lib/index.js';
import microblog from '../../lib/microblog/index.js';
import shortVideo from '../../lib/short-video/index.js';
import socialNetwork from '../../lib/social-network/index.js';

const verify = () => {};
const client = { clientID: 'a', clientSecret: 'b' };

// The client's identifier is required, in one of its spellings.
// @ts-expect-error No client identifier.
new ShortVideoStrategy({ clientSecret: 'b' }, verify);
// @ts-expect-error No client identifier.
new MicroblogStrategy({ clientSecret: 'b' }, verify);
// @ts-expect-error No client identifier.
new SocialNetworkStrategy({ clientSecret: 'b' }, verify);
// @ts-expect-error No consumer key.
new MicroblogStrategy({ version: '1.0', consumerSecret: 'b' }, verify);
// @ts-expect-error No client identifier.
shortVideo({ clientSecret: 'b' }, verify);
// @ts-expect-error No client identifier.
microblog({}, verify);
// @ts-expect-error No client identifier.
socialNetwork({ clientSecret: 'b' }, verify);

// The secret is required where the network demands one.
// @ts-expect-error No client secret.
new ShortVideoStrategy({ clientID: 'a' }, verify);
// @ts-expect-error No client secret.
new SocialNetworkStrategy({ clientID: 'a' }, verify);
// @ts-expect-error No consumer secret.
new MicroblogStrategy({ version: '1.0', consumerKey: 'a' }, verify);
new MicroblogStrategy({ clientID: 'a' }, verify);

// Only versions that exist.
// @ts-expect-error No such version.
new MicroblogStrategy({ ...client, version: '1.1' }, verify);
// @ts-expect-error No such version.
new SocialNetworkStrategy({ ...client, version: '3.0' }, verify);
// @ts-expect-error This network has no versions.
new ShortVideoStrategy({ ...client, version: '2.0' }, verify);
// @ts-expect-error A class of the other version.
new MicroblogOAuth2Strategy({ ...client, version: '1.0' }, verify);

// Misspelt options, and credentials that a network does not have.
// @ts-expect-error It is callbackURL.
new ShortVideoStrategy({ ...client, callbackUrl: '/cb' }, verify);
// @ts-expect-error It is profileFields.
new SocialNetworkStrategy({ ...client, profileField: 'sex' }, verify);
// @ts-expect-error It is userFields.
new MicroblogStrategy({ ...client, userField: 'verified' }, verify);
// @ts-expect-error The client key is the short-video network's.
new SocialNetworkStrategy({ clientKey: 'a', clientSecret: 'b' }, verify);
// @ts-expect-error A consumer key is OAuth 1.0a's.
new MicroblogStrategy({ consumerKey: 'a', consumerSecret: 'b' }, verify);
// @ts-expect-error VK ID has no client secret.
new SocialNetworkStrategy({ clientID: 'a', clientSecret: 'b', version: '2.1' }, verify);
// @ts-expect-error The short-video network has no e-mail address to give.
new ShortVideoStrategy({ ...client, includeEmail: true }, verify);
// @ts-expect-error OAuth 1.0a has no scopes.
new MicroblogStrategy({ ...client, version: '1.0', scope: 'a' }, verify);

// Wrong kinds of values.
// @ts-expect-error Milliseconds are a number.
new ShortVideoStrategy({ ...client, timeout: '100' }, verify);
// @ts-expect-error A scope is a text or an array of texts.
new MicroblogStrategy({ ...client, scope: 7 }, verify);
// @ts-expect-error PKCE cannot be weakened.
new ShortVideoStrategy({ ...client, pkce: 'plain' }, verify);
// @ts-expect-error The state cannot be turned off.
new SocialNetworkStrategy({ ...client, state: false }, verify);
// @ts-expect-error Verify is required.
new ShortVideoStrategy(client);
// @ts-expect-error With the request in front, verify takes one more.
new ShortVideoStrategy(client, (_a, _b, _c, _d, _e, _f) => {});
