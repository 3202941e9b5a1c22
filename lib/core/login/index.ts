/** What happens to a login inside the application: its flow, its pending login and the cookie that keeps it, verify, and the response. */

export {
  type AuthorizationResponse,
  exposeResponse,
  LONGEST_PARAMETER,
  type LoginRequest,
} from './browser.js';
export * from './cookie-logins.js';
export * from './flow.js';
export {
  areEqual,
  isLoginStore,
  type LoginStore,
  type PendingLogin,
  randomSecret,
} from './pending-logins.js';
export * from './redirect-uri.js';
export {
  type AnyVerify,
  fromCallback,
  requireVerify,
  type SkipUserProfile,
  toCallback,
  type Verify,
  type VerifyDone,
  type VerifyOptions,
  type VerifyResult,
  type VerifyValues,
} from './verify.js';
