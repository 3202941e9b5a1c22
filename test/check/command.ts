import type { CheckReport } from '../../lib/check/index.js';
import type { Sandbox } from '../../sandbox/lib/index.js';

export type Environment = Readonly<Record<string, string>>;

/** The variables of every strategy, with credentials that the sandbox accepts. */
export function credentialsOf(sandbox: Sandbox): Environment {
  const shortVideo = sandbox.options('short-video');
  const microblog = sandbox.options('microblog');
  const oauth1 = sandbox.options('microblog', { version: '1.0' });
  const classic = sandbox.options('social-network');
  const vkId = sandbox.options('social-network', { version: '2.1', client: 'confidential' });
  return {
    BASE_URL: 'https://app.example',
    SHORT_VIDEO_CLIENT_ID: shortVideo.clientID,
    SHORT_VIDEO_CLIENT_SECRET: shortVideo.clientSecret,
    MICROBLOG_CLIENT_ID: microblog.clientID,
    MICROBLOG_CLIENT_SECRET: microblog.clientSecret,
    MICROBLOG_1_0_CLIENT_ID: oauth1.clientID,
    MICROBLOG_1_0_CLIENT_SECRET: oauth1.clientSecret,
    SOCIAL_NETWORK_CLIENT_ID: classic.clientID,
    SOCIAL_NETWORK_CLIENT_SECRET: classic.clientSecret,
    SOCIAL_NETWORK_VK_ID_CLIENT_ID: vkId.clientID,
    SOCIAL_NETWORK_2_1_CLIENT_ID: vkId.clientID,
    SOCIAL_NETWORK_2_1_SERVICE_TOKEN: vkId.serviceToken,
  };
}

/** The parsed output of `--json`. */
export function parsed(output: string): { readonly verdict: string; readonly reports: CheckReport[] } {
  return JSON.parse(output) as { verdict: string; reports: CheckReport[] };
}
