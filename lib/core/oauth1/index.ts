/** OAuth 1.0a: the class between passport-oauth1 and the networks. */
export {
  type OAuth1AuthenticateOptions,
  OAuth1LoginStrategy,
  type OAuth1Params,
  type OAuth1Settings,
} from './strategy.js';
