import { expect } from 'chai';
import { Browser } from '../support/browser.js';
import { callbackOf, logIn } from '../support/journey.js';
import { type Contract, type Done, personOf, profileRequests } from './harness.js';

/** skipUserProfile in callback form: the token is first, the OAuth 1.0a token secret second, the callback last. */
function skipWithCallback(token: string, second: unknown, third: unknown): void {
  const done = [second, third].find((argument) => typeof argument === 'function') as SkipCallback;
  done(null, token.length > 0);
}
type SkipCallback = (error: unknown, skip: boolean) => void;

/** Tests of the options that all strategies share. */
export function options({ subject, sandbox, strategy, app }: Contract): void {
  const { provider } = subject;

  it('options may be frozen and are not changed', async () => {
    const world = await sandbox();
    const given = Object.freeze({
      ...subject.options(world),
      scope: undefined,
      customHeaders: Object.freeze({ 'x-app': 'a' }),
    });
    const copy = structuredClone(given);
    const page = await logIn(await app(strategy(world, given)), provider);
    expect(page.status).to.equal(200);
    expect(given).to.deep.equal(copy);
  });

  it('the option name sets the name of the strategy, its callback URL and profile.provider', async () => {
    const world = await sandbox();
    const named = strategy(world, { name: 'second-app' });
    expect(named.name).to.equal('second-app');
    const page = await logIn(await app(named), 'second-app');
    expect(page.json.user).to.deep.equal(personOf(subject, world, 'alice', 'second-app'));
  });

  it('two clients of one network work side by side under different names', async () => {
    const world = await sandbox();
    const server = await app([strategy(world), strategy(world, { name: 'second-app' })]);
    const browser = new Browser();
    const first = await callbackOf(browser, server, provider, 'alice');
    const second = await callbackOf(browser, server, 'second-app', 'anna');
    expect((await browser.get(first)).json.user).to.deep.equal(personOf(subject, world, 'alice'));
    expect((await browser.get(second)).json.user).to.deep.equal(
      personOf(subject, world, 'anna', 'second-app'),
    );
  });

  const skips: Readonly<Record<string, unknown>> = {
    true: true,
    'a function that returns true': () => true,
    'an async function that returns true': async () => true,
    'a function that takes the token and a callback': skipWithCallback,
  };
  for (const [form, skipUserProfile] of Object.entries(skips)) {
    it(`skipUserProfile: ${form} skips the profile request`, async () => {
      const world = await sandbox();
      const verify = (_t: string, _r: unknown, profile: unknown, done: Done) =>
        done(null, { profile: profile === undefined ? 'none' : 'some' });
      const page = await logIn(await app(strategy(world, { skipUserProfile }, verify)), provider);
      expect(page.json.user).to.deep.equal({ profile: 'none' });
      expect(profileRequests(subject, world)).to.equal(0);
    });
  }

  it('skipUserProfile: a function that returns false loads the profile', async () => {
    const world = await sandbox();
    const page = await logIn(await app(strategy(world, { skipUserProfile: () => false })), provider);
    expect(page.json.user).to.deep.equal(personOf(subject, world, 'alice'));
    expect(profileRequests(subject, world)).to.equal(1);
  });

  it('the option profile replaces the profile mapping', async () => {
    const world = await sandbox();
    const profile = (record: object) => ({
      id: `own-${Object.keys(record).length > 0}`,
      displayName: 'Own mapping',
    });
    const page = await logIn(await app(strategy(world, { profile })), provider);
    expect(page.json.user).to.deep.equal({ id: 'own-true', displayName: 'Own mapping', provider });
  });
}
