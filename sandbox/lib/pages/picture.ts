import { type NetworkResponse, textResponse } from '../core/http.js';
import { picturePath, type SandboxPerson } from '../core/people.js';
import { type Html, html } from './page.js';

/** A person's picture, or initials. Hidden from screen readers, because the name is next to it. */
export function personPicture(person: SandboxPerson): Html {
  const path = picturePath(person);
  if (path !== undefined) return html`<img class="picture" src="${path}" alt="" width="40" height="40">`;
  // The first letters of the first two words; the first character of a name without letters.
  const words = person.displayName.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? [person.displayName];
  const initials = words.slice(0, 2).map((word) => /^./u.exec(word)?.[0] ?? '');
  return html`<span class="picture" aria-hidden="true">${initials.join('').toUpperCase()}</span>`;
}

/** The microblog network tells sizes by the end of a file's name: it has pictures of this form. */
const PHOTO = /(_mini|_normal|_bigger)?\.png$/;
const PHOTO_SIZES: Readonly<Record<string, string>> = { _mini: '24', _normal: '48', _bigger: '73' };

/** The person's initial on a colour of their own, as SVG whatever the file is called: browsers follow the type. @param size - Pixels; 200 if it is invalid. */
export function drawPicture(people: readonly SandboxPerson[], file: string, size: string | undefined) {
  const name = file.replace(PHOTO, '.svg');
  const index = people.findIndex(({ id, picture }) => picture !== undefined && name === `${id}.svg`);
  const person = people[index];
  if (!person) return textResponse('No such picture.', 404);
  const photo = PHOTO.exec(file);
  const given = photo ? (PHOTO_SIZES[photo[1] ?? ''] ?? '400') : size;
  const pixels = /^[1-9]\d{1,2}$/.test(given ?? '') ? Number(given) : 200;
  const letter = /^./u.exec(person.displayName)?.[0] ?? '';
  return svg(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels}" height="${pixels}" viewBox="0 0 100 100">` +
      `<rect width="100" height="100" fill="hsl(${(index * 137) % 360} 45% 35%)"/>` +
      `<text x="50" y="68" font-family="sans-serif" font-size="52" text-anchor="middle" fill="#fff">` +
      `${letter.replace(/[<>&"']/g, '')}</text></svg>`,
  );
}

const svg = (body: string): NetworkResponse => textResponse(body, 200, 'image/svg+xml');

export const ICON = svg(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#3b47c4"/>' +
    '<text x="16" y="23" font-family="sans-serif" font-weight="700" font-size="20" text-anchor="middle" fill="#fff">S</text></svg>',
);

/** The GIF at the placeholder URLs that two of the networks return for users without a picture: one transparent pixel. */
export const PLACEHOLDER = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
