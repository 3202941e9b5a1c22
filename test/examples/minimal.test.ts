import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { Browser, type Page } from '../support/browser.js';
import { expectPage } from '../support/page.js';

const FILE = join(__dirname, '..', '..', 'examples', 'minimal', 'app.mjs');
/** Makes the application print the sizes of the sessions that it stores. */
const SESSION_SIZES = join(__dirname, '..', 'support', 'session-sizes.cjs');
/** Anna's user ID at each network. */
const ANNA = {
  'short-video': '_Xq0tN5yD3kQm1vB8sLwZr2cHf7gJp9aUeKo4iYdTnM',
  microblog: '783214',
  'microblog-1-0': '783214',
  'social-network': '743784474',
};

describe('the minimal example', () => {
  let app: ChildProcess;
  let home: string;
  let output = '';

  before(async () => {
    const env = { PATH: process.env.PATH, PORT: '0', NODE_OPTIONS: `--require ${SESSION_SIZES}` };
    app = spawn(process.execPath, [FILE], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    app.stdout?.on('data', (text: Buffer) => {
      output += text;
    });
    const [line] = await once(createInterface({ input: app.stdout as NodeJS.ReadableStream }), 'line');
    home = /http:\/\/127\.0\.0\.1:\d+/.exec(String(line))?.[0] ?? '';
  });

  after(async () => {
    app.kill();
    await once(app, 'exit');
  });

  for (const [network, id] of Object.entries(ANNA)) {
    it(`logs in a user with a Cyrillic name through ${network}, with name, picture and ID`, async () => {
      const page = await logIn(home, network, (form) => ({ ...form, person: 'anna', decision: 'allow' }));
      expectPage(page.text).toHave('<strong id="name">Анна Примерова</strong>');
      expectPage(page.text).toHave(`<code id="id">${id}</code>`);
      expectPage(page.text).toHave(/<img src="http:\/\/127\.0\.0\.1:\d+\/pictures\/anna\.svg/);
    });

    it(`shows a message when the user declines at ${network}`, async () => {
      const page = await logIn(home, network, (form) => ({ ...form, decision: 'deny' }));
      expectPage(page.text).toHave('<p role="alert">The user declined the login at the network.</p>');
    });
  }

  it('uses VK ID, which new applications use', async () => {
    const { location } = await new Browser().get(`${home}/api/auth/signin/social-network`);
    expect(new URL(location).pathname).to.equal('/vk-id/authorize');
  });

  it('E1: cuts a long name, and a login that began before does not change who is signed in', async () => {
    const browser = new Browser();
    const late = await browser.get(`${home}/api/auth/signin/short-video`);
    const choose = (form: Form) => ({ ...form, person: 'hubert', decision: 'allow' });
    const hubert = await logIn(home, 'microblog', choose, browser);
    expect(/<strong id="name">(.*)<\/strong>/.exec(hubert.text)?.[1]).to.have.length(100);
    const { location } = await browser.get(`${late.location}&auto=allow&person=anna`);
    expect((await follow(browser, await browser.get(location))).text).to.equal(hubert.text);
  });

  it('logs in a user who unticks a scope', async () => {
    const page = await logIn(home, 'short-video', ({ scope: _unticked, ...form }) => ({
      ...form,
      decision: 'allow',
    }));
    expectPage(page.text).toHave('<strong id="name">Alice Example</strong>');
  });

  it('signs a user out', async () => {
    const browser = new Browser();
    await logIn(home, 'microblog', (form) => ({ ...form, decision: 'allow' }), browser);
    // An image on another site can send a GET request.
    expect(await browser.get(`${home}/signout`)).to.include({ status: 404 });
    expectPage((await browser.get(home)).text).toHave('<strong id="name">Alice Example</strong>');
    const page = await follow(browser, await browser.post(`${home}/signout`, {}));
    expectPage(page.text).toHave('Log in with microblog');
  });

  it('stores no session before somebody has logged in', async () => {
    const before = output.length;
    const browser = new Browser();
    await browser.get(`${home}/api/auth/signin/microblog`);
    await browser.get(`${home}/api/auth/callback/microblog?code=FORGED&state=FORGED`);
    expect(output.slice(before)).to.not.contain('stored a session');
    await logIn(home, 'microblog', (form) => ({ ...form, decision: 'allow' }), browser);
    expect(output.slice(before)).to.contain('stored a session');
  });

  for (const [title, environment, complaint] of [
    [
      'does not start with the sandbox in production',
      { PORT: '0', NODE_ENV: 'production' },
      /^SHORT_VIDEO_CLIENT_ID.*sandbox/,
    ],
    ['says what to do when its port is in use', {}, /^(?=.*EADDRINUSE).*PORT=/],
  ] as const) {
    it(title, async () => {
      const env = { PATH: process.env.PATH, PORT: new URL(home).port, ...environment };
      const other = spawn(process.execPath, [FILE], { env, stdio: ['ignore', 'pipe', 'pipe'] });
      let text = '';
      for (const stream of [other.stdout, other.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          text += chunk;
          // Started by mistake.
          if (text.includes('Log in at')) other.kill();
        });
      }
      const [code] = await once(other, 'close');
      expect(text).to.match(complaint).and.to.not.contain('Log in at');
      expect(code).to.equal(1);
    });
  }
});

type Form = Readonly<Record<string, string>>;

/** Clicks the button, submits the network's form and follows the redirects. */
async function logIn(
  home: string,
  network: string,
  fill: (form: Form) => Form,
  browser = new Browser(),
): Promise<Page> {
  const redirect = await browser.get(`${home}/api/auth/signin/${network}`);
  const consent = await browser.get(redirect.location);
  return follow(browser, await browser.post(redirect.location, fill(formOf(consent.text))));
}

async function follow(browser: Browser, page: Page): Promise<Page> {
  return page.location === '' ? page : follow(browser, await browser.get(page.location));
}

/** The fields that a browser would submit: checked and not disabled. */
function formOf(text: string): Form {
  const fields = [...text.matchAll(/<input type="(?:radio|checkbox)" name="(\w+)" value="([^"]*)"([^>]*)>/g)];
  return Object.fromEntries(
    fields
      .filter(([, , , attributes = '']) => / checked/.test(attributes) && !/ disabled/.test(attributes))
      .map(([, name = '', value = '']) => [name, value]),
  );
}
