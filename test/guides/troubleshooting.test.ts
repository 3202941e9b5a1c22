import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Hints } from '../../lib/core/http/index.js';
import { HINTS as microblog } from '../../lib/microblog/error-responses.js';
import { HINTS as shortVideo } from '../../lib/short-video/error-responses.js';
import { HINTS as socialNetwork } from '../../lib/social-network/error-responses.js';
import { type Literal, literalsIn } from './literals.js';
import { anchorsOf, ROOT, tableAfter, textOf } from './pages.js';

const PAGE = 'docs/troubleshooting.md';
/** The page's text in one line, without markup. */
const page = textOf(PAGE)
  .replace(/`|\*\*|\\/g, '')
  .replace(/\s+/g, ' ');

/** Strings of the library that are not messages. */
const NOT_MESSAGES = ['trust proxy fn', 'passport-social-networks pending login'];

describe('The guide to troubleshooting', () => {
  for (const folder of ['lib/core', 'lib/short-video', 'lib/microblog', 'lib/social-network']) {
    it(`has every message of ${folder}, with the same wording`, () => {
      const messages = literalsIn(folder).filter((literal) => isSentence(literal));
      expect(messages).to.have.length.above(5);
      const missing = messages.filter((message) => !isShown(message));
      expect(missing.map(({ file, parts }) => `${file}: ${parts.join('…')}`)).to.deep.equal([]);
    });
  }

  it("has every reason for an error page of the sandbox's networks", () => {
    const reasons = literalsIn('sandbox/lib')
      .filter(({ file }) => /(authorization|redirect-uri)\.ts$/.test(file))
      .filter(
        (literal) => isSentence(literal, 2) && !/<|^[\w.]+ \w+\.\w+|(^| )email /.test(literal.parts.join('')),
      );
    expect(reasons).to.have.length.above(40);
    const missing = reasons.filter((reason) => !isShown(reason));
    expect(missing.map(({ file, parts }) => `${file}: ${parts.join('…')}`)).to.deep.equal([]);
  });

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
    'the short-video network': shortVideo,
    'the microblog network': microblog,
    'the social network': socialNetwork,
  };
  for (const [network, { byCode, byStep = {} }] of Object.entries(networks)) {
    it(`has a row for every code of ${network}, with the error's wording`, () => {
      const rows = tableAfter(PAGE, `### Codes of ${network}`).flatMap(([codes = '', hint = '']) => {
        const [, step = 'any'] = / at the step (\w+)$/.exec(codes) ?? [];
        return [...codes.matchAll(/`([^`]+)`/g)].map(([, code = '']) => `${step} ${code} ${hint}`);
      });
      const steps = Object.entries({ any: byCode, ...byStep });
      const expected = steps.flatMap(([step, codes]) =>
        Object.entries(codes).map(([code, hint]) => `${step} ${code} ${hint}`),
      );
      expect(rows.sort()).to.deep.equal(expected.sort());
    });
  }
});

/** Whether a string looks like a message rather than a name. */
function isSentence({ parts }: Literal, minWords = 3): boolean {
  const text = parts.join(' ');
  return (
    text.split(/\s+/).filter((word) => /[a-z]{2}/i.test(word)).length >= minWords &&
    !NOT_MESSAGES.includes(text)
  );
}

/** Whether the page contains the string, with up to 60 characters for each placeholder. */
function isShown({ parts }: Literal): boolean {
  const words = parts.map((part) =>
    part
      .replace(/`|\\/g, '')
      .replace(/\s+/g, ' ')
      .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
  );
  // The page omits a leading placeholder and a final full stop.
  const pattern = words
    .join('.{0,60}?')
    .replace(/^(?:\.\{0,60\}\?|[:,] )+/, '')
    .replace(/\\\.$/, '');
  return new RegExp(pattern).test(page);
}
