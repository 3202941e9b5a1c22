import { randomBytes } from 'node:crypto';
import { type LoginStore, sessionLogins } from 'passport-social-networks';
import { startSandbox } from 'passport-social-networks-sandbox';

/** Client credentials. May also contain any other option of the strategy. */
interface Credentials {
  readonly clientID: string;
  readonly clientSecret: string;
}

type Confidential = 'short-video' | 'microblog' | 'microblog-1.0' | 'social-network';

/** Options of each network; networks without options are left out. VK ID clients have no secret. */
export type Networks = { readonly [name in Confidential]?: Credentials | undefined } & {
  readonly 'social-network-2.1'?: { readonly clientID: string } | undefined;
};

/** Injectable settings. */
export class Settings {
  constructor(
    readonly networks: Networks,
    /** Signs the session cookie. */
    readonly secret: string,
    /** Stores pending logins. */
    readonly store: LoginStore = sessionLogins(),
    /** Whether the application runs behind a proxy. */
    readonly trustProxy = false,
  ) {}

  /** Options of one network's strategy. */
  optionsOf<Name extends keyof Networks>(name: Name): NonNullable<Networks[Name]> & { store: LoginStore } {
    return { ...(this.networks[name] as NonNullable<Networks[Name]>), store: this.store };
  }
}

const { env } = process;

/**
 * Reads SESSION_SECRET, TRUST_PROXY (`true` behind a proxy) and the credentials of each network from the environment:
 * SHORT_VIDEO_CLIENT_ID and SHORT_VIDEO_CLIENT_SECRET, likewise MICROBLOG_..., MICROBLOG_1_0_... and SOCIAL_NETWORK_..., and
 * SOCIAL_NETWORK_2_1_CLIENT_ID. Without any credentials, a sandbox on this machine stands in for every network.
 */
export async function readSettings(): Promise<Settings> {
  const vkID = env.SOCIAL_NETWORK_2_1_CLIENT_ID;
  const networks: Networks = {
    'short-video': credentials('SHORT_VIDEO'),
    microblog: credentials('MICROBLOG'),
    'microblog-1.0': credentials('MICROBLOG_1_0'),
    'social-network': credentials('SOCIAL_NETWORK'),
    'social-network-2.1': vkID ? { clientID: vkID } : undefined,
  };
  const hasCredentials = Object.values(networks).some((options) => options !== undefined);
  const secret = env.SESSION_SECRET ?? randomBytes(32).toString('hex');
  const trustProxy = env.TRUST_PROXY === 'true';
  return new Settings(
    hasCredentials ? networks : await sandboxNetworks(),
    secret,
    sessionLogins(),
    trustProxy,
  );
}

function credentials(network: string): Credentials | undefined {
  const clientID = env[`${network}_CLIENT_ID`];
  const clientSecret = env[`${network}_CLIENT_SECRET`];
  return clientID && clientSecret ? { clientID, clientSecret } : undefined;
}

async function sandboxNetworks(): Promise<Networks> {
  const { url, options } = await startSandbox();
  console.log(`No credentials in the environment: using the sandbox at ${url}`);
  return {
    'short-video': options('short-video'),
    microblog: options('microblog'),
    'microblog-1.0': options('microblog', { version: '1.0' }),
    'social-network': options('social-network'),
    'social-network-2.1': options('social-network', { version: '2.1' }),
  };
}
