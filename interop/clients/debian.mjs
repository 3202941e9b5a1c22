import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CALLBACK, PERSON } from '../browser.mjs';

/** Debian's Python, the only one that finds Debian's packages. */
export const PYTHON = '/usr/bin/python3';

/** The packages and their flows, as in debian.py. */
const FLOWS = {
  'python3-social-auth-core': ['X 1.0a', 'VK'],
  'python3-tweepy': ['X 2.0', 'X 1.0a', 'X 1.0a, PIN'],
};

/** @type {import('../main.mjs').Client[]} */
export const debian = Object.entries(FLOWS).map(([name, flows]) => ({
  package: name,
  isFromDebian: true,
  logins: (given) => Object.fromEntries(flows.map((flow) => [flow, () => logIn(name, flow, given)])),
}));

/** @param {string} name @param {string} flow @param {import('../main.mjs').Given} given @returns {Promise<string>} */
async function logIn(name, flow, { relay, ...applications }) {
  const consent = { auto: 'allow', person: PERSON };
  const settings = { ...applications, port: relay.port, callback: CALLBACK, consent };
  const env = { REQUESTS_CA_BUNDLE: relay.certificate };
  // -I: nothing of the user's own Python gets in.
  const given = ['-I', join(import.meta.dirname, 'debian.py'), name, flow];
  const running = promisify(execFile)(PYTHON, given, { env, timeout: 30_000 });
  running.child.stdin?.end(JSON.stringify(settings));
  const { stdout } = await running.catch(({ stderr }) => {
    throw new Error(stderr.trim().split('\n').at(-1));
  });
  const { id, error } = JSON.parse(stdout);
  if (error !== undefined) throw new Error(error);
  return id;
}
