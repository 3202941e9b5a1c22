import { expect } from 'chai';
import { expectPage, visibleText } from './page.js';

const PAGE = expectPage(`<!doctype html>
<html lang="en"><head><title>Sign in</title><style>p { color: red }</style></head>
<body><h1>Sign in</h1> <form method="post"><button name="decision" value="allow">Allow &#38; go on</button></form></body></html>`);

describe('a check of a page', () => {
  it('passes if the page has every part, and none of the parts that it should lack', () => {
    PAGE.toHave('<h1>Sign in</h1>', /<form method="(get|post)">/);
    PAGE.toLack('<script', /Deny/);
  });

  it('fails with the part and the visible text, without HTML', () => {
    const text = 'its text: Sign in Allow & go on';
    expect(() => PAGE.toHave('<h1>', 'Deny')).to.throw(`the page has no Deny; ${text}`);
    expect(() => PAGE.toHave(/Den(y|ied)/)).to.throw(`the page has no /Den(y|ied)/; ${text}`);
    expect(() => PAGE.toLack('Allow')).to.throw(`the page should not have Allow; ${text}`);
    expect(() => expectPage('<p></p>').toHave('word')).to.throw('the page has no word; its text: (none)');
    expect(visibleText(`<p>${'word '.repeat(1_000)}</p>`)).to.have.length(304);
  });
});
