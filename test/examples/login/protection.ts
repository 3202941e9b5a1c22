import { join } from 'node:path';
import { expect } from 'chai';
import { FOLDER } from './app.js';
import { arrivals, type Scene } from './scene.js';

/** What browsers take for an address of another site, and what is no path at all. */
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

/** What the app does not let happen. */
export function describeProtection(scene: () => Scene): void {
  const arrive = arrivals(scene);

  it('leads to no foreign address after a login', async () => {
    const alice = await arrive();
    for (const foreign of ['//evil.example', '/\\evil.example']) {
      await alice.goTo(`/signin?returnTo=${encodeURIComponent(foreign)}`);
      await alice.choose('microblog');
      await alice.answer();
      expect(alice.path).to.equal('/profile');
      await alice.signOut();
      await alice.goTo(`/api/auth/signin/microblog?returnTo=${encodeURIComponent(foreign)}`);
      await alice.answer();
      expect(alice.path).to.equal('/profile');
      await alice.signOut();
    }
  });

  it('takes paths of its own for the way back, and nothing else', async () => {
    const { ownPath } = await import(join(FOLDER, 'return-address.js'));
    for (const own of ['/', '/accounts', '/profile?account=1#record', '/a//b', '/%5Cevil']) {
      expect(ownPath(own), own).to.equal(own);
    }
    for (const foreign of FOREIGN) expect(ownPath(foreign), String(foreign)).to.equal('/profile');
  });

  it('refuses forms of other sites', async () => {
    const alice = await arrive();
    await alice.signIn('short-video');
    const id = await alice.accountID('short-video');
    for (const path of [
      '/signout',
      '/accounts/link/microblog',
      ...['unlink', 'refresh', 'revoke'].map((action) => `/accounts/${id}/${action}`),
    ]) {
      for (const form of [{}, { csrfToken: '' }, { csrfToken: 'guessed' }]) {
        const { status, text } = await alice.sendForeign(path, form as Record<string, string>);
        expect(status, path).to.equal(403);
        expect(text).to.contain('load the page anew');
      }
    }
    expect(await alice.buttons('short-video')).to.include('Revoke tokens');
  });

  it('keeps out who comes with the account of somebody else', async () => {
    const [alice, max] = [await arrive(), await arrive()];
    await alice.signIn('microblog');
    await max.signIn('microblog', { person: 'max' });
    const id = await alice.accountID('microblog');
    await max.goTo('/accounts');
    for (const action of ['unlink', 'refresh', 'revoke']) {
      expect(await max.send(`/accounts/${id}/${action}`), action).to.include({ status: 404 });
    }
    expect(await max.goTo(`/profile?account=${id}`)).to.equal(404);
    expect(await max.goTo('/profile?account=1')).to.equal(404);
    expect(await alice.buttons('microblog')).to.include('Revoke tokens');
  });

  it('does not exchange the person who is signed in when a link from elsewhere begins a login', async () => {
    const alice = await arrive();
    await alice.signIn('microblog');
    await alice.goTo('/api/auth/signin/short-video');
    expect(alice.path).to.equal('/accounts');
  });

  it('takes each callback once, and none that it has not asked for', async () => {
    const alice = await arrive();
    const callbacks: string[] = [];
    alice.page.on('request', (request) => {
      if (request.url().includes('/api/auth/callback/'))
        callbacks.push(new URL(request.url()).pathname + new URL(request.url()).search);
    });
    await alice.signIn('microblog');
    expect(await alice.goTo(callbacks[0] ?? '')).to.equal(403);
    expect(await alice.text).to.contain('Start the login again.');
    const other = await arrive();
    expect(await other.goTo('/api/auth/callback/microblog?code=CODE&state=STATE')).to.equal(403);
    expect(await other.text).to.contain('belongs to no pending login');
  });

  it('tells browsers what its pages never do', async () => {
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

  it('gives a cookie that scripts and other sites cannot use', async () => {
    const response = await fetch(`${scene().url}/api/auth/signin/microblog`, { redirect: 'manual' });
    expect(response.headers.get('set-cookie')).to.match(
      /^session=.*; Path=\/; Expires=.*; HttpOnly; SameSite=Lax$/,
    );
  });
}
