import { expect } from 'chai';

import express = require('express');

import fc from 'fast-check';
import { isLocalURL } from '../../lib/index.js';
import { describeEach } from '../contract/harness.js';
import { Browser, type Page } from '../support/browser.js';
import { closesAfterEach } from '../support/cleanup.js';
import { expressApp, fastifyApp, koaApp, type LeastApp, listening } from '../support/frameworks.js';
import { allow, callbackOf, deny, start, withParameters } from '../support/journey.js';
import { serve } from '../support/server.js';

function expectPrivate({ headers }: Page): void {
  expect(headers).to.include({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
}

describeEach('what a browser may store of a login', ({ subject, serving, begin }) => {
  const { provider } = subject;

  it('C21: no redirect and no page at the callback URL is cached or sends a Referer, whatever the outcome', async () => {
    const { world, server, browser, callback } = await begin();
    const again = await callbackOf(browser, server, provider);
    expectPrivate(await browser.get(`${server.url}/login/${provider}`));
    expectPrivate(await browser.get(callback));
    // The same response again, now as a failure.
    expectPrivate(await browser.get(callback));
    expectPrivate(await browser.get(await deny(browser, await start(browser, server, provider))));
    world.reset();
    const page = await browser.get(again);
    expect(page.status).to.equal(502);
    expectPrivate(page);
  });

  it('C22: a URL in the query of a request is never a redirect target', async () => {
    const { world, server } = await serving();
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
    ...'data:text/html,x evil.example @evil.example /path\\to /path\u0000 /path\u007f /path\u0085 /путь /é'.split(
      ' ',
    ),
    // The host that the check itself uses as its base.
    '//here.invalid/path',
    ' //evil.example',
    '/a\r\nSet-Cookie: x=1',
    '',
  ];

  it('C22: every accepted URL leads to the host of the application', () => {
    const piece = fc.constantFrom(...'/ \\ . : @ ? # %2f \t \n a é ж evil.example https'.split(' '), ' ');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const candidate = pieces.join('');
        if (!isLocalURL(candidate)) return;
        expect(new URL(candidate, 'https://app.example/cb?x').origin).to.equal('https://app.example');
        expect(candidate.startsWith('/')).to.equal(true);
        // https://www.rfc-editor.org/rfc/rfc9110#section-10.2.2: an URI has no other letters.
        expect(candidate).to.match(/^\p{ASCII}*$/u);
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

const FRAMEWORKS: Readonly<Record<string, LeastApp>> = {
  'Express 4': expressApp('express-4'),
  'Express 5': expressApp('express'),
  'Koa and koa-passport': koaApp,
  'Fastify and @fastify/passport': fastifyApp,
};

describeEach('a login that ends in an error', ({ subject, sandbox, strategy, closing }) => {
  for (const [framework, load] of Object.entries(FRAMEWORKS)) {
    // What a framework does with an error hangs on no network: elsewhere one of each protocol.
    if (framework !== 'Express 5' && subject.provider !== 'microblog') continue;
    it(`C36: in ${framework}, the default error handler removes the login's cookie and keeps the response private`, async () => {
      const world = await sandbox({});
      const server = closing(await listening(await load(strategy(world))));
      const browser = new Browser();
      const callback = await callbackOf(browser, server, subject.provider);
      expect(browser.cookieHeader(server.url)).to.match(/^login\.[\w-]{16}=/);
      // An error response of OAuth 2.0 does not use up the code. OAuth 1.0a has none, so there the network is down.
      const error = { code: undefined, error: 'server_error' };
      if (subject.oauth === '1.0a') await world.close();
      const page = await browser.get(subject.oauth === '1.0a' ? callback : withParameters(callback, error));
      expect(page.status).to.equal(subject.oauth === '1.0a' ? 502 : 503);
      expectPrivate(page);
      expect(browser.cookieHeader(server.url)).to.not.include('login.');
      expect((await browser.get(callback)).status).to.not.equal(200);
    });
  }
});
