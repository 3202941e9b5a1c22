/** A number as written, because JavaScript rounds some numbers. */
export class Literal {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Parses JSON without recursion and keeps numbers as written. The last of several properties with the same name wins.
 *
 * @returns `undefined` for invalid JSON.
 */
export function exactJSON(text: string): unknown {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const root: unknown[] = [];
  const open: (unknown[] | Map<string, unknown>)[] = [root];
  let name: string | undefined;
  const put = (value: unknown) => {
    const owner = open.at(-1) as unknown[] | Map<string, unknown>;
    if (Array.isArray(owner)) owner.push(value);
    else owner.set(name as string, value);
    name = undefined;
  };
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[-\d][\d.eE+-]*|true|false|null|[{}[\]]/g)) {
    const owner = open.at(-1);
    if (token === '{' || token === '[') {
      const begun = token === '{' ? new Map<string, unknown>() : [];
      put(begun);
      open.push(begun);
    } else if (token === '}' || token === ']') {
      open.pop();
    } else if (owner instanceof Map && name === undefined) {
      name = JSON.parse(token) as string;
    } else {
      put(/^[-\d]/.test(token) ? new Literal(token) : JSON.parse(token));
    }
  }
  return root[0];
}

/** Reads a nested value. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((found, step) => {
    if (found instanceof Map) return found.get(String(step));
    return Array.isArray(found) ? found[step as number] : undefined;
  }, value);
}

/** The exact integer value of a literal; `undefined` if it has a fraction or is huge. */
export function wholeNumber({ text }: Literal): string | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const shift = Number(exponent) - fraction.length;
  if (Math.abs(shift) > 400) return undefined;
  const all = whole + fraction;
  const moved = shift >= 0 ? all + '0'.repeat(shift) : all.padStart(1 - shift, '0').slice(0, shift);
  const rest = shift >= 0 ? '' : all.padStart(1 - shift, '0').slice(shift);
  return /[^0]/.test(rest) ? undefined : sign + String(BigInt(moved));
}
