import type { Answer } from '../answer.js';
import { plain } from '../answer.js';
import type { SandboxPerson } from '../people.js';

/** One transparent dot: all there is to see at the networks' placeholder addresses. */
const DOT = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

/** Path of a person's picture within the sandbox; `undefined` for somebody without one. */
export function picturePath(person: SandboxPerson, pixels?: number): string | undefined {
  if (person.picture === undefined) return undefined;
  return `/pictures/${person.id}.svg${pixels === undefined ? '' : `?size=${pixels}`}`;
}

/**
 * Draws the picture that `/pictures/<file>` stands for: the person's first letter on a colour of their own.
 *
 * @param size - Width and height in pixels, as the query spelled it; 200 when absent or senseless.
 */
export function drawPicture(
  people: readonly SandboxPerson[],
  file: string,
  size: string | undefined,
): Answer {
  const index = people.findIndex((person) => person.picture !== undefined && file === `${person.id}.svg`);
  const person = people[index];
  if (!person) return plain('No such picture.', 404);
  const pixels = /^[1-9]\d{1,2}$/.test(size ?? '') ? Number(size) : 200;
  const letter = /^./u.exec(person.displayName)?.[0] ?? '';
  const hue = (index * 137) % 360;
  return {
    status: 200,
    type: 'image/svg+xml; charset=utf-8',
    body:
      `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels}" height="${pixels}" viewBox="0 0 100 100">` +
      `<rect width="100" height="100" fill="hsl(${hue} 45% 35%)"/>` +
      `<text x="50" y="68" font-family="sans-serif" font-size="52" text-anchor="middle" fill="#fff">` +
      `${letter.replace(/[<>&"']/g, '')}</text></svg>`,
  };
}

/** The bytes behind the placeholder addresses that two networks give for somebody without a picture. */
export function placeholderPicture(): Buffer {
  return Buffer.from(DOT, 'base64');
}
