import { expect } from 'chai';
import type { ErrorRow } from '../../lib/core/facts.js';
import { oauth1Facts, oauth2Facts } from '../../lib/microblog/facts.js';
import { facts } from '../../lib/short-video/facts.js';
import { classicFacts, vkIdFacts } from '../../lib/social-network/facts.js';

/** Whether every response that fits `later` fits `earlier`. Rows without a code or without words fit more. */
function hides(earlier: ErrorRow, later: ErrorRow): boolean {
  const codes = [earlier.code ?? []].flat();
  const fitsStep = earlier.step === undefined || earlier.step === later.step;
  const fitsCode =
    earlier.code === undefined ||
    (later.code !== undefined && [later.code].flat().every((code) => codes.includes(code)));
  const fitsWords =
    earlier.words === undefined ||
    later.words?.every((word) => earlier.words?.some((other) => word.includes(other))) === true;
  return fitsStep && fitsCode && fitsWords;
}

for (const { title, errorRows } of [facts, oauth2Facts, oauth1Facts, classicFacts, vkIdFacts]) {
  describe(`the error responses of ${title}`, () => {
    it('are documented, observed or supposed, each with its source', () => {
      const marked = /^(?:(?:documented|observed): \S|supposed)/;
      expect(errorRows.filter(({ source }) => !marked.test(source))).to.deep.equal([]);
      expect(errorRows.length).to.be.greaterThan(10);
    });

    it('are not hidden behind an earlier row', () => {
      const hidden = errorRows.filter((row, index) =>
        errorRows.slice(0, index).some((earlier) => hides(earlier, row)),
      );
      expect(hidden).to.deep.equal([]);
    });

    it('say of the credentials what completes "BRAND ..."', () => {
      for (const { says } of errorRows) if (says !== undefined) expect(says).to.match(/^[a-z].*[^.]$/);
    });
  });
}
