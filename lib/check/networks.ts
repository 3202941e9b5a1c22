import { MicroblogOAuth1Strategy, MicroblogOAuth2Strategy } from '../microblog/index.js';
import { ShortVideoStrategy } from '../short-video/index.js';
import { SocialNetworkStrategy } from '../social-network/index.js';
import { microblogOAuth1, microblogOAuth2 } from './microblog.js';
import type { NetworkKnowledge } from './network-knowledge.js';
import { shortVideo } from './short-video.js';
import { classic, vkId } from './social-network.js';

/** What is known about a strategy's network; `undefined` for one that no line here names. */
export function knowledgeOf(strategy: object, version: string | undefined): NetworkKnowledge | undefined {
  if (strategy instanceof ShortVideoStrategy) return shortVideo;
  if (strategy instanceof MicroblogOAuth2Strategy) return microblogOAuth2;
  if (strategy instanceof MicroblogOAuth1Strategy) return microblogOAuth1;
  if (strategy instanceof SocialNetworkStrategy) return version === '2.1' ? vkId : classic;
  return undefined;
}
