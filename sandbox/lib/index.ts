/**
 * Local stand-in for the three networks, for tests and demos: no accounts, no registration, no internet.
 *
 * @module passport-social-networks/sandbox
 */
export type { SandboxFault, SandboxFaultRule } from './faults.js';
export type { SandboxNetwork, SandboxVersion } from './network.js';
export type {
  AnySandboxOptions,
  ConfidentialVkIdSandboxOptions,
  MicroblogOAuth1SandboxOptions,
  MicroblogSandboxOptions,
  PublicMicroblogSandboxOptions,
  SandboxChoice,
  SandboxOptions,
  ShortVideoSandboxOptions,
  SocialNetworkSandboxOptions,
  StrategyOptions,
  VkIdSandboxOptions,
} from './options.js';
export { PEOPLE, type SandboxPerson } from './people.js';
export type { SandboxRequest } from './request-log.js';
export { type Sandbox, type SandboxSettings, startSandbox } from './sandbox.js';
export type { VkIdCallback } from './social-network/vk-id.js';
