import express = require('express');

import { expect } from 'chai';
import fc from 'fast-check';
import { isLocalURL } from '../../lib/index.js';
import { describeEach } from '../contract/harness.js';
import { Browser, type Page } from '../support/browser.js';
import { closesAfterEach } from '../support/cleanup.js';
import { allow, callbackOf, deny, start } from '../support/journey.js';
import { serve } from '../support/server.js';

function expectPrivate({ headers }: Page): void {
  expect(headers['cache-control']).to.equal('no-store');
  expect(headers['referrer-policy']).to.equal('no-referrer');
}

describeEach('what a browser may store of a login', ({ subject, sandbox, strategy, app }) => {
  const { provider } = subject;

  it('C21: neither the redirect nor the page at the callback URL is cached or sends a Referer', async () => {
    const server = await app(strategy(await sandbox()));
    const browser = new Browser();
    const beginning = await browser.get(`${server.url}/login/${provider}`);
    expectPrivate(beginning);
    const callback = await allow(browser, beginning.location);
    expectPrivate(await browser.get(callback));
    // The same response again, now as a failure.
    expectPrivate(await browser.get(callback));
  });

  it('C21: a declined login and an error are not cached and send no Referer', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const browser = new Browser();
    expectPrivate(await browser.get(await deny(browser, await start(browser, server, provider))));
    const callback = await callbackOf(browser, server, provider);
    world.reset();
    const page = await browser.get(callback);
    expect(page.status).to.equal(502);
    expectPrivate(page);
  });

  it('C22: a URL in the query of a request is never a redirect target', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const browser = new Browser();
    const evil = encodeURIComponent('https://evil.example/');
    const names = ['redirect_uri', 'callbackURL', 'returnTo', 'return_to', 'next', 'successRedirect'];
    const query = names.map((name) => `${name}=${evil}`).join('&');
    const beginning = await browser.get(`${server.url}/login/${provider}?${query}`);
    expect(new URL(beginning.location).origin).to.equal(world.url);
    expect(beginning.location).to.not.include('evil');
    const callback = await allow(browser, beginning.location);
    expect(new URL(callback).origin).to.equal(server.url);
    const page = await browser.get(`${callback}&${query}`);
    expect([page.status, page.location]).to.deep.equal([200, '']);
  });
});

describe('a return URL', () => {
  const close = closesAfterEach();
  const evil = [
    ...'//evil.example ///evil.example \\\\evil.example /\\evil.example \\/evil.example'.split(' '),
    ...'/\t/evil.example /\n/evil.example /\r\n/evil.example \t//evil.example'.split(' '),
    ...'https:evil.example https:/evil.example https://evil.example javascript:alert(1)'.split(' '),
    ...'data:text/html,x evil.example @evil.example /path\\to /path\u0000 /path\u007f /path\u0085'.split(' '),
    // The host that the check itself uses as its base.
    '//here.invalid/path',
    ' //evil.example',
    '/a\r\nSet-Cookie: x=1',
    '',
  ];

  it('C22: a URL that leads to another host, or might in some browser, is rejected', () => {
    for (const candidate of evil)
      expect([candidate, isLocalURL(candidate)]).to.deep.equal([candidate, false]);
    for (const other of [undefined, null, 7, {}, ['/'], new String('/')]) {
      expect(isLocalURL(other)).to.equal(false);
    }
  });

  it('C22: a path of the application is accepted, with query and fragment', () => {
    for (const path of '/ /cart /cart?item=1&next=%2F%2Fevil.example /a/b#c /ä /a//b /?a=//b'.split(' ')) {
      expect([path, isLocalURL(path)]).to.deep.equal([path, true]);
    }
  });

  it('C22: every accepted URL leads to the host of the application', () => {
    const piece = fc.constantFrom(...'/ \\ . : @ ? # %2f \t \n a evil.example https'.split(' '), ' ');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const candidate = pieces.join('');
        if (!isLocalURL(candidate)) return;
        expect(new URL(candidate, 'https://app.example/cb?x').origin).to.equal('https://app.example');
        expect(candidate.startsWith('/')).to.equal(true);
      }),
      { numRuns: 5_000 },
    );
  });

  it('C22: an application that checks return URLs never redirects to a rejected one', async () => {
    const app = express();
    app.get('/back', ({ query: { to } }, res) => res.redirect(isLocalURL(to) ? to : '/'));
    const { url } = close(await serve(app));
    for (const candidate of [...evil, '/cart']) {
      const page = await new Browser().get(`${url}/back?to=${encodeURIComponent(candidate)}`);
      const expected = candidate === '/cart' ? `${url}/cart` : `${url}/`;
      expect([candidate, page.status, page.location]).to.deep.equal([candidate, 302, expected]);
    }
    expect((await new Browser().get(`${url}/back?to=/cart&to=//evil.example`)).location).to.equal(`${url}/`);
  });
});
