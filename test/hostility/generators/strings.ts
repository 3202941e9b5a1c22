import fc from 'fast-check';

/** Strings of any UTF-16 code units, including unpaired surrogates. fast-check's own unit takes a second to set up. */
export function anyString(maxLength: number): fc.Arbitrary<string> {
  return fc.array(fc.nat(0xffff), { maxLength }).map((units) => String.fromCharCode(...units));
}

/** The words of a text. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
