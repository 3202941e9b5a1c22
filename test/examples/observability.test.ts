import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { Browser } from '../support/browser.js';
import { allow } from '../support/journey.js';
import { rehearsed } from '../support/rehearsal.js';
import { freePort, RunningApp } from './app.js';

describe('the observability example', () => {
  const file = join(__dirname, '..', '..', 'examples', 'observability', 'app.js');
  let app: RunningApp;

  before(async () => {
    app = await RunningApp.start({ PORT: String(await freePort()) }, file);
  });

  after(() => app?.stop());

  /** Waits until the example has printed a string, which can happen after it has responded. */
  async function printed(text: string): Promise<void> {
    while (!app.output().includes(text)) await setTimeout(20);
  }

  it('writes a log line and a span for each request, without confidential values', async () => {
    const browser = new Browser();
    const { location } = await browser.get(app.url);
    const callback = await allow(browser, location, 'anna');
    expect((await browser.get(callback)).json.displayName).to.equal('Анна Примерова');

    await printed('"msg":"microblog: profile succeeded"');
    await printed("name: 'microblog profile'");
    const lines = app
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{"level"'));
    const reports = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(reports.map(({ level, msg, status }) => [level, msg, status])).to.deep.equal([
      [30, 'microblog: token succeeded', 200],
      [30, 'microblog: profile succeeded', 200],
    ]);
    expect(app.output()).to.include("name: 'microblog token'");
    expect(app.output()).to.include("'http.response.status_code': 200");

    for (const secret of new URL(callback).searchParams.values()) expect(app.output()).to.not.include(secret);
  });

  it('E1: passes a rehearsal', async () => {
    await rehearsed(app.url, { session: false });
  });

  it('logs a warning for a request that failed', async () => {
    const browser = new Browser();
    const { location } = await browser.get(app.url);
    const callback = new URL(await allow(browser, location));
    callback.searchParams.set('code', 'an-unknown-code');
    await browser.get(callback.href);
    await printed('"msg":"microblog: token refused"');
    await printed("'error.type': 'refused'");
  });
});
