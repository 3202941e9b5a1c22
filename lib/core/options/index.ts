/** Reading the options of a strategy. */
export {
  type ClientID,
  COMMON_ALIASES,
  COMMON_OPTIONS,
  type LoginOptions,
  type LoginSettings,
  readLoginSettings,
} from './login-options.js';
export { OptionReader, splitList } from './option-reader.js';
