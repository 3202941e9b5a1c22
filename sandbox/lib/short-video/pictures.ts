import { hash } from 'node:crypto';
import { picturePath, type SandboxPerson } from '../core/people.js';
import type { World } from '../core/world.js';

const DAY = 86_400;

const signed = (url: string): string =>
  `${url}&x-signature=${encodeURIComponent(hash('sha1', `a picture ${url}`, 'base64'))}`;

/**
 * The URL of a person's picture as TikTok signs it, for two to three days; empty without a picture. Who changes a byte of the query, or comes
 * later, gets HTTP 403 (observed).
 *
 * @see https://github.com/zerodytrash/TikTok-Live-Connector/issues/37
 */
export function signedPicture(person: SandboxPerson, world: World, pixels: number): string {
  const path = picturePath(person, pixels)?.replace('.svg', '.jpeg');
  const expires = (Math.floor(world.clock.now() / 1_000 / DAY) + 3) * DAY;
  return path === undefined ? '' : `${world.url}${signed(`${path}&x-expires=${expires}`)}`;
}

/** Whether the URL of a picture needs no signature, or is as it was signed. @param now - In milliseconds since 1970. */
export function isServedPicture(url: string, now: number): boolean {
  const [path = '', expires = ''] = /^[^&]*\.jpeg\?size=\d+&x-expires=(\d+)/.exec(url) ?? [];
  return !/\.jpeg\b/.test(url) || (url === signed(path) && Number(expires) * 1_000 > now);
}
