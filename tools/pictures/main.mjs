// Takes the pictures of README from the login example and its sandbox, light and dark, into docs/images: the sign-in page, a consent page, and
// an animation of a whole login. Run it with `npm run pictures`, on a machine with Debian's chromium-headless-shell.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import sharp from 'sharp';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Locator} Locator */
/** @typedef {{ image: Buffer, milliseconds: number }} Frame */

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'docs/images');
const VIEWPORT = { width: 720, height: 720 };
const NETWORK = 'short-video';
const STILL = 2200;
const STEPS = 6;
const STEP = 60;
const SCALE = 2;
const POINTER = `<svg xmlns="http://www.w3.org/2000/svg" width="48" height="72" viewBox="0 0 16 24">
  <path d="M1 1v17l4-4 3 7 3-1-3-7h6z" fill="#000" stroke="#fff"/>
</svg>`;

mkdirSync(FOLDER, { recursive: true });
const data = mkdtempSync(join(tmpdir(), 'pictures-'));
const application = spawn(process.execPath, [join(ROOT, 'examples/login/server.js')], {
  env: { PATH: process.env.PATH, PORT: '0', DATA_FOLDER: data },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = once(application, 'exit');
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium-headless-shell',
  args: ['--no-sandbox', '--disable-gpu', '--hide-scrollbars'],
});
try {
  const home = await addressOf(application.stdout);
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    const context = await browser.newContext({
      viewport: VIEWPORT,
      deviceScaleFactor: SCALE,
      colorScheme,
      locale: 'en',
      reducedMotion: 'reduce',
    });
    await takePictures(await context.newPage(), home, colorScheme);
    await context.close();
  }
} finally {
  await browser.close();
  application.kill();
  await ended;
  rmSync(data, { recursive: true });
}

/** @param {import('node:stream').Readable} output */
async function addressOf(output) {
  for await (const line of createInterface({ input: output })) {
    const [, address] = /^Log in at (\S+)/.exec(line) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error('The login example did not start.');
}

/**
 * @param {Page} page
 * @param {string} home
 * @param {'light' | 'dark'} colorScheme
 */
async function takePictures(page, home, colorScheme) {
  /** @type {Frame[]} */
  const frames = [];

  await page.goto(`${home}/signin`);
  await save(await page.screenshot(), `sign-in-${colorScheme}`);
  await click(page, page.locator(`a[href^="/api/auth/signin/${NETWORK}?"]`), frames);

  await save(await page.screenshot(), `consent-${colorScheme}`);
  await click(page, page.getByRole('button', { name: 'Allow' }), frames);

  frames.push({ image: await page.screenshot(), milliseconds: 2 * STILL });
  const images = await Promise.all(
    frames.map(({ image }) => sharp(image).resize(VIEWPORT.width).png().toBuffer()),
  );
  await sharp(images, { join: { animated: true } })
    .webp({ quality: 70, effort: 6, loop: 0, delay: frames.map(({ milliseconds }) => milliseconds) })
    .toFile(join(FOLDER, `login-${colorScheme}.webp`));
}

/** @param {Buffer} image @param {string} name */
async function save(image, name) {
  await sharp(image)
    .webp({ quality: 80, effort: 6 })
    .toFile(join(FOLDER, `${name}.webp`));
}

/**
 * Moves a drawn pointer to an element, and clicks the element.
 *
 * @param {Page} page
 * @param {Locator} target
 * @param {Frame[]} frames - Gets what is seen on the way.
 */
async function click(page, target, frames) {
  frames.push({ image: await page.screenshot(), milliseconds: STILL });
  const box = await target.boundingBox();
  if (box === null) throw new Error(`Nothing to click at ${page.url()}`);
  const start = { x: VIEWPORT.width - 80, y: VIEWPORT.height - 60 };
  const end = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  for (let step = 1; step <= STEPS; step++) {
    const part = 1 - (1 - step / STEPS) ** 2; // slower towards the end, as a hand
    const image = await pointAt(page, start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part);
    frames.push({ image, milliseconds: step < STEPS ? STEP : 600 });
  }
  await target.click();
  await page.waitForLoadState('networkidle');
}

/**
 * Moves the mouse, for the page's hover colors, and draws the pointer, which screenshots do not have.
 *
 * @param {Page} page
 * @param {number} x
 * @param {number} y
 */
async function pointAt(page, x, y) {
  await page.mouse.move(x, y);
  const input = Buffer.from(POINTER);
  const place = { left: Math.round(x * SCALE), top: Math.round(y * SCALE) };
  return sharp(await page.screenshot())
    .composite([{ input, ...place }])
    .png()
    .toBuffer();
}
