import { join } from 'node:path';
import { expect } from 'chai';
import { expectPage } from '../../support/page.js';
import { FOLDER } from '../app.js';
import { ALICE } from './logins.js';
import { arrivals, type Scene } from './visitor.js';

/** Strings that browsers treat as URLs of another site, and strings that are not paths. */
const FOREIGN: readonly unknown[] = [
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/path\\..\\evil',
  'https:evil.example',
  'https://evil.example/',
  'javascript:alert(1)',
  '/\t/evil.example',
  '/\n/evil.example',
  '/path\r\nSet-Cookie: a=b',
  ' /profile',
  '/päge',
  'profile',
  '',
  `/${'a'.repeat(501)}`,
  undefined,
  ['/accounts'],
];

/** Attacks that the app prevents. */
export function describeProtection(scene: () => Scene): void {
  const arrive = arrivals(scene);

  it('does not redirect to another site after a login', async () => {
    const alice = await arrive();
    for (const page of ['/signin', '/api/auth/signin/microblog']) {
      await alice.goTo(`${page}?returnTo=${encodeURIComponent('//evil.example')}`);
      if (page === '/signin') await alice.choose('microblog');
      await alice.consent();
      expect(alice.path).to.equal('/profile');
      await alice.signOut();
    }
  });

  it('accepts only its own paths to return to', async () => {
    const { localPath } = await import(join(FOLDER, 'protection.js'));
    for (const local of ['/', '/accounts', '/profile?account=1#record', '/a//b', '/%5Cevil']) {
      expect(localPath(local), local).to.equal(local);
    }
    for (const foreign of FOREIGN) expect(localPath(foreign), String(foreign)).to.equal('/profile');
  });

  it('rejects forms from other sites', async () => {
    const alice = await arrive();
    await alice.signIn('short-video');
    const id = await alice.accountID('short-video');
    for (const path of [
      '/signout',
      '/accounts/link/microblog',
      '/accounts/move',
      ...['unlink', 'refresh', 'revoke'].map((action) => `/accounts/${id}/${action}`),
    ]) {
      for (const form of [{}, { csrfToken: '' }, { csrfToken: 'guessed' }]) {
        const { status, text } = await alice.sendForeign(path, form as Record<string, string>);
        expect(status, path).to.equal(403);
        expectPage(text).toHave('reload the page');
      }
    }
    expect(await alice.buttons('short-video')).to.include('Revoke tokens');
  });

  it("denies access to another user's account", async () => {
    const [alice, max] = [await arrive(), await arrive()];
    await alice.signIn('microblog');
    await max.signIn('microblog', { person: 'max' });
    const id = await alice.accountID('microblog');
    await max.goTo('/accounts');
    for (const action of ['unlink', 'refresh', 'revoke']) {
      expect(await max.send(`/accounts/${id}/${action}`), action).to.include({ status: 404 });
    }
    expect(await max.goTo(`/accounts/${id}/unlink`)).to.equal(404);
    expect(await max.goTo(`/accounts/${id}/revoke`)).to.equal(404);
    expect(await max.goTo(`/profile?account=${id}`)).to.equal(404);
    expect(await max.goTo('/profile?account=1')).to.equal(404);
    expect(await alice.buttons('microblog')).to.include('Revoke tokens');
  });

  it('keeps the signed-in user when a link on another site begins a login or opens a callback route', async () => {
    const alice = await arrive();
    await alice.signIn('microblog');
    await alice.goTo('/api/auth/signin/short-video');
    expect(alice.path).to.equal('/accounts');
    for (const network of ALICE.map(({ network: name }) => name)) {
      for (const name of ['page', 'code', 'state', 'error', 'oauth_token', 'denied', 'oauth_verifier']) {
        const path = `/api/auth/callback/${network}?${name}=1`;
        const status = await alice.goTo(path);
        expect([status, alice.path], path).to.deep.equal(status === 200 ? [200, '/accounts'] : [400, path]);
      }
    }
    await alice.goTo('/profile');
    expect(await alice.page.locator('#identifier').innerText()).to.equal('2244994945');
  });

  it('accepts each authorization response once, and only those it requested', async () => {
    const alice = await arrive();
    const callbacks: string[] = [];
    alice.page.on('request', (request) => {
      if (request.url().includes('/api/auth/callback/'))
        callbacks.push(new URL(request.url()).pathname + new URL(request.url()).search);
    });
    await alice.signIn('microblog');
    await alice.goTo(callbacks[0] ?? '');
    expect(alice.path).to.equal('/accounts');
    await alice.signOut();
    expect(await alice.goTo(callbacks[0] ?? '')).to.equal(403);
    expect(await alice.heading).to.equal('This sign-in has ended');
    const other = await arrive();
    expect(await other.goTo('/api/auth/callback/microblog?code=CODE&state=STATE')).to.equal(403);
    expect(await other.heading).to.equal('This sign-in has ended');
  });

  it('sends security headers', async () => {
    const response = await fetch(`${scene().url}/signin`);
    const policy = response.headers.get('content-security-policy');
    expect(policy).to.match(
      /^default-src 'none';style-src 'self';img-src 'self' https: http:\/\/127\.0\.0\.1:\d+;form-action 'self' http:\/\/127\.0\.0\.1:\d+;base-uri 'none';frame-ancestors 'none'$/,
    );
    expect(response.headers.get('cache-control')).to.equal('no-store');
    expect(response.headers.get('referrer-policy')).to.equal('no-referrer');
    expect(response.headers.get('x-powered-by')).to.equal(null);
    expect(response.headers.get('set-cookie')).to.equal(null);
  });
}
