import { Agent } from 'node:http';
import { inspect } from 'node:util';
import { expect } from 'chai';
import { cookieLogins } from '../../lib/index.js';
import {
  type Eavesdropper,
  ECHOES,
  type Echo,
  eavesdrop,
  exposed,
  FRESH_SECRET,
  note,
  shownBy,
  urlSecrets,
} from '../contract/eavesdropper.js';
import { describeEach, tappedBy } from '../contract/harness.js';
import { classNamesOf } from '../contract/strategies.js';
import { SPELLINGS } from '../hostility/world/secrets.js';
import { Browser } from '../support/browser.js';
import { allow, callbackOf, logIn, withParameters } from '../support/journey.js';
import type { LoginApp, NamedStrategy } from '../support/login-app.js';

type Credentials = { readonly clientSecret?: string; readonly serviceToken?: string };
type Overridable = NamedStrategy & { userProfile: (this: object, ...args: unknown[]) => void };

describeEach('what a login reveals', ({ subject, sandbox, strategy, app, serving, closing, warnings }) => {
  const { provider } = subject;

  /** An application whose network can be made to echo what it gets. */
  async function tapped(options: object = {}) {
    const world = await sandbox();
    const ear = closing(await eavesdrop(world));
    const made = strategy(world, { ...tappedBy(ear, subject, world), ...options });
    return { ear, made, server: await app(made) };
  }

  /** Runs a login in which the network is hostile at one step. @returns Everything that the application shows of it. */
  async function hostileLogin(app: LoginApp, ear: Eavesdropper, step: number, echo: Echo): Promise<string> {
    const known = app.endings.length;
    const browser = new Browser();
    ear.secrets.clear();
    ear.turnHostile(step, echo);
    const start = await browser.get(`${app.url}/login/${provider}`);
    let { text } = start;
    if (start.status === 302) {
      const callback = await allow(browser, start.location);
      note(ear.secrets, urlSecrets(callback));
      text += (await browser.get(callback)).text;
    }
    ear.calmDown();
    const endings = app.endings.slice(known).filter(({ user }) => user === undefined);
    return [text, ...endings.map(shownBy)].join('\n');
  }

  /** Makes the network hostile at each step of a login, and expects that no secret is shown. The state has its own test. */
  async function expectHidden(echoes: readonly string[], isStateSecret = false): Promise<void> {
    const { ear, server } = await tapped();
    expect((await logIn(server, provider)).status).to.equal(200);
    const steps = Array.from(ear.requests.keys());
    expect(steps).to.have.length.above(1);
    for (const title of echoes) {
      const known = server.endings.length;
      for (const step of steps) {
        const shown = await hostileLogin(server, ear, step, ECHOES[title] as Echo);
        // The state is used up before the first request to the network.
        const secrets = [...ear.secrets].filter(([, name]) => name !== 'state' || isStateSecret);
        const hidden = new Map([...secrets, [FRESH_SECRET, 'a fresh secret']]);
        expect([title, step, ...exposed(shown, hidden)]).to.deep.equal([title, step]);
        expect([title, ...exposed((await warnings()).join('\n'), hidden)]).to.deep.equal([title]);
      }
      const failed = server.endings.slice(known).filter(({ user }) => user === undefined);
      expect(failed, title).to.have.length.above(0);
    }
  }

  it('S1: no error, failure or warning shows a secret that a network echoes, wherever', async () => {
    await expectHidden(Object.keys(ECHOES));
  });

  it('S1: no error, failure or warning shows the state that a network echoes', async () => {
    const titles = ['a nested error', 'an error_description with 400', 'a problem'];
    await expectHidden(titles, true);
  });

  it('S1: the failure of an error response contains no secret of the login', async () => {
    const { world, server } = await serving();
    for (const [spelling, spell] of Object.entries(SPELLINGS)) {
      const browser = new Browser();
      const callback = await callbackOf(browser, server, provider);
      const { clientSecret = '', serviceToken } = subject.options(world) as Credentials;
      const secrets = urlSecrets(callback);
      secrets.set(clientSecret, 'client_secret');
      if (serviceToken !== undefined) secrets.set(serviceToken, 'service_token');
      const text = [...secrets.keys()].map(spell).join(' ');
      await browser.get(withParameters(callback, { error: `server_error ${text}`, error_description: text }));
      const endings = server.endings.slice(-1).filter(({ user }) => user === undefined);
      expect(exposed(endings.map(shownBy).join('\n'), secrets), spelling).to.deep.equal([]);
    }
    expect(server.endings).to.have.length(Object.keys(SPELLINGS).length);
  });

  it('S1: a callback URL with a password, which the network and the browser would get, is refused', async () => {
    const world = await sandbox();
    for (const login of ['name:password', 'name', ':password']) {
      const callbackURL = `https://${login}@app.example/callback`;
      const shown = expect(() => strategy(world, { callbackURL })).to.throw(TypeError, 'must hold neither');
      shown.with.property('message').that.does.not.match(/name:|:password/);
    }
  });

  it('S2: printing a strategy, its HTTP client or any of its properties shows no secret before or after a login', async () => {
    const customHeaders = { 'x-key': 'header-secret-0123456789' };
    // Proxy agents keep the proxy's URL, with the password, in a property.
    const agent = Object.assign(new Agent(), { proxy: 'http://me:proxy-password-0123456789@proxy.example' });
    const store = Object.assign(cookieLogins({ secrets: 'k'.repeat(32) }), {
      url: 'redis://store-password@redis',
    });
    const { ear, made, server } = await tapped({ customHeaders, agent, store });
    const { _oauth2, _oauth } = made as { _oauth2?: object; _oauth?: object };
    const properties = Object.getOwnPropertyNames(made).map((name): unknown => Reflect.get(made, name));
    const shown = () => [made, { ...made }, _oauth2, _oauth, ...properties].map(shownBy).join('\n');
    const before = shown();
    await logIn(server, provider);
    const { clientSecret = '', serviceToken = '' } = subject.options(await sandbox()) as Credentials;
    const secrets = new Map(ear.secrets)
      .set(clientSecret, 'client_secret')
      .set(serviceToken, 'service_token')
      .set(customHeaders['x-key'], 'a header')
      .set('proxy-password-0123456789', "the agent's password")
      .set('store-password', "the store's password");
    secrets.delete('');
    expect(secrets.size).to.be.above(3);
    expect(exposed(before, secrets)).to.deep.equal([]);
    expect(exposed(shown(), secrets)).to.deep.equal([]);
  });

  it('S2: printing the strategy in an overridden userProfile shows no secret of the login', async () => {
    const { ear, made: plain, server } = await tapped();
    const made = plain as Overridable;
    const { userProfile } = made;
    let shown = '';
    made.userProfile = function (...args: unknown[]) {
      shown = [inspect(this), inspect({ ...this }), JSON.stringify(this), JSON.stringify({ ...this })].join();
      userProfile.apply(this, args);
    };
    expect((await logIn(server, provider)).status).to.equal(200);
    expect(shown).to.include(made.constructor.name);
    expect(exposed(shown, ear.secrets)).to.deep.equal([]);
  });

  it('S2: a printed strategy shows its class, name, client ID and URLs', async () => {
    const world = await sandbox();
    const made = strategy(world);
    const printed = inspect(made);
    expect(printed).to.match(new RegExp(`^${made.constructor.name} {`));
    // The base package's client, which applications know by this name.
    const { _oauth, _oauth2 } = made as { _oauth?: object; _oauth2?: object };
    expect(inspect(_oauth2 ?? _oauth)).to.match(_oauth2 ? /^OAuth2 {/ : /^OAuth {/);
    expect(classNamesOf(subject)).to.include(made.constructor.name);
    expect(printed).to.include(`name: '${provider}'`);
    expect(printed).to.include(subject.options(world).clientID);
    expect(printed).to.include(world.url);
  });
});
