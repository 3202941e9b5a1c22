/** Markup that needs no further escaping. */
export class Html {
  constructor(readonly text: string) {}
}

type Value = string | number | Html | readonly Html[];

/** Writes markup as a template; every value that is not markup itself is escaped. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  const text = parts.map((part, index) => part + markup(values[index] ?? '')).join('');
  return new Html(text);
}

function markup(value: Value): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map((item) => item.text).join('');
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
