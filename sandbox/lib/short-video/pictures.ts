import { hash } from 'node:crypto';
import type { SandboxPerson } from '../core/people.js';
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
  const url = world.picture(person, pixels);
  const { pathname, search } = new URL(url ?? world.url);
  const expires = (Math.floor(world.clock.now() / 1_000 / DAY) + 3) * DAY;
  const path = `${pathname.replace('.svg', '.jpeg')}${search}&x-expires=${expires}`;
  return url === undefined ? '' : `${world.url}${signed(path)}`;
}

/** Whether the URL of a picture needs no signature, or is as it was signed. @param now - In milliseconds since 1970. */
export function isServedPicture(url: string, now: number): boolean {
  const [path = '', expires = ''] = /^[^&]*\.jpeg\?size=\d+&x-expires=(\d+)/.exec(url) ?? [];
  return !/\.jpeg\b/.test(url) || (url === signed(path) && Number(expires) * 1_000 > now);
}
