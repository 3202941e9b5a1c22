import { Agent } from 'node:http';
import { expectTypeOf } from 'expect-type';

import passport = require('passport');

import {
  type ClientID,
  cookieLogins,
  type LoginStore,
  type MappedProfile,
  MicroblogOAuth1Strategy,
  MicroblogOAuth2Strategy,
  type MicroblogOptions,
  MicroblogStrategy,
  type ShortVideoOptions,
  ShortVideoStrategy,
  type SocialNetworkOptions,
  SocialNetworkStrategy,
} from '../../lib/index.js';

const verify = () => {};
const url = 'https://n.example/';
const client = { clientID: 'a', clientSecret: 'b' };

// Every strategy accepts all shared options.
const shared = {
  callbackURL: '/cb',
  profileURL: url,
  profileUrl: url,
  userProfileURL: url,
  profile: (): MappedProfile => ({ id: '1', displayName: '' }),
  name: 'second-app',
  baseURL: 'https://app.example',
  store: cookieLogins({ name: 'logins', lifetime: 60_000, limit: 5 }),
  stateLimit: 2_048,
  agent: new Agent(),
  timeout: 5_000,
  skipUserProfile: true,
  proxy: true,
  customHeaders: { 'x-app': 'a' },
  state: true,
} as const;
new ShortVideoStrategy({ ...client, ...shared, scope: ['a', 'b'], pkce: 'S256' }, verify);
new MicroblogStrategy({ ...client, ...shared, scope: 'a b', pkce: true }, verify);
new MicroblogStrategy({ ...client, ...shared, version: '1.0' }, verify);
new MicroblogOAuth2Strategy({ ...client, ...shared }, verify);
new MicroblogOAuth1Strategy({ ...client, ...shared }, verify);
new SocialNetworkStrategy({ ...client, ...shared, scope: [] }, verify);
expectTypeOf(cookieLogins).returns.toEqualTypeOf<LoginStore>();

// A function that says whom an account is linked to gets Express's request.
new ShortVideoStrategy({ ...client, linksTo: (req) => req.user && req.hostname }, verify);
new MicroblogStrategy({ ...client, version: '1.0', linksTo: (req) => req.get('x-user') }, verify);
new SocialNetworkStrategy({ ...client, linksTo: (req) => req.hostname }, verify);
// @ts-expect-error A number is no text that tells a user apart.
new SocialNetworkStrategy({ ...client, linksTo: () => 7 }, verify);

// Each strategy accepts its own options in every spelling.
new ShortVideoStrategy({ clientKey: 'a', clientSecret: 'b', authorizationURL: url, tokenURL: url }, verify);
new ShortVideoStrategy({ ...client, authorizationUrl: url, accessTokenUrl: url, revocationURL: url }, verify);
new ShortVideoStrategy({ ...client, profileFields: ['open_id', 'username'], disableAutoAuth: true }, verify);
new ShortVideoStrategy({ ...client, codeChallengeEncoding: 'base64url' }, verify);
new MicroblogStrategy({ clientId: 'a', version: '2.0', includeEmail: true, userFields: 'verified' }, verify);
new MicroblogStrategy({ clientId: 'a', expansions: [], tweetFields: ['text'], postFields: 'text' }, verify);
const consumer = { version: '1.0', consumerKey: 'a', consumerSecret: 'b' } as const;
new MicroblogStrategy(
  { ...consumer, requestTokenURL: url, requestTokenUrl: url, accessTokenURL: url },
  verify,
);
new MicroblogStrategy(
  { ...consumer, accessTokenUrl: url, userAuthorizationURL: url, lookupURL: url },
  verify,
);
new MicroblogStrategy({ ...consumer, authorizationUrl: url, revocationURL: url }, verify);
new MicroblogStrategy({ ...consumer, includeEmail: true, userFields: ['verified'] }, verify);
const vk = { clientId: 'a', clientSecret: 'b' } as const;
new SocialNetworkStrategy({ ...vk, version: '2.0', apiVersion: '5.199', profileFields: 'sex,bdate' }, verify);
new SocialNetworkStrategy({ ...vk, lang: 'en', includeEmail: true, requestTokenUrl: url }, verify);
new SocialNetworkStrategy({ ...vk, accessTokenUrl: url }, verify);
new SocialNetworkStrategy({ ...client, version: '2.1', serviceToken: 'c', logoutURL: url }, verify);

