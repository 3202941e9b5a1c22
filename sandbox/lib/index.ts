/**
 * Local stand-in for the three networks, for tests and demos: no accounts, no registration, no internet.
 *
 * @module passport-social-networks-sandbox
 */
export type { SandboxApplication } from './applications.js';
export type { SandboxOptions } from './clients.js';
export type { Belief, Mark } from './evidence.js';
export type { SandboxFault, SandboxFaultRule } from './faults.js';
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
export { PEOPLE, type SandboxPerson } from './people.js';
export type { SandboxRequest } from './request-log.js';
export { type Sandbox, type SandboxSettings, startSandbox } from './sandbox.js';
export type { ShortVideoSandboxOptions, ShortVideoStrategyOptions } from './short-video/options.js';
export type {
  ConfidentialVkIdSandboxOptions,
  SocialNetworkSandboxOptions,
  SocialNetworkStrategyOptions,
  VkIdSandboxOptions,
} from './social-network/options.js';
export type { VkIdCallback } from './world.js';
