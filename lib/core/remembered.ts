/** Most answers that are kept. */
const MOST = 100;

/** Remembers what a function made of each text, for texts that are few and come again: addresses. */
export function remembered<T extends object>(make: (text: string) => T): (text: string) => T {
  const made = new Map<string, T>();
  return (text) => {
    const known = made.get(text);
    if (known) return known;
    const fresh = make(text);
    if (made.size >= MOST) made.clear();
    made.set(text, fresh);
    return fresh;
  };
}
