import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Hints } from '../../lib/core/http/index.js';
import { HINTS as microblog } from '../../lib/microblog/error-responses.js';
import { HINTS as shortVideo } from '../../lib/short-video/error-responses.js';
import { HINTS as socialNetwork } from '../../lib/social-network/error-responses.js';
import { type Literal, literalsIn } from './literals.js';
import { MESSAGES, NEEDS_NO_ENTRY, unlisted } from './messages.js';
import { anchorsOf, ROOT, tableAfter, textOf } from './pages.js';

const PAGE = 'docs/troubleshooting.md';
/** The page's text in one line, without markup. */
const page = textOf(PAGE)
  .replace(/`|\*\*|\\/g, '')
  .replace(/\s+/g, ' ');

/** Strings of the library that are not messages. */
const NOT_MESSAGES = [
  'trust proxy fn',
  'passport-social-networks pending login',
  '; Path=/; HttpOnly ; SameSite=Lax',
];

describe('The guide to troubleshooting', () => {
  for (const folder of ['lib/core', 'lib/short-video', 'lib/microblog', 'lib/social-network']) {
    it(`has every message of ${folder}, with the same wording`, () => {
      const messages = literalsIn(folder).filter((literal) => isSentence(literal));
      expect(messages).to.have.length.above(5);
      const missing = messages.filter((message) => !isShown(message));
      expect(missing.map(({ file, parts }) => `${file}: ${parts.join('…')}`)).to.deep.equal([]);
    });
  }

  it("has a heading with the title of each of the sandbox's error pages", () => {
    const folder = join(ROOT, 'sandbox/lib');
    const titles = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [
        ...readFileSync(join(folder, file), 'utf8').matchAll(/errorPage\(\{\s*title: '([^']+)'/g),
      ])
      .map(([, title = '']) => title);
    expect(new Set(titles)).to.include.members([
      'Something went wrong',
      'Whoa there!',
      'Authorization error',
    ]);
    const headings = [...textOf(PAGE).matchAll(/^### (.*)$/gm)].map(([, heading = '']) => heading);
    for (const title of titles) {
      expect(
        headings.filter((heading) => heading.includes(title)),
        title,
      ).to.have.length.above(0);
    }
  });

  for (const type of ['LoginFailureCode', 'UnreachableCode', 'MalformedCode']) {
    it(`has a heading for every ${type}`, () => {
      const source = readFileSync(join(ROOT, 'lib/core/errors/errors.ts'), 'utf8');
      const [, union = ''] = new RegExp(`type ${type} =([^;]+);`).exec(source) ?? [];
      const codes = [...union.matchAll(/'(\w+)'/g)].map(([, code = '']) => code);
      expect(codes).to.have.length.above(5);
      const anchors = anchorsOf(PAGE).join(' ');
      for (const code of [...codes, 'refused', 'rate_limited']) expect(anchors).to.include(code);
    });
  }

  const networks: Record<string, Hints> = {
    'the short-video network, TikTok': shortVideo,
    'the microblog network, X': microblog,
    'the social network, VK': socialNetwork,
  };
  for (const [network, { byCode, byStep = {} }] of Object.entries(networks)) {
    it(`has a row for every code of ${network}, with the error's wording`, () => {
      const rows = tableAfter(PAGE, `### Codes of ${network}: the network refused`).flatMap(
        ([codes = '', hint = '']) => {
          const [, step = 'any'] = / at the step (\w+)$/.exec(codes) ?? [];
          return [...codes.matchAll(/`([^`]+)`/g)].map(([, code = '']) => `${step} ${code} ${hint}`);
        },
      );
      const steps = Object.entries({ any: byCode, ...byStep });
      const expected = steps.flatMap(([step, codes]) =>
        Object.entries(codes).map(([code, hint]) => `${step} ${code} ${hint}`),
      );
      expect(rows.sort()).to.deep.equal(expected.sort());
    });
  }
});

describe('A message pasted into a search', () => {
  for (const [group, messages] of Object.entries(MESSAGES)) {
    it(`finds the words of every message of ${group} in one line of the page, as a search in the page does`, () => {
      const lost = messages.filter(({ fixed, page }) =>
        [PAGE, page ?? PAGE].every(
          (path) =>
            !textOf(path)
              .split('\n')
              .some((line) => line.includes(fixed)),
        ),
      );
      expect(lost.map(({ fixed }) => fixed)).to.deep.equal([]);
    });
  }

  for (const folder of Object.keys(NEEDS_NO_ENTRY)) {
    it(`is tried with every message of ${folder}`, () => {
      const messages = literalsIn(folder).filter(
        (literal) =>
          isSentence(literal) &&
          !NEEDS_NO_ENTRY[folder]?.some((pattern) =>
            pattern.test(`${literal.file}: ${literal.parts.join('…')}`),
          ),
      );
      expect(messages).to.have.length.above(4);
      expect(unlisted(messages).map(({ file, parts }) => `${file}: ${parts.join('…')}`)).to.deep.equal([]);
    });
  }
});

/** Whether a string looks like a message rather than a name. */
function isSentence({ parts }: Literal): boolean {
  const text = parts.join(' ');
  return (
    text.split(/\s+/).filter((word) => /[a-z]{2}/i.test(word)).length >= 3 && !NOT_MESSAGES.includes(text)
  );
}

/** Whether the page contains the string, with up to 160 characters for each placeholder. */
function isShown({ parts }: Literal): boolean {
  const words = parts.map((part) =>
    part
      .replace(/`|\\/g, '')
      .replace(/\s+/g, ' ')
      .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
  );
  // The page omits a leading placeholder and a final full stop.
  const pattern = words
    .join('.{0,160}?')
    .replace(/^(?:\.\{0,160\}\?|[:,] )+/, '')
    .replace(/\\\.$/, '');
  return new RegExp(pattern).test(page);
}
