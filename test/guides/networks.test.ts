import { expect } from 'chai';
import { LOGIN_SCOPES } from '../../lib/microblog/facts.js';
import { DEFAULT_USER_FIELDS } from '../../lib/microblog/fields.js';
import { FIELDS, scopesFor } from '../../lib/short-video/fields.js';
import { BASE_FIELD } from '../../lib/social-network/fields.js';
import { tableAfter, textOf } from './pages.js';

const HEADING = '## Scopes and fields';
const names = (text: string) => [...text.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name);

describe('The pages about the networks', () => {
  it('list every field of TikTok next to its scope', () => {
    const rows = tableAfter('docs/tiktok.md', HEADING).map(([scope = '', fields = '']) => ({
      scope: names(scope)[0],
      fields: names(fields),
    }));
    expect(rows.flatMap(({ fields }) => fields).sort()).to.deep.equal([...FIELDS].sort());
    for (const { scope, fields } of rows)
      for (const field of fields) expect(scopesFor([field])).to.include(scope);
  });

  it('list X’s default fields and scopes', () => {
    const [, section = ''] = textOf('docs/x.md').split(`${HEADING}\n`);
    const [, list = ''] = /The default\s+list is (.*?)\. No field/s.exec(section) ?? [];
    expect(names(list)).to.deep.equal([...DEFAULT_USER_FIELDS]);
    expect(section).to.include(`The scopes \`${LOGIN_SCOPES.join(' ')}\` go together`);
  });

  it('name the one field that is always requested from VK', () => {
    expect(textOf('docs/vk.md')).to.include(`\`profileFields\` adds to \`${BASE_FIELD}\`.`);
  });
});
