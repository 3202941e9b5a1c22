import { createHash } from 'node:crypto';
import type { NetworkResponse } from '../core/http.js';
import { STYLE } from './assets.js';

export class Html {
  constructor(readonly markup: string) {}
}

type Value = string | number | Html | readonly Html[];

/** Template tag for markup. Escapes every value that is not markup itself. */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html =>
  new Html(parts.map((part, index) => part + markupOf(values[index] ?? '')).join(''));

function markupOf(value: Value): string {
  if (value instanceof Html) return value.markup;
  if (typeof value === 'object') return value.map(({ markup }) => markup).join('');
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The sandbox's own paths. At `FAULTS_PATH` the console's forms add and remove faults. */
export const CONSOLE_PATH = '/';
export const GUIDE_PATH = '/guide';
export const FAULTS_PATH = '/faults';

export const CONTROL_PATH = '/control';

/** The icon that pages name, and the one that browsers look for. */
export const ICON_PATHS = ['/favicon.svg', '/favicon.ico'];

/** Header that every control request must have. A web page cannot send it to another origin without asking first. */
export const CONTROL_HEADER = 'x-sandbox-control';

/**
 * Allows this style and the sandbox's own pictures. `form-action` allows any host, because browsers also apply it to the redirects
 * after a form, which lead to the application and may lead further.
 */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "img-src 'self'",
  'form-action http: https:',
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

/** The console's script and its requests to the console itself. Inline scripts stay forbidden. */
const SCRIPT_POLICY = ["script-src 'self'", "connect-src 'self'"];

export interface PageSettings {
  readonly status?: number;
  readonly width?: 'wide' | 'narrow';
  readonly links?: Html;
  readonly script?: string;
}

/** Links that look like buttons, the first one like the one to press. */
export const actions = (...links: readonly (readonly [path: string, label: string])[]): Html =>
  html`<div class="actions">
${links.map(([path, label], index) => html`<a class="button${index === 0 ? ' primary' : ''}" href="${path}">${label}</a>\n`)}</div>`;

export const facts = (rows: readonly (readonly [name: string, value: Value])[]): Html =>
  html`<dl class="facts">
${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>`;

export const titledPage = (title: string, content: Html, settings: PageSettings = {}): NetworkResponse =>
  page(title, html`<h1>${title}</h1>\n${content}`, settings);

export function page(title: string, content: Html, settings: PageSettings = {}): NetworkResponse {
  const { status = 200, width = 'wide', script } = settings;
  const links = settings.links ?? html`<a href="${GUIDE_PATH}">Guide</a>`;
  // Not a tagged template: where one contains the end of a script, the build calls a helper of a package that nobody installs.
  const loaded = new Html(script === undefined ? '' : `<script src="${script}" defer></script>\n`);
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${ICON_PATHS[0] ?? ''}">
<style>${new Html(STYLE)}</style>
${loaded}</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
<a class="brand" href="${CONSOLE_PATH}"><span class="mark" aria-hidden="true">S</span>Sandbox</a>
<nav aria-label="Main">${links}</nav>
</header>
<main id="content" class="${width}" tabindex="-1">
${content}
</main>
</body>
</html>
`;
  return {
    status,
    type: 'text/html; charset=utf-8',
    body: document.markup,
    headers: {
      'Content-Security-Policy': [...POLICY, ...(script ? SCRIPT_POLICY : [])].join('; '),
      // The console's own forms tell where they come from. No other site learns it.
      'Referrer-Policy': script ? 'same-origin' : 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    },
  };
}
