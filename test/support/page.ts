import { AssertionError } from 'chai';

const LONGEST_TEXT = 300;

/** What a reader of a page sees: without its head, tags and runs of white space, and shortened. */
function visibleText(html: string): string {
  const text = html
    .replace(/<(head|style|script|title)\b.*?<\/\1>|<[^>]*>/gis, ' ')
    .replace(/&#(\d+);/g, (_entity, code: string) => String.fromCodePoint(Number(code)))
    .replace(/\s+/g, ' ')
    .trim();
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)} ...` : text;
}

/**
 * Checks a page. A failure shows the page's visible text instead of its HTML.
 *
 * @param html - The page, or its text.
 */
export function expectPage(html: string) {
  const fail = (problem: string): never => {
    throw new AssertionError(`the page ${problem}; its text: ${visibleText(html) || '(none)'}`);
  };
  const isIn = (part: string | RegExp) => (typeof part === 'string' ? html.includes(part) : part.test(html));
  return {
    toHave(...parts: readonly (string | RegExp)[]): void {
      for (const part of parts) if (!isIn(part)) fail(`has no ${part}`);
    },
    toLack(...parts: readonly (string | RegExp)[]): void {
      for (const part of parts) if (isIn(part)) fail(`should not have ${part}`);
    },
  };
}
