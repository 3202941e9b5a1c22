export type Check = readonly [isValid: (value: unknown) => boolean, requirement: string];

/** Checks of an object's properties, by name; a question mark makes a property optional. */
export type Shape = Readonly<Record<string, Check>>;

export const ANY: Check = [() => true, ''];
export const STRING: Check = [(value) => typeof value === 'string', 'must be a string'];
export const BOOLEAN: Check = [(value) => typeof value === 'boolean', 'must be true or false'];
export const FUNCTION: Check = [(value) => typeof value === 'function', 'must be a function'];

export function text(pattern: RegExp, requirement: string): Check {
  return [(value) => typeof value === 'string' && pattern.test(value), requirement];
}

/** An absolute URL, of any scheme unless one is given. */
export function address(requirement: string, scheme = /^/): Check {
  const isValid = (value: unknown) =>
    typeof value === 'string' && scheme.test(value) && parseURL(value) !== undefined;
  return [isValid, requirement];
}

export function integer(least: number, most: number, requirement?: string): Check {
  const isValid = (value: unknown) =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
  return [isValid, requirement ?? `must be an integer from ${least} to ${most}`];
}

export function oneOf(...values: readonly string[]): Check {
  const list = values.map((value) => `"${value}"`).join(' or ');
  return [(value) => typeof value === 'string' && values.includes(value), `must be ${list}`];
}

/** The words of a list that may have several lines. */
export const words = (list: TemplateStringsArray): readonly string[] => list.join('').split(/\s+/);

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

/** What is wrong with an object's properties: wrong values, then unknown names. @param owner - Such as ` of "delay"`, for the message. */
export function shapeProblems(value: object, shape: Shape, owner = '', kind = 'property'): Problem[] {
  const wrong = Object.entries(shape).flatMap(([property, [isValid, requirement]]): Problem[] => {
    const name = property.replace('?', '');
    const given: unknown = Reflect.get(value, name);
    if (isValid(given) || (given === undefined && property !== name)) return [];
    const isMissing = given === undefined && owner === '';
    return [[name, isMissing ? `${name} is missing; it ${requirement}` : `${name}${owner} ${requirement}`]];
  });
  const known = namesOf(shape);
  const unknown = Object.keys(value).filter((name) => !known.includes(name));
  const sentence = (name: string): string => `unknown ${kind} "${name}"${owner}${remedy(name, known)}`;
  return [...wrong, ...unknown.map((name): Problem => [name, sentence(name)])];
}

export const shapeProblem = (...checked: Parameters<typeof shapeProblems>): Problem | undefined =>
  shapeProblems(...checked)[0];

export function checkOptions(caller: string, options: unknown, shape: Shape): void {
  const problem = isObject(options) ? shapeProblem(options, shape)?.[1] : 'the options must be an object';
  if (problem !== undefined) throw new TypeError(`${caller}: ${problem}`);
}

/** How a sentence about an unknown name ends: with the one that was meant, otherwise with every known one. */
export function remedy(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return meant === undefined ? ` (known: ${known.join(', ') || 'none'})` : `: did you mean ${meant}?`;
}

/** The known name that is at most two letters away; short ones are near everything. */
export const nearest = <T extends string>(name: string, known: readonly T[]): T | undefined =>
  [1, 2].flatMap((edits) => known.filter((other) => other.length > 3 && isNear(name, other, edits)))[0];

function isNear(one: string, other: string, edits: number): boolean {
  if (one === other) return true;
  if (one !== '' && one[0] === other[0]) return isNear(one.slice(1), other.slice(1), edits);
  const left = [one.slice(1), other.slice(1)] as const;
  if (edits === 0) return false;
  return [[one, left[1]], [left[0], other], left].some(([a = '', b = '']) => isNear(a, b, edits - 1));
}
