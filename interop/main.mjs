// Logs in with the clients of others at the sandbox, and with our strategies at the servers of others, and checks credentials there.
// Compares our strategies with those of passport-oauth2 and passport-oauth1. Writes the tables of interop/results.md.
//   --check         writes nothing, and fails if a row differs from its page
//   --only=arctic   some clients and servers, by a part of their names, or --only=contract, the comparison; writes nothing
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { PERSON } from './browser.mjs';
import { arctic } from './clients/arctic.mjs';
import { debian, PYTHON } from './clients/debian.mjs';
import { grantClient } from './clients/grant.mjs';
import { openidClient } from './clients/openid-client.mjs';
import { passportStrategies } from './clients/passport.mjs';
import { vkIdSdk } from './clients/vkid-sdk.mjs';
import { authCore, betterAuthClient } from './clients/web-libraries.mjs';
import { twitterApiV2, xdk } from './clients/x.mjs';
import { contractRows } from './contract/main.mjs';
import { compare, pageWith, SOURCES } from './page.mjs';
import { FORMER_HOSTS, leadToRelay, startRelay } from './rewrite.mjs';
import { oauth2Server } from './servers/oauth2-server.mjs';
import { oauthlib } from './servers/oauthlib.mjs';
import { oidcProvider } from './servers/oidc-provider.mjs';
import { USER } from './servers/strategies.mjs';

/** @typedef {{ id: string, secret: string }} Application - Registered with a network. */

/**
 * What a client gets: the applications that the sandbox knows, and no URL of it. `x`: OAuth 2.0; `xConsumer`: OAuth 1.0a; `vk`: the classic protocol.
 *
 * @typedef {Readonly<Record<'tiktok' | 'xConsumer' | 'vk', Application>>} Applications
 * @typedef {Applications & { x: Application & { publicId: string }, vkId: { id: string }, relay: import('./rewrite.mjs').Relay }} Given
 */

/** @typedef {() => Promise<string>} Login - Resolves to the user's ID, as the client reports it. */
/** @typedef {Readonly<Record<string, Login>>} Logins - By flow: the network and the protocol, and after a comma what is special. */

/** `isFromDebian`: not from npm; `needs`: a program without which it cannot run. @typedef {{ package: string, isFromDebian?: boolean, needs?: string }} Package */
/** @typedef {Package & { logins: (given: Given) => Logins }} Client */
/** @typedef {import('./servers/strategies.mjs').Finding} Finding */
/** @typedef {Readonly<Record<string, () => Promise<Finding>>>} Checks - By strategy and credentials: what `check` says of the credentials. */
/** @typedef {Package & { logins: Logins, checks: Checks }} Server */
/** @typedef {import('./page.mjs').Row} Row */

/** @type {readonly Client[]} */
const CLIENTS = [
  arctic,
  authCore,
  betterAuthClient,
  ...debian,
  grantClient,
  openidClient,
  ...passportStrategies,
  twitterApiV2,
  vkIdSdk,
  xdk,
];

/** @type {readonly Server[]} */
const SERVERS = [oauth2Server, oauthlib, oidcProvider];

/** No login takes this long unless it hangs. */
const TIMEOUT_MILLISECONDS = 60_000;

const ROOT = join(import.meta.dirname, '..');
const BUILT = join(ROOT, 'sandbox', 'dist', 'index.js');

