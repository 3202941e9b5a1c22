import { expect } from 'chai';
import { LOGIN_SCOPES } from '../../lib/microblog/facts.js';
import { BASE_FIELD } from '../../lib/social-network/fields.js';
import { textOf } from './pages.js';

describe('The pages about the networks', () => {
  it('say that X’s scopes go together', () => {
    expect(textOf('docs/x.md')).to.include(`The scopes \`${LOGIN_SCOPES.join(' ')}\` go together`);
  });

  it('name the one field that is always requested from VK', () => {
    expect(textOf('docs/vk.md')).to.include(`\`profileFields\` adds to \`${BASE_FIELD}\`.`);
  });
});
