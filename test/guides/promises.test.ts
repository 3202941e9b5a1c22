import { expect } from 'chai';
import { testsOf } from '../../tools/test-titles.mjs';
import { ROOT, textOf } from './pages.js';
import { PROMISES, type Proof } from './promises.js';

/** Words that promise something without exception. Where they would promise nothing, the page does without them. */
const STRONG =
  /\b(?:never|always|each|every|all|at most|only|cannot|nobody|nothing|neither|whatever|no (?:option|request|secret|strategy|login|token|exception|address|redirect))\b/i;

/** Up to here README says what the package does. From here on it says what the reader does. */
const INSTRUCTIONS = '\n## Install\n';

const ADVICE = 'Name a test for each in test/guides/promises.ts, or say it in other words';

interface Statement {
  readonly text: string;
  readonly isInTable: boolean;
  /** The security rule in whose row it stands. */
  readonly rule?: string | undefined;
}

describe('promises of the guides', function () {
  this.timeout(120_000);

  /** File -> titles of its tests. */
  const titles = new Map<string, Set<string>>();

  before(() => {
    const proofs = Object.values(PROMISES).flatMap((page) => Object.values(page).flat());
    for (const proof of proofs) titles.set(testOf(proof).file, new Set());
    const paths = [...titles.keys()].map((file) => `test/${file}.test.ts`);
    for (const { title, file = '' } of testsOf(paths)) {
      titles.get(file.slice(`${ROOT}/test/`.length, -'.test.ts'.length))?.add(title);
    }
  });

  for (const [page, proofs] of Object.entries(PROMISES)) {
    const statements = statementsOf(textOf(page));

    it(`${page} makes none without a test`, () => {
      expect(unproven(statements, proofs), ADVICE).to.deep.equal([]);
    });

    it(`${page} still makes each one that has a test here`, () => {
      const texts = statements.map(({ text }) => text);
      expect(Object.keys(proofs).filter((promise) => !texts.includes(promise))).to.deep.equal([]);
    });

    it(`${page}: the tests exist, and those for the row of a security rule are tests of that rule`, () => {
      const wrong = statements.flatMap(({ text, rule }) =>
        (proofs[text] ?? []).filter((proof) => {
          const { file, title } = testOf(proof);
          return !titles.get(file)?.has(title) || (rule !== undefined && !rulesOf(title).includes(rule));
        }),
      );
      expect(wrong).to.deep.equal([]);
    });
  }

  it('README.md claims nothing else before it tells how to install', () => {
    const [claims = ''] = textOf('README.md').split(INSTRUCTIONS);
    const sentences = statementsOf(claims).filter(({ isInTable }) => !isInTable);
    expect(sentences.map(({ text }) => text).filter((text) => !PROMISES['README.md']?.[text])).to.deep.equal(
      [],
    );
  });

  it('finds a new promise in a sentence, a list or the row of a rule', () => {
    const statements = statementsOf(
      [
        '# Never a heading',
        'A login begins. It\nnever fails. See [it](x.md).',
        '- Always there.\n- Sometimes.',
        '| rule | does |\n| --- | --- |\n| C1 a rule | is kept; no request is sent |',
        '```js\nall();\n```',
      ].join('\n\n'),
    );
    const promises = ['It never fails.', 'Always there.', 'no request is sent'];
    expect(unproven(statements, {})).to.deep.equal(promises);
    expect(unproven(statements, { 'It never fails.': ['a > b'], 'Always there.': [] })).to.deep.equal(
      promises.slice(1),
    );
    expect(statements.find(({ text }) => text === promises[2])).to.include({ rule: 'C1' });
  });
});

/** The strong statements without a test. */
function unproven(statements: readonly Statement[], proofs: (typeof PROMISES)[string]): string[] {
  const strong = statements.map(({ text }) => text).filter((text) => STRONG.test(text));
  return strong.filter((text) => (proofs[text] ?? []).length === 0);
}

function testOf(proof: Proof): { file: string; title: string } {
  const [file = '', ...title] = proof.split(' > ');
  return { file, title: title.join(' > ') };
}

/** `C2, C18: a replayed response` -> C2 and C18. */
function rulesOf(title: string): string[] {
  return /^([CTOS]\d+(?:, [CTOS]\d+)*): /.exec(title)?.[1]?.split(', ') ?? [];
}

/** The clauses of a page that end in `.`, `;`, `?` or `!`, without headings, code, pictures and comments. */
function statementsOf(page: string): Statement[] {
  const prose = page
    .replace(/^```.*?^```$/gms, '')
    .replace(/<!--.*?-->/gs, '')
    .replace(/<\/?(?:p|picture|source|img)\b[^>]*>/g, '');
  return prose
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) |\||#)/)
    .map((text) => text.replace(/\s+/g, ' ').trim())
    .filter((text) => text !== '' && !text.startsWith('#'))
    .flatMap((text) =>
      text.startsWith('|')
        ? rowOf(text)
        : clausesOf(text).map((clause) => ({ text: clause, isInTable: false })),
    );
}

function rowOf(row: string): Statement[] {
  const cells = row.slice(1, -1).split('|');
  const rule = /^([CTOS]\d+) /.exec(cells[0]?.trim() ?? '')?.[1];
  return cells.flatMap(clausesOf).map((text) => ({ text, isInTable: true, rule }));
}

function clausesOf(text: string): string[] {
  const item = text.trim().replace(/^(?:[-*]|\d+\.) /, '');
  return item.split(/(?<=[.;?!]) /);
}
