/** How many letters of a word may differ before a hint would be a guess. */
export function mostEditsOf(word: string): number {
  return Math.min(3, Math.max(1, Math.floor(word.length / 4)));
}

/** The known name that a misspelt word most resembles, in any letter case; `undefined` if more than so many letters differ. */
export function nearest(word: string, known: readonly string[], mostEdits: number): string | undefined {
  const lower = word.toLowerCase();
  for (let edits = 0; edits <= mostEdits; edits += 1) {
    const meant = known.find((name) => isNear(lower, name.toLowerCase(), edits));
    if (meant !== undefined) return meant;
  }
  return undefined;
}

/** Whether the words differ in at most so many letters that were added, left out or replaced. */
function isNear(one: string, other: string, edits: number): boolean {
  if (one === '' || other === '') return one.length + other.length <= edits;
  const [rest, otherRest] = [one.slice(1), other.slice(1)];
  if (one[0] === other[0]) return isNear(rest, otherRest, edits);
  if (edits === 0) return false;
  return [
    [rest, otherRest],
    [rest, other],
    [one, otherRest],
  ].some(([a = '', b = '']) => isNear(a, b, edits - 1));
}

/** What is wrong with a value that was made of a missing one, or copied with its quotation marks. @returns The end of a sentence. */
export function missingIn(value: string): string | undefined {
  if (/^["'`]|["'`]$/.test(value)) return 'stands in quotation marks: remove them';
  const parts = value.replaceAll('%20', ' ').split(/[/.:?#]/);
  const missing = parts.find((part) => /^(?:undefined|null|NaN|\[object Object\])$/.test(part));
  return missing && `has "${missing}" where a value is missing`;
}
