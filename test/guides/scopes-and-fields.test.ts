import { expect } from 'chai';
import { DEFAULT_USER_FIELDS, LOGIN_SCOPES } from '../../lib/microblog/fields.js';
import { FIELDS, scopesFor } from '../../lib/short-video/fields.js';
import { BASE_FIELD } from '../../lib/social-network/fields.js';
import { type Sandbox, startSandbox } from '../../sandbox/lib/index.js';
import { blocksOf, tableAfter, textOf } from './pages.js';
import {
  addressesOf,
  credentialsOf,
  type Program,
  removePrograms,
  startProgram,
  writeProgram,
} from './programs.js';
import { Visitor } from './visitor.js';

const PAGE = 'docs/scopes-and-fields.md';
const PLACE = 'scopes-and-fields';
const names = (text: string) => [...text.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name);

describe('The guide to scopes and fields', () => {
  it('lists every field of the short-video network next to its scope', () => {
    const rows = tableAfter(PAGE, '## The short-video network').map(([scope = '', fields = '']) => ({
      scope: names(scope)[0],
      fields: names(fields),
    }));
    expect(rows.flatMap(({ fields }) => fields).sort()).to.deep.equal([...FIELDS].sort());
    for (const { scope, fields } of rows)
      for (const field of fields) expect(scopesFor([field])).to.include(scope);
  });

  it('lists the microblog network’s default fields and scopes', () => {
    const [, section = ''] = textOf(PAGE).split('## The microblog network\n');
    const [, list = ''] = /Unless you give\s+it, it is (.*?)\. No field/s.exec(section) ?? [];
    expect(names(list)).to.deep.equal([...DEFAULT_USER_FIELDS]);
    expect(section).to.include(`The scopes \`${LOGIN_SCOPES.join(' ')}\` go together`);
  });

  it('names the one field that is always requested from the social network', () => {
    expect(textOf(PAGE)).to.include(`\`profileFields\` adds to \`${BASE_FIELD}\`.`);
  });
});

describe('The program that asks for a further permission', function () {
  this.timeout(30_000);
  let sandbox: Sandbox;
  let app: Program;

  before(async () => {
    sandbox = await startSandbox();
    const [block] = blocksOf(PAGE).filter(({ code }) => code.startsWith('// posting.mjs'));
    const file = writeProgram(`${PLACE}/posting.mjs`, block?.code ?? '');
    app = await startProgram(file, { addresses: addressesOf(sandbox), env: credentialsOf(sandbox) });
  });
  after(async () => {
    await app.close();
    await sandbox.close();
    removePrograms(PLACE);
  });

  /** Logs alice in, and lets a person agree to the further permission in her browser. */
  async function agreeAs(person: string) {
    const visitor = new Visitor(app.url);
    const { json: user } = await visitor.logIn('/api/auth/signin/microblog', 'auto=allow&person=alice');
    const consent = await visitor.start('/posting/allow');
    const callback = await visitor.consent(consent, `auto=allow&person=${person}`);
    const page = await visitor.follow(await visitor.open(callback));
    return { user, consent, page, home: (await visitor.open('/')).json };
  }

  it('keeps the token of the user who is logged in', async () => {
    const { user, consent, page } = await agreeAs('alice');
    expect(new URL(consent).searchParams.get('scope')).to.include('tweet.write');
    expect(user.mayPost).to.equal(false);
    expect(page.json).to.deep.equal({ ...user, mayPost: true });
  });

  it('refuses another account at the network, and leaves the user logged in', async () => {
    const { user, page, home } = await agreeAs('anna');
    expect(page.status).to.equal(403);
    expect(page.text).to.equal('You are another user at X. Log in there as yourself.');
    expect(home.login).to.equal(user.login);
  });

  it('asks nobody who is not logged in', async () => {
    const { location } = await new Visitor(app.url).open('/posting/allow');
    expect(new URL(location).pathname).to.equal('/api/auth/signin/microblog');
  });
});
