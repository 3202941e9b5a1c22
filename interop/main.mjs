// Logs in with the clients of others at the sandbox, and with our strategies at the servers of others, and checks credentials there.
// Writes the tables of interop/results.md.
//   --check         writes nothing, and fails if a row differs from its page
//   --only=arctic   some clients and servers, by a part of their names, or --only=moves; writes nothing
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startSandbox } from 'passport-social-networks-sandbox';
import { checkApplications } from './applications.mjs';
import { PERSON } from './browser.mjs';
import { arctic } from './clients/arctic.mjs';
import { openidClient } from './clients/openid-client.mjs';
import { passportStrategies } from './clients/passport.mjs';
import { vkIdSdk } from './clients/vkid-sdk.mjs';
import { authCore, betterAuthClient } from './clients/web-libraries.mjs';
import { twitterApiV2, xdk } from './clients/x.mjs';
import { checkMoves } from './moves.mjs';
import { pageWith } from './page.mjs';
import { FORMER_HOSTS, leadToRelay, startRelay } from './rewrite.mjs';
import { oauthlib } from './servers/oauthlib.mjs';
import { oidcProvider } from './servers/oidc-provider.mjs';
import { USER } from './servers/strategies.mjs';

const WITHOUT_PASSPORT = [arctic, authCore, betterAuthClient, openidClient, twitterApiV2, vkIdSdk, xdk];
const CLIENTS = passportStrategies.concat(WITHOUT_PASSPORT);
const SERVERS = [oauthlib, oidcProvider];
/** No login takes this long unless it hangs. */
const TIMEOUT_MILLISECONDS = 60_000;
/** As the command prints verdicts. */
const MARKS = { passed: '✓', failed: '✗', unknown: '?' };
/** What is only right with a source: that someone refuses a login, and that credentials are right or wrong. */
const NEEDS_SOURCE = /^(refused|[✓✗])/;

const { check, only } = parseArgs({
  options: { check: { type: 'boolean', default: false }, only: { type: 'string' } },
}).values;

const tables = {
  clients: await clientRows(),
  servers: await rowsOf(
    SERVERS,
    ({ logins }) => logins,
    async (_flow, login) => {
      const failure = await failureOf(login, USER);
      return { result: failure === undefined ? 'logged in' : `refused: ${failure}` };
    },
  ),
  checks: await rowsOf(
    SERVERS,
    ({ checks }) => checks,
    async (_flow, run) => {
      const { verdict, message, evidence = '' } = await run();
      return { result: `${MARKS[verdict]} ${message}`, source: evidence };
    },
  ),
};
const { differences, write } = pageWith(tables);
for (const { name, version, flow, result, source } of Object.values(tables).flat()) {
  console.log([name, version, flow, result].join(' | '));
  if (!NEEDS_SOURCE.test(result) || source !== '') continue;
  console.error(`No source: ${name}, ${flow}: ${result}`);
  process.exitCode = 1;
}
if (only === undefined && !check) write();
if (only === undefined && check && differences.length > 0) {
  const remedy = 'If that is right, run "npm run step -- interop" and commit the page';
  console.error(`interop/results.md differs. ${remedy}:\n${differences.join('\n')}`);
  process.exitCode = 1;
}
// Clients keep connections open.
process.exit();

async function clientRows() {
  const sandbox = await startSandbox();
  const applicationOf = ({ clientID: id, clientSecret: secret }) => ({ id, secret });
  const xConsumer = applicationOf(sandbox.options('microblog', { version: '1.0' }));
  const relay = await startRelay(sandbox.url, xConsumer);
  leadToRelay(relay);
  const publicId = sandbox.options('microblog', { client: 'public' }).clientID;
  // What a client gets: the applications that the sandbox knows, and no URL of it.
  const given = {
    tiktok: applicationOf(sandbox.options('short-video')),
    x: { ...applicationOf(sandbox.options('microblog')), publicId },
    xConsumer,
    vk: applicationOf(sandbox.options('social-network')),
    vkId: { id: sandbox.options('social-network', { version: '2.1' }).clientID },
    relay,
  };
  const { openId, microblogId, socialNetworkId } = sandbox.people.find(({ id }) => id === PERSON) ?? {};
  const ids = { TikTok: openId, X: microblogId, VK: socialNetworkId };
  const flowsOf = ({ logins }) => logins(given);
  const found = await rowsOf(CLIENTS, flowsOf, async (flow, login) => {
    sandbox.reset();
    relay.drain();
    const failure = await failureOf(login, String(ids[flow.split(/\W/)[0] ?? '']));
    const hosts = relay.drain();
    return failure === undefined ? loggedIn(sandbox, hosts) : rejected(sandbox, failure);
  });
  if (only === undefined || only === 'moves') {
    await checkMoves(given);
    await checkApplications(given);
  }
  relay.close();
  await sandbox.close();
  return found;
}

async function rowsOf(packages, flowsOf, attempt) {
  const found = [];
  for (const given of packages) {
    const { package: name } = given;
    const version = only !== undefined && !name.includes(only) ? undefined : versionOf(given);
    if (version === undefined) continue;
    for (const [flow, run] of Object.entries(flowsOf(given)))
      found.push({ name, version, flow, source: '', ...(await attempt(flow, run)) });
  }
  return found;
}

function versionOf({ package: name, isFromDebian, needs }) {
  try {
    if (needs !== undefined && !existsSync(needs)) throw new Error(`${needs} is missing`);
    if (isFromDebian)
      return `Debian ${execFileSync('dpkg-query', ['--show', name]).toString().trim().split('\t')[1]}`;
    const manifest = join(import.meta.dirname, 'node_modules', name, 'package.json');
    return String(JSON.parse(readFileSync(manifest, 'utf8')).version);
  } catch (error) {
    if (process.env.CI === 'true') throw error;
    console.log(`${name} does not run here: ${reasonOf(error)}. Its rows are not checked.`);
    return undefined;
  }
}

async function failureOf(login, id) {
  const late = delay(TIMEOUT_MILLISECONDS, 'nobody, in a minute', { ref: false });
  try {
    const reported = await Promise.race([login(), late]);
    return reported === id ? undefined : `reports the user ${reported}`;
  } catch (error) {
    return reasonOf(error);
  }
}

/** The innermost message of an error. */
function reasonOf(error) {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  // Auth.js wraps its causes.
  const inner = cause?.err ?? cause;
  return inner instanceof Error ? reasonOf(inner) : error.message;
}

function loggedIn(sandbox, hosts) {
  const requests = sandbox.requests();
  const former = hosts.filter((host) => FORMER_HOSTS.includes(host));
  const notes = [
    ...requests.flatMap(({ noted = [] }) =>
      noted.map((note) => note.replace('the network may refuse this: ', '')),
    ),
    // A path that the sandbox does not have, and that the client does without, is not worth a note.
    ...requests.flatMap(({ endpoint, refused }) =>
      refused && endpoint !== 'unknown' ? [`goes on without ${endpoint}: ${refused}`] : [],
    ),
    ...(former.length > 0 ? [`former hosts: ${former.join(', ')}`] : []),
  ];
  return { result: notes.length === 0 ? 'logged in' : `logged in, noted: ${[...new Set(notes)].join('; ')}` };
}

function rejected(sandbox, failure) {
  const request = sandbox.requests().findLast(({ refused, endpoint }) => refused && endpoint !== 'unknown');
  if (!request) return { result: `refused by the client: ${failure}` };
  const { refused, belief } = request;
  return { result: `refused: ${refused}`, ...(belief && { source: `${belief.mark}: ${belief.source}` }) };
}
