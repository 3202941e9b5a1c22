import { type Answer, json } from '../answer.js';
import { bearerToken, type Call, queryAndForm } from '../call.js';
import { type Grant, liveGrant, whyRefused } from '../grants.js';
import type { Endpoint, Network } from '../network.js';
import type { World } from '../world.js';
import type { TokenFinder } from './api.js';
import { vkIdUser } from './record.js';
import { checkVkIdClient, vkIdRefusal } from './vk-id-client.js';

/** What VK ID offers to the holder of its access token: the user, withdrawal of the consent, and logout. */
export class VkIdApi implements Network {
  readonly endpoints: readonly Endpoint[] = [
    post('profile', '/vk-id/oauth2/user_info', (call) => this.userInfo(call)),
    post('revocation', '/vk-id/oauth2/revoke', (call) => this.end(call)),
    post('logout', '/vk-id/oauth2/logout', (call) => this.end(call)),
  ];

  constructor(
    private readonly world: World,
    private readonly findToken: TokenFinder,
  ) {}

  private userInfo(call: Call): Answer {
    const { person, scopes } = this.grant(call);
    return json({ user: vkIdUser(this.world, person, scopes) });
  }

  private end(call: Call): Answer {
    this.grant(call).ended = true;
    return json({ response: 1 });
  }

  private grant(call: Call): Grant {
    const parameters = queryAndForm(call);
    checkVkIdClient(parameters);
    const finding = this.findToken(call.form.get('access_token') ?? bearerToken(call));
    const grant = liveGrant(finding);
    if (grant) return grant;
    const reason = whyRefused('access_token', finding);
    throw vkIdRefusal(parameters, 'invalid_token', 'access_token is missing or invalid', reason);
  }
}

function post(name: string, path: string, answer: Endpoint['answer']): Endpoint {
  return { network: 'social-network', name, method: 'post', path, answer };
}
