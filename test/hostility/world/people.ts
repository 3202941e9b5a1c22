/** A person at a played network, known by a number. */
export interface Person {
  /** Digits beyond 2^53, so that whoever rounds them logs in somebody else. */
  readonly id: string;
  readonly name: string;
}

const FIRST_IDENTIFIER = 9_007_199_254_740_993n;

export function person(number: number): Person {
  return { id: String(FIRST_IDENTIFIER + BigInt(number) * 2n), name: `Person ${number}` };
}

/** Marks a text (a code, a token) as one person's. */
export function belongingTo(secret: string, number: number): string {
  return `${secret}.${number}.`;
}

/** Whose text it is. @returns `undefined` for a text that is nobody's. */
export function ownerOf(text: string): number | undefined {
  const [, digits] = /\.(\d{1,9})\.$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
