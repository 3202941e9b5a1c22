/** The seed from `FUZZ_SEED`, or a random one. @throws TypeError for an invalid seed. */
export function chosenSeed(): number {
  const { FUZZ_SEED } = process.env;
  if (FUZZ_SEED === undefined || FUZZ_SEED === '') return Math.floor(Math.random() * 2_147_483_647);
  const seed = Number(FUZZ_SEED);
  if (Number.isInteger(seed) && seed >= 0 && seed < 2_147_483_647) return seed;
  throw new TypeError('FUZZ_SEED must be a whole number from 0 to 2147483646.');
}
