/**
 * What `passport-social-networks-check` needs of the strategies, and nothing else. Applications use the other entries: this one changes without
 * notice in any version, so the check depends on exactly its own version of this package.
 *
 * @module passport-social-networks/internal
 */

export {
  attemptsOf,
  checked,
  cleanLine,
  cleanText,
  type ProviderError,
  type RefusedError,
} from './core/errors/index.js';
export {
  type ClientCredentials,
  type ErrorRow,
  hintOf,
  type KnownAuthority,
  lookUp,
  type ProtocolFacts,
} from './core/facts.js';
export { isLoopback, parseURL } from './core/hosts.js';
export { ATTEMPT_TIMEOUT, Transaction } from './core/http/index.js';
export { callbackProblem, cookieLogins } from './core/login/index.js';
export { randomSecret, TokenEndpoint } from './core/oauth2/index.js';
export type { LoginSettings } from './core/options/index.js';
export { nearest } from './core/spelling.js';
export * as microblog from './microblog/facts.js';
export { MicroblogOAuth1Strategy, MicroblogOAuth2Strategy } from './microblog/index.js';
export * as shortVideo from './short-video/facts.js';
export { ShortVideoStrategy } from './short-video/index.js';
export * as socialNetwork from './social-network/facts.js';
export { SocialNetworkStrategy } from './social-network/index.js';