/** @param {string | undefined} only @returns {Promise<Row[]>} */
async function clientRows(only) {
  /** @type {typeof import('../sandbox/lib/index.js')} */
  const { startSandbox } = createRequire(import.meta.url)(BUILT);
  const sandbox = await startSandbox();
  const x = sandbox.options('microblog');
  const xConsumer = applicationOf(sandbox.options('microblog', { version: '1.0' }));
  const relay = await startRelay(sandbox.url, xConsumer);
  const stopLeading = leadToRelay(relay);
  /** @type {Given} */
  const given = {
    tiktok: applicationOf(sandbox.options('short-video')),
    x: { ...applicationOf(x), publicId: sandbox.options('microblog', { client: 'public' }).clientID },
    xConsumer,
    vk: applicationOf(sandbox.options('social-network')),
    vkId: { id: sandbox.options('social-network', { version: '2.1' }).clientID },
    relay,
  };
  /** @param {string} flow @param {Login} login */
  const attempt = async (flow, login) => {
    sandbox.reset();
    relay.drain();
    const failure = await failureOf(login, idAt(sandbox, flow));
    const { hosts, refused } = relay.drain();
    return failure === undefined ? loggedIn(sandbox, hosts) : rejected(sandbox, refused, failure);
  };
  try {
    return await rowsOf(CLIENTS, only, (client) => client.logins(given), attempt);
  } finally {
    stopLeading();
    await relay.close();
    await sandbox.close();
  }
}

/** @param {string} _flow @param {Login} login */
async function attemptAtServer(_flow, login) {
  const failure = await failureOf(login, USER);
  return { result: failure === undefined ? 'logged in' : `refused: ${failure}` };
}

/** @param {string} _flow @param {() => Promise<Finding>} check */
async function attemptCheck(_flow, check) {
  const { verdict, message, evidence } = await check();
  return { result: `${MARKS[verdict]} ${message}`, ...(evidence !== undefined && { source: evidence }) };
}

/** As the command prints verdicts. */
const MARKS = { passed: '✓', failed: '✗', unknown: '?' };

/** What is only right with a source: that someone refuses a login, that credentials are right or wrong, or that a contract differs. */
const NEEDS_SOURCE = /^(refused|different|[✓✗])/;

/**
 * @template {Package} P
 * @template T
 * @param {readonly P[]} packages
 * @param {string | undefined} only
 * @param {(given: P) => Readonly<Record<string, T>>} flowsOf
 * @param {(flow: string, run: T) => Promise<{ result: string, source?: string }>} attempt
 * @returns {Promise<Row[]>}
 */
async function rowsOf(packages, only, flowsOf, attempt) {
  /** @type {Row[]} */
  const rows = [];
  for (const given of packages) {
    const { package: name, isFromDebian = false } = given;
    if (only !== undefined && !name.includes(only)) continue;
    const version = versionOf(given);
    if (version === undefined) continue;
    for (const [flow, run] of Object.entries(flowsOf(given))) {
      const { result, source = SOURCES[result] ?? '' } = await attempt(flow, run);
      rows.push({ name, version, isFromDebian, flow, result, source });
    }
  }
  return rows.sort((a, b) => compare(a.name, b.name) || compare(a.flow, b.flow));
}

/**
 * @param {Package} given
 * @returns {string | undefined} `undefined` if it cannot run here. Then its rows stay as they are.
 * @throws {Error} instead, in CI.
 */
function versionOf({ package: name, isFromDebian, needs }) {
  const program = isFromDebian ? PYTHON : needs;
  const isMissing = program !== undefined && !existsSync(program);
  const version = isMissing ? undefined : isFromDebian ? debianVersion(name) : npmVersion(name);
  if (version !== undefined) return version;
  const text = `${name} does not run here: install Debian's ${isFromDebian ? name : basename(program ?? '')}`;
  if (process.env.CI === 'true') throw new Error(`${text}.`);
  console.log(`${text}. Its rows are not checked.`);
  return undefined;
}

/** @param {string} name */
function npmVersion(name) {
  const manifest = join(import.meta.dirname, 'node_modules', name, 'package.json');
  return String(JSON.parse(readFileSync(manifest, 'utf8')).version);
}

/** @param {string} name @returns {string | undefined} */
function debianVersion(name) {
  try {
    const line = execFileSync('dpkg-query', ['--show', name], { stdio: 'pipe' }).toString();
    return line.trim().split('	')[1];
  } catch {
    return undefined;
  }
}

