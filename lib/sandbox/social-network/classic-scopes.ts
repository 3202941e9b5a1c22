/** The rights of the classic protocol, each with its bit. */
const BITS: Readonly<Record<string, number>> = {
  notify: 1,
  friends: 2,
  photos: 4,
  audio: 8,
  video: 16,
  pages: 32,
  link: 256,
  status: 1024,
  notes: 2048,
  messages: 4096,
  wall: 8192,
  ads: 32768,
  offline: 65536,
  docs: 131072,
  groups: 262144,
  notifications: 524288,
  stats: 1048576,
  email: 4194304,
  market: 134217728,
};

/**
 * Reads the scope of a classic authorization request: a bit mask, or names joined by commas or spaces.
 *
 * @returns Names; `undefined` when one of them does not exist.
 */
export function classicScopes(scope: string): readonly string[] | undefined {
  if (/^\d{1,10}$/.test(scope)) return namesIn(Number(scope));
  const names = [...new Set(scope.split(/[ ,]+/).filter((name) => name !== ''))];
  return names.every((name) => Object.hasOwn(BITS, name)) ? names : undefined;
}

function namesIn(mask: number): readonly string[] | undefined {
  const names = Object.keys(BITS).filter((name) => (BigInt(mask) & BigInt(BITS[name] ?? 0)) !== 0n);
  const sum = names.reduce((total, name) => total + (BITS[name] ?? 0), 0);
  return sum === mask ? names : undefined;
}
