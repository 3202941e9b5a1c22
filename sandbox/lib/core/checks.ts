export type Check = readonly [isValid: (value: unknown) => boolean, requirement: string];

/** Checks of an object's properties, by name; a question mark makes a property optional. */
export type Shape = Readonly<Record<string, Check>>;

export const STRING: Check = [(value) => typeof value === 'string', 'must be a string'];
export const BOOLEAN: Check = [(value) => typeof value === 'boolean', 'must be true or false'];

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

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const namesOf = (shape: Shape): readonly string[] =>
  Object.keys(shape).map((property) => property.replace('?', ''));

/** The first property that is wrong or unknown, and how. @param owner - Such as ` of "delay"`, for the message. */
export function shapeProblem(value: object, shape: Shape, owner = ''): string | undefined {
  for (const [property, [isValid, requirement]] of Object.entries(shape)) {
    const name = property.replace('?', '');
    const given: unknown = Reflect.get(value, name);
    if (given === undefined && property !== name) continue;
    if (given === undefined && owner === '') return `${name} is missing; it ${requirement}`;
    if (!isValid(given)) return `${name}${owner} ${requirement}`;
  }
  return unknownProperty(value, namesOf(shape), owner);
}

/** That an object has a property beyond the known ones; `undefined` if it has none. */
export function unknownProperty(value: object, known: readonly string[], owner = ''): string | undefined {
  const extra = Object.keys(value).find((name) => !known.includes(name));
  if (extra === undefined) return undefined;
  return `unknown property "${extra}"${owner} (known: ${known.join(', ') || 'none'})`;
}
