// networks.ts
import type { ConfigService } from '@nestjs/config';
import type { MicroblogOptions, ShortVideoOptions } from 'passport-social-networks';

/** The options of the strategies. A test replaces them with those of the sandbox. */
export class Networks {
  constructor(
    readonly shortVideo: ShortVideoOptions,
    readonly microblog: MicroblogOptions<'2.0'>,
  ) {}
}

/** Reads the credentials. With NETWORKS=sandbox, a sandbox on this machine stands in for the networks. */
export async function readNetworks(config: ConfigService): Promise<Networks> {
  if (config.get('NETWORKS') === 'sandbox') {
    const { startSandbox } = await import('passport-social-networks-sandbox');
    const sandbox = await startSandbox();
    return new Networks(sandbox.options('short-video'), sandbox.options('microblog'));
  }
  const credentialsOf = (network: string) => ({
    clientID: config.getOrThrow<string>(`${network}_CLIENT_ID`),
    clientSecret: config.getOrThrow<string>(`${network}_CLIENT_SECRET`),
  });
  return new Networks(credentialsOf('SHORT_VIDEO'), credentialsOf('MICROBLOG'));
}
