import { deepEqual } from 'node:assert/strict';

/**
 * Logs in with each strategy, as a browser would, and prints the line that tools/consumers.mjs expects.
 * @param {readonly { name: string }[]} strategies
 * @param {string} application - Shows the user as JSON at `/`.
 */
export async function logInWithEach(strategies, application) {
  const names = strategies.map(({ name }) => name);
  for (const name of names) {
    const { provider, displayName } = JSON.parse(await logIn(name, application));
    deepEqual([provider, displayName], [name, 'Alice Example']);
  }
  const { bun, deno } = process.versions;
  const runtime = bun ? `Bun ${bun}` : deno ? `Deno ${deno}` : process.version;
  console.log(`${runtime} logged in: ${names.join(', ')}`);
}

/**
 * Follows every redirect with cookies, and allows the login on the sandbox's page.
 * @param {string} name
 * @param {string} application
 * @returns {Promise<string>} The final page.
 */
async function logIn(name, application) {
  let address = new URL(`/api/auth/signin/${name}`, application);
  const cookies = new Map();
  for (;;) {
    const headers = { cookie: [...cookies.values()].join('; ') };
    const page = await fetch(address, { redirect: 'manual', headers });
    for (const [cookie] of page.headers.getSetCookie().map((line) => line.split(';'))) {
      cookies.set(cookie?.split('=')[0], cookie);
    }
    if (page.status >= 400) throw new Error(await page.text());
    const location = page.headers.get('location');
    if (location === null) return page.text();
    address = new URL(location, address);
    if (address.origin !== application) address.search += '&auto=allow&person=alice';
  }
}
