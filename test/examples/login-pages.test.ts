import { expect } from 'chai';
import { consent, inChromium, violationsIn } from '../support/chromium.js';
import { temporaryFolder } from '../support/cleanup.js';
import { opened } from '../support/stand-in.js';
import { startApp } from './app.js';

const VIEWS = [
  { width: 360, colorScheme: 'light' },
  { width: 768, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
] as const;

describe('the pages of the login example', function () {
  this.timeout(120_000);
  // The pages' Content-Security-Policy would block axe.
  const { page } = inChromium({ bypassCSP: true });
  const DATA_FOLDER = temporaryFolder();
  const app = opened(() => startApp({ DATA_FOLDER }));

  /** Checks a page in each view with axe, and that it fits the screen. */
  async function look(name: string, heading: string): Promise<void> {
    expect(await page.locator('h1').innerText()).to.equal(heading);
    for (const { width, colorScheme } of VIEWS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      const title = `${name}, ${width} pixels`;
      expect(await page.evaluate('document.documentElement.scrollWidth'), title).to.equal(width);
      expect(await violationsIn(page), title).to.deep.equal([]);
    }
  }

  it('lead through it by links and forms, and are accessible and fit, light and dark, from 360 to 1280 pixels', async () => {
    await page.goto(app.url);
    await look('sign-in', 'Sign in');
    await page.getByText('Continue with X').click();
    await consent(page, 'hanako', 'Deny');
    await look('declined', 'You cancelled the sign-in with X');
    await page.getByText('Try again with X').click();
    await consent(page, 'hanako');
    await look('one-login', await page.locator('.name').innerText());
    await page.getByText('Link TikTok').click();
    await consent(page, 'alice');
    await page.getByText('TikTok login Alice Example linked.').waitFor();
    await look('two-logins', await page.locator('.name').first().innerText());
    await page.getByLabel('Unlink X').click();
    await look('unlink', 'Unlink this X login?');
    await page.getByText('Sign in again', { exact: true }).click();
    await consent(page, 'alice');
    await page.getByText('You have signed in again').waitFor();
    await look('unlink-confirmed', 'Unlink this X login?');
    await page.getByRole('button', { name: 'Unlink' }).click();
    await page.getByText('unlinked.').waitFor();
    await page.getByText('Delete account').click();
    await look('delete', 'Delete your account?');
    await page.getByText('Cancel').click();
    await page.getByText('Sign out', { exact: true }).click();
    await look('signed-out', 'Sign in');
    await page.goto(`${app.url}/nothing`);
    await look('unknown', 'Page not found');
  });

  it('ask before a login of another account is moved', async () => {
    await page.goto(app.url);
    await page.getByText('Continue with VK').click();
    await consent(page, 'max');
    await page.getByText('Sign out', { exact: true }).click();
    await page.getByText('Continue with X').click();
    await consent(page, 'max');
    await page.getByText('Link VK').click();
    await consent(page, 'max');
    await look('move', 'This login belongs to another account');
    await page.getByRole('button', { name: 'Move it here' }).click();
    await page.getByText('VK login Max Bignumber moved here.').waitFor();
  });
});
