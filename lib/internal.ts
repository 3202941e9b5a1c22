/**
 * What `passport-social-networks-check` needs of the strategies, and nothing else. Applications use the other entries: this one changes without
 * notice in any version, so the check depends on exactly its own version of this package.
 *
 * @module passport-social-networks/internal
 */

export { type CheckedStrategy, checked } from './core/checked.js';
export {
  cleanLine,
  cleanText,
  type MalformedError,
  type ProviderError,
  type RefusedError,
  type UnreachableError,
} from './core/errors/index.js';
export type { ClientCredentials } from './core/facts.js';
export { isLoopback } from './core/hosts.js';
export { cookieLogins } from './core/login/index.js';
export { randomSecret } from './core/oauth2/index.js';
export { mostEditsOf, nearest } from './core/spelling.js';
export {
  endpoints as microblogEndpoints,
  MicroblogOAuth1Strategy,
  MicroblogOAuth2Strategy,
} from './microblog/index.js';
export { endpoints as shortVideoEndpoints, ShortVideoStrategy } from './short-video/index.js';
export { endpoints as socialNetworkEndpoints, SocialNetworkStrategy } from './social-network/index.js';
