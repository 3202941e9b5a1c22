import { expect } from 'chai';
import { Browser } from '../support/browser.js';
import { allow, callbackOf, deny, logIn, start } from '../support/journey.js';
import { backendRequests, type Contract, type Done, personOf } from './harness.js';

interface RawProfile {
  readonly _raw: string;
  readonly _json: object;
}

/** What a login gives, whatever the network. */
export function logins({ subject, sandbox, strategy, app }: Contract): void {
  const { provider } = subject;

  it('a person logs in, and verify learns who it is', async () => {
    const world = await sandbox();
    const page = await logIn(await app(strategy(world)), provider, 'alice');
    expect(page.status).to.equal(200);
    expect(page.json.user).to.deep.equal(personOf(subject, world, 'alice'));
  });

  it('a person with a Cyrillic name keeps every letter of it', async () => {
    const world = await sandbox();
    const page = await logIn(await app(strategy(world)), provider, 'anna');
    expect(page.json.user.displayName).to.equal('Анна Примерова');
  });

  it('S3: an identifier beyond 2^53, or with a hyphen in front, arrives whole', async () => {
    const world = await sandbox();
    const page = await logIn(await app(strategy(world)), provider, 'max');
    expect(page.json.user).to.deep.equal(personOf(subject, world, 'max'));
  });

  it('verify gets a token, and a profile with the exact text of the answer and the record', async () => {
    const world = await sandbox();
    const tokens: unknown[] = [];
    const profiles: RawProfile[] = [];
    const verify = (token: string, _refresh: unknown, profile: RawProfile, done: Done) => {
      tokens.push(token);
      profiles.push(profile);
      done(null, { id: 1 });
    };
    await logIn(await app(strategy(world, {}, verify)), provider);
    expect(tokens).to.have.length(1);
    expect(tokens[0]).to.be.a('string').that.has.length.above(20);
    expect(Object.keys(JSON.parse(profiles[0]?._raw ?? ''))).to.have.length.above(0);
    expect(Object.keys(profiles[0]?._json ?? {})).to.have.length.above(0);
  });

  it('works with the plain passport.authenticate, too', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const browser = new Browser();
    const callback = new URL(await callbackOf(browser, server, provider));
    const page = await browser.get(`${server.url}/plain/${provider}${callback.search}`);
    expect(page.json.user).to.deep.equal(personOf(subject, world, 'alice'));
    const me = await browser.get(`${server.url}/me`);
    expect(me.json.user).to.deep.equal(personOf(subject, world, 'alice'));
  });

  it('C21: neither the redirect nor the callback is cached, and no Referer leads away from the callback', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const browser = new Browser();
    const beginning = await browser.get(`${server.url}/login/${provider}`);
    const page = await browser.get(await allow(browser, beginning.location));
    for (const { headers } of [beginning, page]) {
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(headers.get('referrer-policy')).to.equal('no-referrer');
    }
  });

  it('S7: a denial is a failure with status 401 and code access_denied, and verify is never asked', async () => {
    const world = await sandbox();
    let asked = 0;
    const verify = () => {
      asked += 1;
    };
    const server = await app(strategy(world, {}, verify));
    const browser = new Browser();
    const callback = await deny(browser, await start(browser, server, provider));
    const requests = backendRequests(world);
    const page = await browser.get(callback);
    expect(page.status).to.equal(401);
    expect(page.json).to.deep.equal({
      failure: { message: 'The person declined the login at the network.', code: 'access_denied' },
    });
    expect(asked).to.equal(0);
    expect(backendRequests(world)).to.deep.equal(requests);
  });

  it('a person who declined can log in at the next try', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const browser = new Browser();
    await browser.get(await deny(browser, await start(browser, server, provider)));
    const page = await logIn(server, provider, 'alice', browser);
    expect(page.json.user).to.deep.equal(personOf(subject, world, 'alice'));
  });

  it('S7: a network that is down is an UnreachableError with status 502, and the process lives', async () => {
    const world = await sandbox({});
    const browser = new Browser();
    const server = await app(strategy(world));
    const callback = await callbackOf(browser, server, provider);
    await world.close();
    const page = await browser.get(callback);
    expect(page.status).to.equal(502);
    expect(page.json).to.include({ error: 'UnreachableError', code: 'connection_failed' });
    const me = await browser.get(`${server.url}/me`);
    expect(me.status).to.equal(200);
  });

  it('S7: a refusal by verify is a failure with the info that verify gave', async () => {
    const world = await sandbox();
    const verify = (_token: string, _refresh: unknown, _profile: unknown, done: Done) =>
      done(null, false, { message: 'Members only.' });
    const page = await logIn(await app(strategy(world, {}, verify)), provider);
    expect(page.status).to.equal(401);
    expect(page.json).to.deep.equal({ failure: { message: 'Members only.' } });
  });
}
