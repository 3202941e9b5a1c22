import { randomBytes } from 'node:crypto';
import { cookieLogins, type LoginStore } from 'passport-social-networks';

/** Client credentials. May also contain any other option of the strategy. */
type Credentials = { readonly clientID: string; readonly clientSecret: string };

/** A client without a secret, from which the key of its cookies would be made. */
type PublicClient = { readonly clientID: string; readonly store: LoginStore };

/** Options of each network by the name of its strategy; networks without options are left out. */
type Networks = {
  readonly [name in 'short-video' | 'microblog-1-0' | 'social-network']?: Credentials | undefined;
} & { readonly [name in 'microblog' | 'social-network-vk-id']?: Credentials | PublicClient | undefined };

/** What the application reads from its environment. A test makes its own. */
export class Settings {
  constructor(
    private readonly networks: Networks,
    /** Signs the session cookie. At least 32 characters. */
    readonly secret: string,
    /** Whether the application runs behind a proxy. */
    readonly trustProxy = false,
    /** Where browsers reach the application. Without it, redirect URIs follow the Host header, which any client can set. */
    readonly baseURL?: string,
  ) {}

  /** The names of the strategies with options. */
  get names(): (keyof Networks)[] {
    const names = Object.keys(this.networks) as (keyof Networks)[];
    return names.filter((name) => this.networks[name] !== undefined);
  }

  /** The options of a strategy. */
  optionsOf<Name extends keyof Networks>(name: Name): NonNullable<Networks[Name]> {
    const own = this.baseURL ? { baseURL: this.baseURL } : {};
    return { ...this.networks[name], ...own } as NonNullable<Networks[Name]>;
  }
}

const { env } = process;

/**
 * Reads BASE_URL, SESSION_SECRET, TRUST_PROXY (`true` behind a proxy) and the credentials of each network from the environment:
 * SHORT_VIDEO_CLIENT_ID and SHORT_VIDEO_CLIENT_SECRET, likewise MICROBLOG_..., MICROBLOG_1_0_..., SOCIAL_NETWORK_... and
 * SOCIAL_NETWORK_VK_ID_.... Without any credentials, a sandbox on this machine stands in for every network.
 */
export async function readSettings(): Promise<Settings> {
  const networks = {
    'short-video': client('SHORT_VIDEO'),
    microblog: client('MICROBLOG', true),
    'microblog-1-0': client('MICROBLOG_1_0'),
    'social-network': client('SOCIAL_NETWORK'),
    'social-network-vk-id': client('SOCIAL_NETWORK_VK_ID', true),
  };
  const hasCredentials = Object.values(networks).some((options) => options !== undefined);
  const secret = env.SESSION_SECRET ?? randomBytes(32).toString('hex');
  const port = Number(env.PORT ?? 3000); // 0 is any free port.
  const localURL = env.NODE_ENV === 'production' || port === 0 ? undefined : `http://127.0.0.1:${port}`;
  const baseURL = env.BASE_URL || localURL;
  const trustProxy = env.TRUST_PROXY === 'true' || baseURL?.startsWith('https:') === true;
  return new Settings(
    hasCredentials ? (networks as Networks) : await sandboxNetworks(),
    secret,
    trustProxy,
    baseURL,
  );
}

/** @param mayBePublic - At X, and at VK ID without its protected key. It needs LOGIN_SECRET. */
function client(network: string, mayBePublic = false): Credentials | PublicClient | undefined {
  const clientID = env[`${network}_CLIENT_ID`];
  const clientSecret = env[`${network}_CLIENT_SECRET`];
  if (clientID && clientSecret) return { clientID, clientSecret };
  return clientID && mayBePublic
    ? { clientID, store: cookieLogins({ secrets: env.LOGIN_SECRET }) }
    : undefined;
}

async function sandboxNetworks(): Promise<Networks> {
  if (env.NODE_ENV === 'production') throw new Error('No credentials in the environment.');
  const { startSandbox } = await import('passport-social-networks-sandbox');
  const { url, options } = await startSandbox();
  console.log(`No credentials in the environment: using the sandbox at ${url}`);
  return {
    'short-video': options('short-video'),
    microblog: options('microblog'),
    'microblog-1-0': options('microblog', { version: '1.0' }),
    'social-network': options('social-network'),
    'social-network-vk-id': options('social-network', { version: '2.1' }),
  };
}
