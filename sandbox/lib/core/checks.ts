export type Check = readonly [isValid: (value: unknown) => boolean, requirement: string];

/** Checks of an object's properties, by name; a question mark makes a property optional. */
export type Shape = Readonly<Record<string, Check>>;

export const STRING: Check = [(value) => typeof value === 'string', 'must be a string'];
export const BOOLEAN: Check = [(value) => typeof value === 'boolean', 'must be true or false'];
export const FUNCTION: Check = [(value) => typeof value === 'function', 'must be a function'];

export const text = (pattern: RegExp, requirement: string): Check => [
  (value) => typeof value === 'string' && pattern.test(value),
  requirement,
];

export const integer = (
  least: number,
  most: number,
  requirement = `must be an integer from ${least} to ${most}`,
): Check => [
  (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
  requirement,
];

export function oneOf(...values: readonly string[]): Check {
  const list = values.map((value) => `"${value}"`).join(' or ');
  return [(value) => typeof value === 'string' && values.includes(value), `must be ${list}`];
}

/** `undefined` if the text is no URL. In Node 20 and 22 `URL.canParse` is wrong about hosts beyond ASCII, once the engine has optimized its caller. */
export function parseURL(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const namesOf = (shape: Shape): readonly string[] =>
  Object.keys(shape).map((property) => property.replace('?', ''));

/** What is wrong with a setting, and where: the keys that lead to it. */
export class SettingError extends TypeError {
  override readonly name = 'SettingError';

  constructor(
    message: string,
    readonly path: readonly (string | number)[],
  ) {
    super(message);
  }
}

type Problem = readonly [property: string, sentence: string];

/** The first property that is wrong or unknown, and how. @param owner - Such as ` of "delay"`, for the message. */
export function shapeProblem(value: object, shape: Shape, owner = ''): Problem | undefined {
  for (const [property, [isValid, requirement]] of Object.entries(shape)) {
    const name = property.replace('?', '');
    const given: unknown = Reflect.get(value, name);
    if (given === undefined && property !== name) continue;
    if (given === undefined && owner === '') return [name, `${name} is missing; it ${requirement}`];
    if (!isValid(given)) return [name, `${name}${owner} ${requirement}`];
  }
  return unknownProperty(value, namesOf(shape), owner);
}

/** @throws TypeError that names the function and the option. */
export function checkOptions(caller: string, options: unknown, shape: Shape): void {
  const problem = isObject(options) ? shapeProblem(options, shape)?.[1] : 'the options must be an object';
  if (problem !== undefined) throw new TypeError(`${caller}: ${problem}`);
}

/** That an object has a property beyond the known ones; `undefined` if it has none. */
export function unknownProperty(value: object, known: readonly string[], owner = ''): Problem | undefined {
  const extra = Object.keys(value).find((name) => !known.includes(name));
  if (extra === undefined) return undefined;
  return [extra, `unknown property "${extra}"${owner}${remedy(extra, known)}`];
}

/** How a sentence about an unknown name ends: with the one that was meant, otherwise with every known one. */
export function remedy(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return meant === undefined ? ` (known: ${known.join(', ') || 'none'})` : `: did you mean ${meant}?`;
}

/** The known name that is at most two letters away; short ones are near everything. */
export const nearest = (name: string, known: readonly string[]): string | undefined =>
  [1, 2].flatMap((edits) => known.filter((other) => other.length > 3 && isNear(name, other, edits)))[0];

/** Whether so many letters to add, remove or replace make one name of the other. */
function isNear(one: string, other: string, edits: number): boolean {
  if (one === other) return true;
  if (one !== '' && one[0] === other[0]) return isNear(one.slice(1), other.slice(1), edits);
  const left = [one.slice(1), other.slice(1)] as const;
  return (
    edits > 0 && [[one, left[1]], [left[0], other], left].some(([a = '', b = '']) => isNear(a, b, edits - 1))
  );
}
