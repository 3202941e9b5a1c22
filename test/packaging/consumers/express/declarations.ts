// A library that emits its declarations: the compiler must be able to name every type. Compiled but not run.
import passport from 'passport';
import {
  type CookieLoginsOptions,
  cookieLogins,
  exposeResponse,
  type LoginStore,
  type PendingLogin,
  type RefusedError,
  type Verify,
} from 'passport-social-networks';
import microblog, {
  type MicroblogAuthenticateOptions,
  MicroblogOAuth1Strategy,
  MicroblogStrategy,
  type MicroblogVersion,
} from 'passport-social-networks/microblog';
import shortVideo, { ShortVideoStrategy } from 'passport-social-networks/short-video';
import socialNetwork, { SocialNetworkStrategy } from 'passport-social-networks/social-network';
import { check } from 'passport-social-networks-check';
import { startSandbox } from 'passport-social-networks-sandbox';

// What NestJS's PassportStrategy does: a class of the same constructor arguments and instances, with no name of its own.
function mixin<Args extends unknown[], Instance extends object>(
  Base: new (...args: Args) => Instance,
): { new (...args: Args): Instance & { validate(): unknown } } {
  return Base as unknown as { new (...args: Args): Instance & { validate(): unknown } };
}

export class Microblog extends mixin(MicroblogStrategy) {}
export class MicroblogOAuth1 extends mixin(MicroblogOAuth1Strategy) {}
export class ShortVideo extends mixin(ShortVideoStrategy) {}
export class SocialNetwork extends mixin(SocialNetworkStrategy) {}

export class Subclass extends ShortVideoStrategy {
  override userProfile(...[token, done]: Parameters<ShortVideoStrategy['userProfile']>) {
    return super.userProfile(token, done);
  }
}

const client = { clientID: 'a', clientSecret: 'b' };

// Nothing below has a type annotation: the compiler writes what it infers.
export const strategies = [
  shortVideo(client, (_token, _refreshToken, { id }, done) => done(null, { id })),
  microblog(client, async (_token, _refreshToken, { id }) => ({ id })),
  microblog({ ...client, version: '1.0' }, async (_token, _tokenSecret, { id }) => ({ id })),
  socialNetwork(client, (_token, _refreshToken, { id }, done) => done(null, { id })),
  socialNetwork(
    { clientID: 1, version: '2.1', store: cookieLogins({ secrets: 'c' }) },
    async (_token, _refreshToken, { id }) => ({ id }),
  ),
];
export const storeOf = (options: CookieLoginsOptions) => ({
  store: cookieLogins(options) satisfies LoginStore,
});
export const storeIn = (logins: Map<string, PendingLogin>) =>
  ({
    save: (_req, login) => void logins.set(login.id, login),
    take: (_req, id) => logins.get(id),
  }) satisfies LoginStore;
export const expose = exposeResponse;
export const reports = () => Promise.all(strategies.map((strategy) => check(strategy)));
export const tokens = (strategy: SocialNetworkStrategy) => strategy.refresh('a', 'b');
export const verifyWith = (verify: Verify) => ({ verify, strategy: new MicroblogStrategy(client, verify) });
export const codeOf = ({ code, networkCode }: RefusedError) => ({ code, networkCode });
export const sandboxOptions = async () => {
  const sandbox = await startSandbox();
  return [
    sandbox.options('short-video'),
    sandbox.options('microblog', { version: '1.0' }),
    sandbox.options('microblog', { client: 'public' }),
    sandbox.options('social-network', { version: '2.1' }),
  ] as const;
};

/** Options of `authenticate`, beside packages whose types extend Passport's: tsconfig.consumer.json names them. */
const forced: MicroblogAuthenticateOptions = { forceLogin: true, scope: ['users.read'] };
export const routes = () => [
  passport.authenticate('short-video', { disableAutoAuth: true, failureRedirect: '/' }),
  passport.authenticate('microblog', { callbackURL: '/cb', state: { to: '/' } }),
  passport.authenticate('microblog', forced, () => {}),
  passport.authorize('social-network', { display: 'popup', prompt: ['login'], state: 'own' }),
];

/** The version as a value that is known when the program runs. */
export const microblogOf = (version: MicroblogVersion) =>
  version === '1.0'
    ? new MicroblogStrategy({ ...client, version }, async (_token, _tokenSecret, { id }) => ({ id }))
    : new MicroblogStrategy({ ...client, version }, async (_token, _refreshToken, { id }) => ({ id }));
