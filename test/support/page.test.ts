import { expect } from 'chai';
import { expectPage, visibleText } from './page.js';

const PAGE = `<!doctype html>
<html lang="en"><head><title>Sign in</title><style>p { color: red }</style></head>
<body><h1>Sign in</h1> <form method="post"><button name="decision" value="allow">Allow &#38; go on</button></form></body></html>`;

describe('a check of a page', () => {
  it('passes if the page has every part, and none of the parts that it should lack', () => {
    expectPage(PAGE).toHave('<h1>Sign in</h1>', /<form method="(get|post)">/);
    expectPage(PAGE).toLack('<script', /Deny/);
  });

  for (const [title, check, message] of [
    ['a part', () => expectPage(PAGE).toHave('<h1>', 'Deny'), 'has no Deny; its text: Sign in Allow & go on'],
    [
      'a pattern',
      () => expectPage(PAGE).toHave(/Den(y|ied)/),
      'has no /Den(y|ied)/; its text: Sign in Allow & go on',
    ],
    ['all text', () => expectPage('<p></p>').toHave('word'), 'has no word; its text: (none)'],
    [
      'the lack of a part',
      () => expectPage(PAGE).toLack('Allow'),
      'should not have Allow; its text: Sign in Allow & go on',
    ],
  ] as const) {
    it(`fails without ${title}, with the visible text instead of HTML`, () => {
      expect(check).to.throw(`the page ${message}`);
    });
  }

  it('shortens long pages', () => {
    expect(visibleText(`<p>${'word '.repeat(1_000)}</p>`)).to.have.length(304);
  });
});