/**
 * @param {Login} login
 * @param {string} id
 * @returns {Promise<string | undefined>} Why it failed; `undefined` if the user logged in.
 */
async function failureOf(login, id) {
  try {
    const late = delay(TIMEOUT_MILLISECONDS, undefined, { ref: false }).then(() => {
      throw new Error(`not finished after ${TIMEOUT_MILLISECONDS / 1_000} seconds`);
    });
    const reported = await Promise.race([login(), late]);
    return reported === id ? undefined : `reports the user ${reported}`;
  } catch (error) {
    return reasonOf(error);
  }
}

/** The innermost message of an error. @param {unknown} error @returns {string} */
function reasonOf(error) {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  // Auth.js wraps its causes.
  const inner = cause !== null && typeof cause === 'object' && 'err' in cause ? cause.err : cause;
  return inner instanceof Error ? reasonOf(inner) : error.message;
}

/** @param {import('../sandbox/lib/index.js').Sandbox} sandbox @param {readonly string[]} hosts */
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

/** @param {import('../sandbox/lib/index.js').Sandbox} sandbox @param {readonly string[]} refusedByRelay @param {string} failure */
function rejected(sandbox, refusedByRelay, failure) {
  const request = sandbox
    .requests()
    .findLast(({ refused, endpoint }) => refused !== undefined && endpoint !== 'unknown');
  const [closed] = refusedByRelay;
  if (closed !== undefined) return { result: `refused: ${closed}` };
  if (request?.refused === undefined) return { result: `refused by the client: ${failure}` };
  const { belief } = request;
  return {
    result: `refused: ${request.refused}`,
    ...(belief && { source: `${belief.mark}: ${belief.source}` }),
  };
}

/** The user's ID at the network of a flow. @param {import('../sandbox/lib/index.js').Sandbox} sandbox @param {string} flow */
function idAt({ people }, flow) {
  const person = people.find(({ id }) => id === PERSON);
  if (person === undefined) throw new Error(`The sandbox does not know ${PERSON}.`);
  if (flow.startsWith('TikTok')) return person.openId;
  return String(flow.startsWith('X') ? person.microblogId : person.socialNetworkId);
}

/** @param {{ clientID: string, clientSecret: string }} options @returns {Application} */
const applicationOf = ({ clientID, clientSecret }) => ({ id: clientID, secret: clientSecret });

async function main() {
  const { values } = parseArgs({
    options: { check: { type: 'boolean', default: false }, only: { type: 'string' } },
  });
  const { check, only } = values;
  if (!existsSync(BUILT)) throw new Error('Nothing is built: run "npm ci" or "npm run build" first.');
  const tables = {
    clients: await clientRows(only),
    servers: await rowsOf(SERVERS, only, ({ logins }) => logins, attemptAtServer),
    checks: await rowsOf(SERVERS, only, ({ checks }) => checks, attemptCheck),
    contract: only === undefined || only === 'contract' ? await contractRows() : [],
  };
  const pages = Object.entries(tables).map(([table, rows]) =>
    pageWith(/** @type {keyof typeof tables} */ (table), rows),
  );
  const rows = Object.values(tables).flat();
  for (const row of rows) console.log([row.name, row.version, row.flow, row.result].join(' | '));
  const unexplained = rows.filter(({ result, source }) => NEEDS_SOURCE.test(result) && source === '');
  for (const { name, flow, result } of unexplained) console.error(`No source: ${name}, ${flow}: ${result}`);
  if (unexplained.length > 0) process.exitCode = 1;
  if (only !== undefined) return;
  const differences = pages.flatMap((page) => page.differences);
  if (!check) {
    for (const { write } of pages) write();
    console.log('Written to interop/results.md.');
  } else if (differences.length > 0) {
    const remedy = 'If that is right, run "npm run step -- interop" and commit the page';
    console.error(`interop/results.md differs. ${remedy}:\n${differences.join('\n')}`);
    process.exitCode = 1;
  }
}

try {
  await main();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
