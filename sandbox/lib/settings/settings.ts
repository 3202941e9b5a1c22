import { readFileSync } from 'node:fs';
import { BOOLEAN, type Check, integer, remedy, SettingError, type Shape, STRING } from '../core/checks.js';
import { VK_ID_CALLBACKS } from '../core/world.js';

const LIST: Check = [Array.isArray, 'must be a list'];

/** The settings of a file, and of `startSandbox`. What is in the lists has checks of its own. */
export const SETTINGS: Shape = {
  port: integer(0, 65_535, 'must be a number from 0 to 65535'),
  host: [STRING[0], 'must be an address such as 127.0.0.1'],
  strict: BOOLEAN,
  https: BOOLEAN,
  vkIdCallback: [
    (value) => VK_ID_CALLBACKS.some((known) => known === value),
    `must be ${VK_ID_CALLBACKS.join(' or ')}`,
  ],
  applications: LIST,
  people: LIST,
  faults: LIST,
};

/** Every unknown setting, and every one whose value is of the wrong kind. */
export function settingMistakes(given: object, settings: Shape = SETTINGS): readonly SettingError[] {
  const known = Object.keys(settings);
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  const wrong = Object.entries(settings).filter(([name, [isValid]]) => {
    const value: unknown = Reflect.get(given, name);
    return value !== undefined && !isValid(value);
  });
  return [
    ...unknown.map((name) => new SettingError(`unknown setting "${name}"${remedy(name, known)}`, [name])),
    ...wrong.map(([name, [, requirement]]) => new SettingError(`${name} ${requirement}`, [name])),
  ];
}

/** Text of a file that an option of the command names. */
export function readSettings(file: string, option: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`${file} cannot be read (${code}): check the path after ${option}`, { cause: error });
  }
}
