import { createHash } from 'node:crypto';
import type { NetworkResponse } from '../response.js';

/** Markup that is already escaped. */
export class Html {
  constructor(readonly markup: string) {}
}

type Value = string | number | Html | readonly Html[];

/** Template tag for markup. Escapes every value that is not markup itself. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.map((part, index) => part + markupOf(values[index] ?? '')).join(''));
}

function markupOf(value: Value): string {
  if (value instanceof Html) return value.markup;
  if (typeof value === 'object') return value.map(({ markup }) => markup).join('');
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const STYLE = `
:root { color-scheme: light dark; background: Canvas; --line: #8888; --quiet: #595959; --mark: #0b57d0; --alarm: #a50e0e; }
@media (prefers-color-scheme: dark) { :root { --quiet: #b3b3b3; --mark: #a8c7fa; --alarm: #f6aea9; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 34rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; line-height: 1.25; }
h2 { font-size: 1.1rem; margin-top: 2rem; }
fieldset { margin: 0 0 1rem; padding: .5rem 1rem; border: 1px solid var(--line); border-radius: .5rem; }
legend { padding: 0 .25rem; font-weight: 600; }
label { display: flex; gap: .75rem; align-items: center; min-height: 3rem; cursor: pointer; }
label input { flex: none; width: 1.25rem; height: 1.25rem; accent-color: var(--mark); }
.picture { flex: none; width: 2.5rem; height: 2.5rem; border-radius: 50%; border: 1px solid var(--line); }
small { display: block; color: var(--quiet); }
.decision { display: flex; flex-wrap: wrap; gap: .75rem; }
button { flex: 1 1 8rem; min-height: 3rem; font: inherit; font-weight: 600; border-radius: .5rem; cursor: pointer;
  border: 2px solid var(--mark); color: var(--mark); background: Canvas; }
button[value=allow] { background: var(--mark); color: Canvas; }
:focus-visible { outline: 3px solid var(--mark); outline-offset: 3px; }
dt { font-weight: 600; margin-top: .75rem; }
dd { margin: 0; }
ul { margin: 0; padding: .5rem 0 .5rem 1.25rem; }
code { font-size: .9em; }
a { color: var(--mark); }
.actions { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1.5rem; }
.actions a { display: inline-block; padding: .5rem 0; }
.requests { list-style: none; padding: 0; }
.requests li { padding: .25rem 0; border-bottom: 1px solid var(--line); }
.requests strong { display: block; color: var(--alarm); font-weight: 600; }
`;

/**
 * Allows this style and the sandbox's own pictures, and no scripts. `form-action` allows any host, because browsers also apply
 * it to the redirects after a form, which lead to the application and may lead further.
 */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "img-src 'self'",
  'form-action http: https:',
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Settings of a page. */
export interface PageSettings {
  /** HTTP status. Default: 200. */
  readonly status?: number;
  /** Seconds until the browser reloads the page. Default: never. */
  readonly refresh?: number;
}

/** A page of the sandbox. It works without JavaScript, from a width of 320 pixels, in light and dark mode. */
export function page(
  title: string,
  content: Html,
  { status = 200, refresh }: PageSettings = {},
): NetworkResponse {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${refresh === undefined ? '' : html`<meta http-equiv="refresh" content="${refresh}">\n`}<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<main>
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
      'Content-Security-Policy': POLICY,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    },
  };
}
