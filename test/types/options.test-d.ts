import { Agent } from 'node:http';
import { expectTypeOf } from 'expect-type';
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
const client = { clientID: 'a', clientSecret: 'b' };

// Every strategy accepts all shared options.
const shared = {
  callbackURL: '/cb',
  profileURL: 'https://n.example/',
  profileUrl: 'https://n.example/',
  userProfileURL: 'https://n.example/',
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

// Each strategy accepts its own options in every spelling.
new ShortVideoStrategy(
  {
    clientKey: 'a',
    clientSecret: 'b',
    authorizationURL: 'https://n.example/',
    authorizationUrl: 'https://n.example/',
    tokenURL: 'https://n.example/',
    accessTokenUrl: 'https://n.example/',
    revocationURL: 'https://n.example/',
    profileFields: ['open_id', 'username'],
    disableAutoAuth: true,
    codeChallengeEncoding: 'base64url',
  },
  verify,
);
new MicroblogStrategy(
  {
    clientId: 'a',
    version: '2.0',
    includeEmail: true,
    userFields: 'verified',
    expansions: [],
    tweetFields: ['text'],
    postFields: 'text',
  },
  verify,
);
new MicroblogStrategy(
  {
    version: '1.0',
    consumerKey: 'a',
    consumerSecret: 'b',
    requestTokenURL: 'https://n.example/',
    requestTokenUrl: 'https://n.example/',
    accessTokenURL: 'https://n.example/',
    accessTokenUrl: 'https://n.example/',
    userAuthorizationURL: 'https://n.example/',
    authorizationUrl: 'https://n.example/',
    lookupURL: 'https://n.example/',
    revocationURL: 'https://n.example/',
    includeEmail: true,
    userFields: ['verified'],
  },
  verify,
);
new SocialNetworkStrategy(
  {
    clientId: 'a',
    clientSecret: 'b',
    version: '2.0',
    apiVersion: '5.199',
    profileFields: 'sex,bdate',
    lang: 'en',
    includeEmail: true,
    requestTokenUrl: 'https://n.example/',
    accessTokenUrl: 'https://n.example/',
  },
  verify,
);
new SocialNetworkStrategy(
  { clientID: 'a', clientSecret: 'b', version: '2.1', serviceToken: 'c', logoutURL: 'https://n.example/' },
  verify,
);

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

// The option types are exported, and the type for a version has only that version's options.
expectTypeOf<ShortVideoOptions>().toHaveProperty('disableAutoAuth');
expectTypeOf<MicroblogOptions<'1.0'>['version']>().toEqualTypeOf<'1.0'>();
expectTypeOf<MicroblogOptions<'2.0'>['version']>().toEqualTypeOf<'2.0' | undefined>();
expectTypeOf<SocialNetworkOptions>().toHaveProperty('apiVersion');
