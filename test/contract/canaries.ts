import { expect } from 'chai';
import type { Sandbox } from '../../lib/sandbox/index.js';
import { Browser } from '../support/browser.js';
import { callbackOf, logIn, withParameters } from '../support/journey.js';
import { collectsWarnings } from '../support/warnings.js';
import { addressSecrets, type Eavesdropper, eavesdrop } from './eavesdropper.js';
import { ECHOES, FRESH_SECRET } from './echoes.js';
import { exposed, shownBy } from './exposure.js';
import type { Contract } from './harness.js';

/** That nothing confidential is ever shown, whatever the network and whatever it answers. */
export function canaries({ subject, sandbox, strategy, app, closing }: Contract): void {
  const { provider } = subject;
  const warnings = collectsWarnings();

  /** The sandbox's options with every address led through a network that listens. */
  const tapped = (world: Sandbox, ear: Eavesdropper) =>
    Object.fromEntries(
      Object.entries(subject.options(world)).map(([name, value]) => [
        name,
        name.endsWith('URL') && name !== 'callbackURL' ? value.replace(world.url, ear.url) : value,
      ]),
    );

  it('S1: no error, failure or warning shows a secret, however a hostile network repeats it', async () => {
    const world = await sandbox();
    const ear = closing(await eavesdrop(world));
    const server = await app(strategy(world, tapped(world, ear)));
    const backend = () => ear.requests.filter(({ query }) => !query.has('auto')).length;
    expect((await logIn(server, provider)).status).to.equal(200);
    const steps = backend();
    let quoted = 0;
    for (const [title, echo] of Object.entries(ECHOES)) {
      for (let step = 0; step < steps; step += 1) {
        const { shown, secrets } = await hostileLogin(server, ear, step, echo);
        expect(exposed(shown, secrets), `${title}, step ${step}`).to.deep.equal([]);
        quoted += shown.split('[redacted]').length - 1;
      }
    }
    expect(quoted).to.be.above(50);
    expect(exposed((await warnings.texts()).join('\n'), ear.secrets)).to.deep.equal([]);
  });

  /** A login in which the network turns hostile before one of its steps, and all that the application sees of it. */
  async function hostileLogin(
    server: Awaited<ReturnType<typeof app>>,
    ear: Eavesdropper,
    step: number,
    echo: (secrets: readonly string[]) => object,
  ): Promise<{ shown: string; secrets: string[] }> {
    ear.secrets.clear();
    const browser = new Browser();
    const known = server.endings.length;
    const begins = step === 0 ? 0 : undefined;
    const texts: string[] = [];
    const beforeCallback = async () => {
      const callback = await callbackOf(browser, server, provider);
      for (const secret of addressSecrets(callback)) ear.secrets.add(secret);
      return callback;
    };
    let callback = '';
    if (begins !== undefined) {
      // What comes first differs: the request for a request token at the start, or the exchange at the callback.
      ear.turnHostile(0, echo);
      const page = await browser.get(`${server.url}/login/${provider}`);
      texts.push(page.text);
      ear.calmDown();
    }
    callback = callback || (await beforeCallback());
    ear.turnHostile(Math.max(0, step - 1), echo);
    texts.push((await browser.get(callback)).text);
    ear.calmDown();
    const endings = server.endings.slice(known).filter(({ user }) => user === undefined);
    return {
      shown: [...texts, ...endings.map(shownBy)].join('\n'),
      secrets: [...ear.secrets, FRESH_SECRET],
    };
  }

  it('S1: an error in the callback does not repeat what the callback or the login knows', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const callback = await callbackOf(new Browser(), server, provider);
    expect(withParameters(callback, {})).to.equal(callback);
  });
}
