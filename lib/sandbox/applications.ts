/** An application registered with a network: what the network's developer portal would issue. */
export interface Application {
  /** Name on the consent page. */
  readonly name: string;
  readonly id: string;
  /** Missing for a public client. */
  readonly secret?: string;
}

const NAME = 'Sandbox application';

/** The short-video network calls them client key and client secret. Keys of its own sandbox start with `sb`. */
export const SHORT_VIDEO = {
  name: NAME,
  id: 'sbawsandboxkey0001',
  secret: 'short-video-sandbox-client-secret',
} satisfies Application;

/** OAuth 2.0 client with a secret. The hyphen and underscore are there because the network does not encode them. */
export const MICROBLOG_CONFIDENTIAL = {
  name: NAME,
  id: 'c2FuZGJveC1jb25maWRlbnRpYWw6MTpjaQ',
  secret: 'microblog-sandbox_client-secret_with-both',
} satisfies Application;

/** OAuth 2.0 client without a secret. */
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

/** Client of the classic protocol. Client identifiers of this network are integers. */
export const SOCIAL_NETWORK = {
  name: NAME,
  id: '51000001',
  secret: 'socialNetworkSandbox',
} satisfies Application;

/** Client of VK ID, without a secret. A confidential application may add the service token. */
export const VK_ID = {
  name: NAME,
  id: '51000002',
  serviceToken: 'vk-id-sandbox-service-token',
} satisfies Application & { serviceToken: string };
