// @ts-check

/** Markup that needs no escaping. */
export class Html {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}

/** @typedef {string | number | Html | false | undefined | readonly (Html | false | undefined)[]} Value */

/**
 * Template tag for markup. Escapes every value that is not markup; `undefined` and `false` become empty strings.
 *
 * @param {TemplateStringsArray} parts
 * @param {Value[]} values
 */
export function html(parts, ...values) {
  return new Html(parts.map((part, index) => part + markup(values[index])).join(''));
}

/** @param {Value} value @returns {string} */
function markup(value) {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(markup).join('');
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
