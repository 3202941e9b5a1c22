/**
 * Local stand-in for the three networks, for tests and demos: no accounts, no registration, no internet.
 *
 * @module passport-social-networks-sandbox
 */

export type { Belief, Mark } from './core/evidence.js';
export { PEOPLE, type SandboxPerson } from './core/people.js';
export type { SandboxOptions, VkIdCallback } from './core/world.js';
export {
  type AnySandboxOptions,
  type SandboxChoice,
  type SandboxNetwork,
  type SandboxVersion,
  type StrategyOptions,
  sandboxOptions,
} from './networks.js';
export {
  Browser,
  type BrowserCookie,
  type BrowserSettings,
  type Fetch,
  type Initiator,
  type Navigation,
  type Visited,
  wordsIn,
} from './rehearsal/browser.js';
export { type LinkOptions, type Login, type LoginOptions, login } from './rehearsal/login.js';
export type { RehearsalCheck, RehearsalOptions } from './rehearsal/options.js';
export { type Rehearsal, rehearse } from './rehearsal/rehearsal.js';
export { type Sandbox, type SandboxSettings, startSandbox } from './server/sandbox.js';
export type { SandboxApplication } from './settings.js';
export type { SandboxFault, SandboxFaultRule } from './traffic/faults.js';
export type { SandboxRequest } from './traffic/request-log.js';
