import { expect } from 'chai';
import { Browser } from '../../support/browser.js';
import { programsOf, Visitor, withSessions } from '../programs.js';

const SIGN_IN = '/api/auth/signin/microblog';
const APP = 'https://app.shop.example';
const DONE = '<p>You can close this window.</p><script src="/popup.js"></script>';

describe('The guide to single-page applications', function () {
  this.timeout(30_000);
  const { start: startBlock } = programsOf('docs/single-page-and-mobile.md');
  const api = (env?: Readonly<Record<string, string>>) => startBlock('spa-api.mjs', env && { env });

  it('E1: has routes for a popup that keep who is signed in when a login that began before finishes', async () => {
    const { url } = await startBlock('popup.mjs', { change: withSessions('{ id, name }') });
    const visitor = new Visitor(url);
    const [page, later] = await visitor.logInTwice(SIGN_IN);
    expect([page.text, later.text]).to.deep.equal(Array(2).fill(DONE));
    expect((await visitor.open('/')).json).to.have.nested.property('user.name', 'Alice Example');
  });

  describe('has an API for another origin, which', () => {
    it('returns users to its own pages and to the origins in its list, and nowhere else', async () => {
      const { url } = await api({ APP_ORIGINS: `${APP} https://www.shop.example` });
      for (const [returnTo, expected] of [
        ['/api/me', `${url}/api/me`],
        [`${APP}/cart?item=1#top`, `${APP}/cart?item=1#top`],
        ['https://www.shop.example', 'https://www.shop.example/'],
        ['https://evil.example/', `${url}/`],
        [`${APP}.evil.example/`, `${url}/`],
        [`${APP}@evil.example/`, `${url}/`],
        ['http://app.shop.example/', `${url}/`],
        [`${APP}:8443/`, `${url}/`],
        [`blob:${APP}/1`, `${url}/`],
        ['//evil.example', `${url}/`],
        ['javascript:alert(1)', `${url}/`],
        [`${APP}/${'x'.repeat(500)}`, `${url}/`],
        [`/${'x'.repeat(2_000)}`, `${url}/`],
        ['https://somebody:password@app.shop.example/', `${url}/`],
        ['', `${url}/`],
      ] as const) {
        const visitor = new Visitor(url);
        const start = await visitor.start(`${SIGN_IN}?returnTo=${encodeURIComponent(returnTo)}`);
        const { location } = await visitor.open(await visitor.consent(start));
        expect(location, returnTo).to.equal(expected);
      }
    });

    it('returns users to its first page after a login that began at the bare callback', async () => {
      const { url } = await api();
      const visitor = new Visitor(url);
      const start = await visitor.start('/api/auth/callback/microblog');
      const { location } = await visitor.open(await visitor.consent(start));
      expect(location).to.equal(`${url}/`);
    });

    it('takes changes from those origins and from its own pages only', async () => {
      const { url } = await api({ APP_ORIGINS: APP });
      for (const [origin, status] of [
        [APP, 204],
        [url, 204],
        ['https://evil.example', 403],
        ['null', 403],
        [undefined, 403],
      ] as const) {
        const page = await new Browser().post(
          `${url}/api/signout`,
          {},
          origin === undefined ? {} : { origin },
        );
        expect(page.status, origin).to.equal(status);
      }
    });
  });
});
