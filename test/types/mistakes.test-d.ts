import {
  cookieLogins,
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

// The client ID is required, in one of its spellings.
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

// The secret is required if the network requires one.
// @ts-expect-error No client secret.
new ShortVideoStrategy({ clientID: 'a' }, verify);
// @ts-expect-error No client secret.
new SocialNetworkStrategy({ clientID: 'a' }, verify);
// @ts-expect-error No consumer secret.
new MicroblogStrategy({ version: '1.0', consumerKey: 'a' }, verify);
new MicroblogStrategy({ clientID: 'a' }, verify);

// The version must exist.
// @ts-expect-error No such version.
new MicroblogStrategy({ ...client, version: '1.1' }, verify);
// @ts-expect-error No such version.
new SocialNetworkStrategy({ ...client, version: '3.0' }, verify);
// @ts-expect-error This network has no versions.
new ShortVideoStrategy({ ...client, version: '2.0' }, verify);
// @ts-expect-error The class is for the other version.
new MicroblogOAuth2Strategy({ ...client, version: '1.0' }, verify);

// Options must be spelled correctly, and credentials must be those of the network.
// @ts-expect-error The option is callbackURL.
new ShortVideoStrategy({ ...client, callbackUrl: '/cb' }, verify);
// @ts-expect-error The option is profileFields.
new SocialNetworkStrategy({ ...client, profileField: 'sex' }, verify);
// @ts-expect-error The option is userFields.
new MicroblogStrategy({ ...client, userField: 'verified' }, verify);
// @ts-expect-error Only the short-video network has a client key.
new SocialNetworkStrategy({ clientKey: 'a', clientSecret: 'b' }, verify);
// @ts-expect-error Only OAuth 1.0a has a consumer key.
new MicroblogStrategy({ consumerKey: 'a', consumerSecret: 'b' }, verify);
// @ts-expect-error Only VK ID has a service token.
new SocialNetworkStrategy({ ...client, serviceToken: 'c' }, verify);
// @ts-expect-error A pending login is not kept in the session.
new ShortVideoStrategy({ ...client, sessionKey: 'oauth' }, verify);
// @ts-expect-error A claim says whether the login was unused.
cookieLogins({ claim: async () => 'OK' });
// @ts-expect-error The short-video network has no e-mail address.
new ShortVideoStrategy({ ...client, includeEmail: true }, verify);
// @ts-expect-error OAuth 1.0a has no scopes.
new MicroblogStrategy({ ...client, version: '1.0', scope: 'a' }, verify);

// Values must have the right type.
// @ts-expect-error Only the social network's IDs are numbers.
new ShortVideoStrategy({ clientID: 51_000_001, clientSecret: 'b' }, verify);
// @ts-expect-error Only the social network's IDs are numbers.
new MicroblogStrategy({ clientID: 51_000_001 }, verify);
// @ts-expect-error The timeout is a number of milliseconds.
new ShortVideoStrategy({ ...client, timeout: '100' }, verify);
// @ts-expect-error The scope is a string or an array of strings.
new MicroblogStrategy({ ...client, scope: 7 }, verify);
// @ts-expect-error PKCE cannot be weakened.
new ShortVideoStrategy({ ...client, pkce: 'plain' }, verify);
// @ts-expect-error The state cannot be turned off.
new SocialNetworkStrategy({ ...client, state: false }, verify);
// @ts-expect-error Verify is required.
new ShortVideoStrategy(client);
// @ts-expect-error Six arguments need passReqToCallback.
new ShortVideoStrategy(client, (_a, _b, _c, _d, _e, _f) => {});
