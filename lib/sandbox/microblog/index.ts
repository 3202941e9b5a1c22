import type { Endpoint } from '../network.js';
import type { World } from '../world.js';
import { MicroblogApi } from './api.js';
import { MicroblogOAuth1 } from './oauth1.js';
import { MicroblogOAuth2 } from './oauth2.js';

/** Every address of the microblog network, of both versions of OAuth. */
export function microblog(world: World): readonly Endpoint[] {
  const oauth1 = new MicroblogOAuth1(world);
  const oauth2 = new MicroblogOAuth2(world);
  return [oauth2, oauth1, new MicroblogApi(world, oauth1, oauth2)].flatMap((network) => network.endpoints);
}
