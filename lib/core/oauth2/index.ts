/** OAuth 2: the class between passport-oauth2 and the networks. */
export type {
  ChallengeEncoding,
  CurrentLogin,
  OAuth2AuthenticateOptions,
  OAuth2Network,
  OAuth2Settings,
  TokenResponse,
} from './network.js';
export { OAuth2LoginStrategy } from './strategy.js';
export { expiryDate, isEmptyOrObject, scopeList, TokenEndpoint, type Tokens } from './token-endpoint.js';
