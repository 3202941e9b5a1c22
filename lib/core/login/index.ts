/** What happens to a login inside the application: pending logins and their stores, verify, and the one outcome of a request. */
export {
  type AuthorizationResponse,
  LONGEST_PARAMETER,
  readAuthorizationResponse,
} from './authorization-response.js';
export { type CookieLoginsOptions, cookieLogins } from './cookie-logins.js';
export { isLocalURL } from './local-url.js';
export {
  fromCallback,
  keepPrivate,
  type Outcome,
  settle,
  toCallback,
} from './outcome.js';
export {
  areEqual,
  isLink,
  isLoginStore,
  type LoginLimits,
  type LoginRequest,
  type LoginStore,
  type PendingLogin,
  PendingLogins,
  randomSecret,
} from './pending-login.js';
export { type SessionLoginsOptions, sessionLogins } from './session-logins.js';
export {
  type AnyVerify,
  callVerify,
  loadUnlessSkipped,
  type SkipUserProfile,
  type Verify,
  type VerifyDone,
  type VerifyOptions,
  type VerifyResult,
  type VerifyValues,
} from './verify.js';
