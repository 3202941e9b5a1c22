import { expect } from 'chai';
import { MESSAGES, type Message } from '../guides/messages.js';
import { type Section, siteSearch } from '../guides/search.js';

const PAGE = 'docs/troubleshooting.md';

describe('A message pasted into the search of the documentation site', () => {
  const search = siteSearch();

  for (const [group, messages] of Object.entries(MESSAGES)) {
    it(`finds the entry of every message of ${group} first`, () => {
      expect(messages).to.have.length.above(20);
      const lost = messages.filter((message) => !isEntry(search(message.whole)[0], message));
      expect(
        lost.map(({ whole }) => `${whole} -> ${search(whole)[0]?.id}`),
        'messages with another first hit',
      ).to.deep.equal([]);
    });
  }
});

/** Whether a section is about a message: it has the message's words, and is under the right heading. */
function isEntry(section: Section | undefined, { fixed, under = '', page: other }: Message): boolean {
  if (!section) return false;
  const isThere = section.page === other || (section.page === PAGE && section.title.startsWith(under));
  return isThere && oneLine(`${section.title}\n${section.text}`).includes(oneLine(fixed));
}

function oneLine(text: string): string {
  return text.replace(/[`\\]/g, '').replace(/\s+/g, ' ');
}
