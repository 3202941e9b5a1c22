import { VK_ID } from '../applications.js';
import type { Clock } from '../clock.js';
import type { SandboxPerson } from '../people.js';
import { randomText } from '../secrets.js';

/**
 * What the network sends along with the tokens of a login.
 *
 * Its signature is none: the network publishes no key to check one with, so nobody can rely on it.
 *
 * @param seconds - How long it says to be good for.
 */
export function idToken(clock: Clock, person: SandboxPerson, seconds: number): string {
  const iat = Math.floor(clock.now() / 1000);
  const claims = {
    iss: 'VK',
    sub: person.socialNetworkId,
    app: Number(VK_ID.id),
    exp: iat + seconds,
    iat,
    jti: iat,
  };
  return [encoded({ alg: 'RS256', typ: 'JWT' }), encoded(claims), randomText(342)].join('.');
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
