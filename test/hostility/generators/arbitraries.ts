import fc from 'fast-check';

export function either<T>(...choices: readonly (readonly [weight: number, fc.Arbitrary<T>])[]) {
  return fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

export const one = fc.constantFrom;
export const just = <const T>(value: T): fc.Arbitrary<T> => fc.constant(value);

/** A value that is `usual`, except once in `weight + 1` cases. */
export function mostly<T>(weight: number, usual: T, other: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return either([weight, fc.constant(usual)], [1, other]);
}

/** From 0 to 1, each part as likely as the others, which `fc.double` does not give. */
export const fraction = fc.integer({ min: 0, max: 1_000 }).map((part) => part / 1_000);

/** Strings of any UTF-16 code units, including unpaired surrogates. fast-check's own unit takes a second to set up. */
export function anyString(maxLength: number): fc.Arbitrary<string> {
  return fc.array(fc.nat(0xffff), { maxLength }).map((units) => String.fromCharCode(...units));
}

export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

export type Generated<A> = A extends fc.Arbitrary<infer T> ? T : never;
