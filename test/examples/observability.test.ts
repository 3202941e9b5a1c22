import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { Browser } from '../support/browser.js';
import { allow } from '../support/journey.js';

describe('the observability example', () => {
  let app: ChildProcess;
  let home: string;
  let output = '';

  before(async () => {
    const file = join(__dirname, '..', '..', 'examples', 'observability', 'app.js');
    app = spawn(process.execPath, [file], {
      // With NODE_ENV=test, Express does not print errors.
      env: { PATH: process.env.PATH, PORT: '0', NODE_ENV: 'test' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(createInterface({ input: app.stdout as NodeJS.ReadableStream }), 'line');
    home = /http:\/\/127\.0\.0\.1:\d+/.exec(String(line))?.[0] ?? '';
    app.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  });

  after(async () => {
    app.kill();
    await once(app, 'exit');
  });

  /** Waits until the example has printed a string, which can happen after it has responded. */
  async function printed(text: string): Promise<void> {
    while (!output.includes(text)) await once(app.stdout as NodeJS.ReadableStream, 'data');
  }

  it('writes a log line and a span for each request, without confidential values', async () => {
    const browser = new Browser();
    const { location } = await browser.get(home);
    const callback = await allow(browser, location, 'anna');
    expect((await browser.get(callback)).json.displayName).to.equal('Анна Примерова');

    await printed('"msg":"microblog: profile succeeded"');
    await printed("name: 'microblog profile'");
    const lines = output.split('\n').filter((line) => line.startsWith('{"level"'));
    const reports = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(reports.map(({ level, msg, status }) => [level, msg, status])).to.deep.equal([
      [30, 'microblog: token succeeded', 200],
      [30, 'microblog: profile succeeded', 200],
    ]);
    expect(output).to.include("name: 'microblog token'");
    expect(output).to.include("'http.response.status_code': 200");

    for (const secret of new URL(callback).searchParams.values()) expect(output).to.not.include(secret);
  });

  it('logs a warning for a request that failed', async () => {
    const browser = new Browser();
    const { location } = await browser.get(home);
    const callback = new URL(await allow(browser, location));
    callback.searchParams.set('code', 'an-unknown-code');
    await browser.get(callback.href);
    await printed('"msg":"microblog: token refused"');
    await printed("'error.type': 'refused'");
  });
});