// The social network's IDs are numbers.
new SocialNetworkStrategy({ clientID: 51_000_001, clientSecret: 'b' }, verify);
new SocialNetworkStrategy({ clientId: 51_000_001, version: '2.1' }, verify);
expectTypeOf<ClientID>().toEqualTypeOf<ClientID<string>>();

// Options may be frozen and readonly.
new ShortVideoStrategy(Object.freeze({ ...client, scope: Object.freeze(['a']) }), verify);

// A login store has two methods; the base packages' stores do not fit.
type Callback = (error: unknown, ...results: unknown[]) => void;
const stateStore = {
  store(_req: object, _state: unknown, _meta: object, _done: Callback) {},
  verify(_req: object, _state: string, _done: Callback) {},
};
const tokenStore = {
  get(_req: object, _token: string, _done: Callback) {},
  set(_req: object, _token: string, _secret: string, _done: Callback) {},
  destroy(_req: object, _token: string, _done: Callback) {},
};
// @ts-expect-error A state store of passport-oauth2 is no login store.
new ShortVideoStrategy({ ...client, store: stateStore }, verify);
// @ts-expect-error A request-token store of passport-oauth1 is none either.
new MicroblogStrategy({ ...client, version: '1.0', store: tokenStore }, verify);

// The type for a version has only that version's options.
expectTypeOf<MicroblogOptions<'1.0'>['version']>().toEqualTypeOf<'1.0'>();
expectTypeOf<MicroblogOptions<'2.0'>['version']>().toEqualTypeOf<'2.0' | undefined>();

// What may be left out may be `undefined`, under exactOptionalPropertyTypes too.
type Optional<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T];
type Refusing<T> = {
  [K in Optional<T>]: { [P in K]: undefined } extends Pick<T, K> ? never : K;
}[Optional<T>];
expectTypeOf<Refusing<{ strict?: string; lenient?: string | undefined }>>().toEqualTypeOf<'strict'>();
expectTypeOf<Refusing<ShortVideoOptions>>().toBeNever();
expectTypeOf<Refusing<MicroblogOptions<'1.0'>>>().toBeNever();
expectTypeOf<Refusing<MicroblogOptions<'2.0'>>>().toBeNever();
expectTypeOf<Refusing<SocialNetworkOptions>>().toBeNever();
expectTypeOf<Refusing<NonNullable<Parameters<typeof cookieLogins>[0]>>>().toBeNever();

// The client ID is required, in one of its spellings.
// @ts-expect-error No client identifier.
new ShortVideoStrategy({ clientSecret: 'b' }, verify);
// @ts-expect-error No client identifier.
new SocialNetworkStrategy({ clientSecret: 'b' }, verify);
// @ts-expect-error No consumer key.
new MicroblogStrategy({ version: '1.0', consumerSecret: 'b' }, verify);

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

// Passport's own methods take the networks' options, and no misspelt one.
passport.authenticate('short-video', { disableAutoAuth: true, state: { to: '/' }, session: false });
passport.authenticate(['microblog', 'social-network'], { callbackURL: '/cb' }, () => {});
passport.authorize('social-network', { display: 'popup', prompt: ['login', 'consent'], langId: 3 });
// @ts-expect-error The option is disableAutoAuth.
passport.authenticate('short-video', { disableAutoauth: true });
// @ts-expect-error There is no such layout.
passport.authorize('social-network', { display: 'wide' });
