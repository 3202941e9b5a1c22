/**
 * Local stand-in for the three networks, for tests and demos: no accounts, no registration, no internet.
 *
 * @module passport-social-networks-sandbox
 */
export type { SandboxOptions } from './core/clients.js';
export type { Belief, Mark } from './core/evidence.js';
export { PEOPLE, type SandboxPerson } from './core/people.js';
export type { VkIdCallback } from './core/world.js';
export type {
  MicroblogOAuth1SandboxOptions,
  MicroblogSandboxOptions,
  MicroblogStrategyOptions,
  PublicMicroblogSandboxOptions,
} from './microblog/options.js';
export type {
  AnySandboxOptions,
  SandboxChoice,
  SandboxNetwork,
  SandboxVersion,
  StrategyOptions,
} from './networks.js';
export { type Sandbox, type SandboxSettings, startSandbox } from './server/sandbox.js';
/**
 * Local stand-in for the three networks, for tests and demos: no accounts, no registration, no internet.
 *
 * @module passport-social-networks-sandbox
 */
export type { SandboxApplication } from './settings/applications.js';
export type { ShortVideoSandboxOptions, ShortVideoStrategyOptions } from './short-video/options.js';
export type {
  ConfidentialVkIdSandboxOptions,
  SocialNetworkSandboxOptions,
  SocialNetworkStrategyOptions,
  VkIdSandboxOptions,
} from './social-network/options.js';
export type { SandboxFault, SandboxFaultRule } from './traffic/faults.js';
export type { SandboxRequest } from './traffic/request-log.js';
