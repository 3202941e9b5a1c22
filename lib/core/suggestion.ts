/** What to say about an option that there is none of: why it is missing on purpose, or which one was meant. */
export function explainUnknown(
  option: string,
  known: readonly string[],
  notes: Readonly<Record<string, string>>,
): string {
  if (Object.hasOwn(notes, option)) return `is not taken: ${notes[option]}`;
  return `is unknown. ${suggestion(option, known)}`;
}

/** What other libraries and the networks call an option, letters only -> its name here. No misspelling, so no distance finds it. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  redirecturi: 'callbackURL',
  redirecturl: 'callbackURL',
};

/** "Did you mean ...?" for a misspelt word or another library's, else the whole list. */
export function suggestion(word: string, known: readonly string[]): string {
  const meant = OTHER_NAMES[word.toLowerCase().replace(/[^a-z]/g, '')];
  if (meant !== undefined && known.includes(meant)) return `Did you mean ${meant}?`;
  const [nearest] = known
    .map((name) => ({ name, distance: editDistance(word.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  return nearest && nearest.distance <= 3 ? `Did you mean ${nearest.name}?` : `There are ${known.join(', ')}`;
}

/** Levenshtein's distance; words are short. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of Array.from(one).entries()) {
    const next = [index + 1];
    for (const [column, otherLetter] of Array.from(other).entries()) {
      const replaced = (row[column] ?? 0) + (letter === otherLetter ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
