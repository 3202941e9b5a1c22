import fc from 'fast-check';

/** Any 16-bit units, unpaired surrogates among them. fast-check's own unit for that takes a second to prepare. */
export function anyText(maxLength: number): fc.Arbitrary<string> {
  return fc.array(fc.nat(0xffff), { maxLength }).map((units) => String.fromCharCode(...units));
}
