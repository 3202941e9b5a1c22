import { expect } from 'chai';
import { expectPage, visibleText } from './page.js';
import { thrownBy } from './thrown.js';

const PAGE = `<!doctype html>
<html lang="en"><head><title>Sign in</title><style>p { color: red }</style></head>
<body><h1>Sign in</h1> <form method="post"><button name="decision" value="allow">Allow &#38; go on</button></form></body></html>`;

describe('a check of a page', () => {
  it('passes if the page has every part, and none of the parts that it should lack', () => {
    expectPage(PAGE).toHave('<h1>Sign in</h1>', /<form method="(get|post)">/);
    expectPage(PAGE).toLack('<script', /Deny/);
  });

  it('fails with the missing part and the visible text, without HTML', () => {
    expect(thrownBy(() => expectPage(PAGE).toHave('<h1>', 'Deny')))
      .to.be.an('error')
      .with.property('message', 'the page has no Deny; its text: Sign in Allow & go on');
    expect(thrownBy(() => expectPage(PAGE).toHave(/Den(y|ied)/)))
      .to.be.an('error')
      .with.property('message', 'the page has no /Den(y|ied)/; its text: Sign in Allow & go on');
  });

  it('fails with the part that the page should lack', () => {
    expect(thrownBy(() => expectPage(PAGE).toLack('Allow')))
      .to.be.an('error')
      .with.property('message', 'the page should not have Allow; its text: Sign in Allow & go on');
  });

  it('shortens long pages, and says so if a page is empty', () => {
    expect(visibleText(`<p>${'word '.repeat(1_000)}</p>`)).to.have.length(304);
    expect(thrownBy(() => expectPage('<p></p>').toHave('word')))
      .to.be.an('error')
      .with.property('message', 'the page has no word; its text: (none)');
  });
});
