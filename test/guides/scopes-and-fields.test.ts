import { expect } from 'chai';
import { DEFAULT_USER_FIELDS, LOGIN_SCOPES } from '../../lib/microblog/fields.js';
import { FIELDS, scopesFor } from '../../lib/short-video/fields.js';
import { BASE_FIELD } from '../../lib/social-network/fields.js';
import { tableAfter, textOf } from './pages.js';

const PAGE = 'docs/scopes-and-fields.md';
const names = (text: string) => [...text.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name);

describe('The guide to scopes and fields', () => {
  it('lists every field of the short-video network next to its scope', () => {
    const rows = tableAfter(PAGE, '## Which fields does the short-video network have?').map(
      ([scope = '', fields = '']) => ({
        scope: names(scope)[0],
        fields: names(fields),
      }),
    );
    expect(rows.flatMap(({ fields }) => fields).sort()).to.deep.equal([...FIELDS].sort());
    for (const { scope, fields } of rows)
      for (const field of fields) expect(scopesFor([field])).to.include(scope);
  });

  it('lists the microblog network’s default fields and scopes', () => {
    const [, section = ''] = textOf(PAGE).split('## Which fields does the microblog network have?\n');
    const [, list = ''] = /Unless you give\s+it, it is (.*?)\. No field/s.exec(section) ?? [];
    expect(names(list)).to.deep.equal([...DEFAULT_USER_FIELDS]);
    expect(section).to.include(`The scopes \`${LOGIN_SCOPES.join(' ')}\` go together`);
  });

  it('names the one field that is always requested from the social network', () => {
    expect(textOf(PAGE)).to.include(`\`profileFields\` adds to \`${BASE_FIELD}\`.`);
  });
});
