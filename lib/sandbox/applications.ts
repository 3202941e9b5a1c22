/** An app that is registered with a network: what the network's developer portal would hand out. */
export interface Application {
  /** Shown to the person who is asked for consent. */
  readonly name: string;
  readonly id: string;
  /** Absent for a public client. */
  readonly secret?: string;
}

const NAME = 'Sandbox application';

/** The short-video network calls them client key and client secret; keys of its own sandbox begin with `sb`. */
export const SHORT_VIDEO = {
  name: NAME,
  id: 'sbawsandboxkey0001',
  secret: 'short-video-sandbox-client-secret',
} satisfies Application;

/** OAuth 2.0 client with a secret. Hyphen and underscore stand in it because the network does not encode them. */
export const MICROBLOG_CONFIDENTIAL = {
  name: NAME,
  id: 'c2FuZGJveC1jb25maWRlbnRpYWw6MTpjaQ',
  secret: 'microblog-sandbox_client-secret_with-both',
} satisfies Application;

/** OAuth 2.0 client that can keep no secret. */
export const MICROBLOG_PUBLIC = {
  name: `${NAME} (public)`,
  id: 'c2FuZGJveC1wdWJsaWM6MTpuYQ',
} satisfies Application;

/** OAuth 1.0a consumer. */
export const MICROBLOG_CONSUMER = {
  name: NAME,
  id: 'sandboxConsumerKey000001',
  secret: 'microblog-sandbox-consumer-secret-for-oauth1',
} satisfies Application;

/** Client of the classic protocol; this network's client identifiers are integers. */
export const SOCIAL_NETWORK = {
  name: NAME,
  id: '51000001',
  secret: 'socialNetworkSandbox',
} satisfies Application;

/** Client of VK ID: no secret. The service token is what a confidential app may add. */
export const VK_ID = {
  name: NAME,
  id: '51000002',
  serviceToken: 'vk-id-sandbox-service-token',
} satisfies Application & { serviceToken: string };
