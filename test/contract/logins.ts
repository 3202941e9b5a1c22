import { expect } from 'chai';
import { Browser } from '../support/browser.js';
import { callbackOf, deny, logIn, start } from '../support/journey.js';
import { type Contract, type Done, personOf } from './harness.js';

interface RawProfile {
  readonly _raw: string;
  readonly _json: object;
}

/** Tests of a whole login, for every network. */
export function logins({ subject, sandbox, strategy, app }: Contract): void {
  const { provider } = subject;

  it('a user logs in, and verify gets the right profile', async () => {
    const world = await sandbox();
    const page = await logIn(await app(strategy(world)), provider, 'alice');
    expect(page.status).to.equal(200);
    expect(page.json.user).to.deep.equal(personOf(subject, world, 'alice'));
  });

  it('a Cyrillic name reaches verify unchanged', async () => {
    const world = await sandbox();
    const page = await logIn(await app(strategy(world)), provider, 'anna');
    expect(page.json.user.displayName).to.equal('Анна Примерова');
  });

  it('verify gets a token, and a profile with the raw response and the parsed record', async () => {
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

  it('a login works with plain passport.authenticate', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const browser = new Browser();
    const callback = new URL(await callbackOf(browser, server, provider));
    const page = await browser.get(`${server.url}/plain/${provider}${callback.search}`);
    expect(page.json.user).to.deep.equal(personOf(subject, world, 'alice'));
    const me = await browser.get(`${server.url}/me`);
    expect(me.json.user).to.deep.equal(personOf(subject, world, 'alice'));
  });

  it('a user who declined can log in on the next attempt', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const browser = new Browser();
    await browser.get(await deny(browser, await start(browser, server, provider)));
    const page = await logIn(server, provider, 'alice', browser);
    expect(page.json.user).to.deep.equal(personOf(subject, world, 'alice'));
  });

  it('a browser that is already logged in can log in as another user', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const browser = new Browser();
    await logIn(server, provider, 'alice', browser);
    await logIn(server, provider, 'anna', browser);
    const me = await browser.get(`${server.url}/me`);
    expect(me.json.user).to.deep.equal(personOf(subject, world, 'anna'));
  });
}
