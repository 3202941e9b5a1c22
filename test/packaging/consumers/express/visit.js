import { deepEqual } from 'node:assert/strict';

/**
 * Logs in with each strategy, as a browser would, and prints the line that tools/consumers.mjs expects. `login` is the sandbox's helper, which runs
 * wherever the strategies do: the project's own, because its packages are not found from here.
 * @param {typeof import('passport-social-networks-sandbox').login} login
 * @param {readonly { name: string }[]} strategies
 * @param {string} application - Shows the user as JSON at `/`.
 */
export async function logInWithEach(login, strategies, application) {
  const names = strategies.map(({ name }) => name);
  for (const name of names) {
    const { response } = await login(`${application}/api/auth/signin/${name}`, { person: 'alice' });
    const text = await response.text();
    if (response.status >= 400) throw new Error(text);
    const { provider, displayName } = JSON.parse(text);
    deepEqual([provider, displayName], [name, 'Alice Example']);
  }
  const { bun, deno } = process.versions;
  const runtime = bun ? `Bun ${bun}` : deno ? `Deno ${deno}` : process.version;
  console.log(`${runtime} logged in: ${names.join(', ')}`);
}
