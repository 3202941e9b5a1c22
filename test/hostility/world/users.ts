/** A user of the fake network. */
export interface NetworkUser {
  /** Beyond 2^53, so that a rounded ID belongs to another user. */
  readonly id: string;
  readonly name: string;
}

const FIRST_IDENTIFIER = 9_007_199_254_740_993n;

export function user(number: number): NetworkUser {
  return { id: String(FIRST_IDENTIFIER + BigInt(number) * 2n), name: `User ${number}` };
}

/** Marks a code or token as belonging to a user. */
export function belongingTo(secret: string, number: number): string {
  return `${secret}.${number}.`;
}

/** The user's number in a marked string. @returns `undefined` for an unmarked string. */
export function ownerOf(text: string): number | undefined {
  const [, digits] = /\.(\d{1,9})\.$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
