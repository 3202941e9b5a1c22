import { Script } from 'node:vm';

/**
 * A network's name in every spelling that a template uses as a placeholder.
 *
 * @typedef {Readonly<Record<'kebab-name' | 'camelName' | 'PascalName' | 'CONSTANT_NAME' | 'plain name' | 'month', string>>} Names
 */

/**
 * Spells a network's name.
 *
 * @param {string} name - In lower case with hyphens, such as `photo-network`. Becomes the folder, strategy name and subpath.
 * @param {Date} today - For the "read" dates in the templates.
 * @returns {Names}
 * @throws {TypeError} if it is not a valid folder name or TypeScript identifier
 */
export function namesOf(name, today) {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw new TypeError(
      `"${name}" is not a valid name: use lower-case letters, digits and single hyphens, as in photo-network`,
    );
  }
  const words = name.split('-');
  const pascalName = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  const camelName = pascalName.charAt(0).toLowerCase() + pascalName.slice(1);
  checkIdentifier(camelName);
  return {
    'kebab-name': name,
    camelName,
    PascalName: pascalName,
    CONSTANT_NAME: words.join('_').toUpperCase(),
    'plain name': words.at(-1) === 'network' ? words.join(' ') : `${words.join(' ')} network`,
    month: today.toISOString().slice(0, 7),
  };
}

/** @param {string} identifier */
function checkIdentifier(identifier) {
  try {
    new Script(`'use strict'; const ${identifier} = 0;`);
  } catch {
    throw new TypeError(`"${identifier}" is a reserved word, and the factory would have this name`);
  }
}

/**
 * Replaces the placeholders `{{kebab-name}}`, `{{PascalName}}` and so on with the names.
 *
 * @param {string} text
 * @param {Names} names
 * @throws {Error} for an unknown placeholder
 */
export function fillIn(text, names) {
  return text.replace(/\{\{([^{}]+)\}\}/g, (_placeholder, key) => {
    if (Object.hasOwn(names, key)) return names[/** @type {keyof Names} */ (key)];
    throw new Error(
      `Unknown placeholder {{${key}}} in a template. Available: ${Object.keys(names).join(', ')}`,
    );
  });
}
