// `npm run step -- peers`: asks every package the same questions, prints what it saw, and writes results.md.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { Browser } from 'passport-social-networks-sandbox';
import { networkOf, optionsOf, SUBJECTS } from '../clients/strategies.mjs';
import { agreeing } from '../network/networks.mjs';
import { callOf, respond } from '../network/stub.mjs';
import { listen, startProcess } from '../processes.mjs';
import { markdown, writeSection } from '../report/report.mjs';
import { failureText } from '../rounds.mjs';
import { OURS, versionOf } from '../versions.mjs';

/** @typedef {import('../clients/strategies.mjs').Subject} Subject */
/** A login that was started, and the authorization URL to which it was sent. @typedef {{ browser: Browser, location: string }} Login */
/** What a question sees: an application with one strategy, its name, and the network that it asks. @typedef {Awaited<ReturnType<typeof startWorld>>} World */
/** `seen`: why the answer is no. `undefined` if the network or its protocol has no such thing. @typedef {{ answer: 'yes' | 'no', seen?: string } | undefined} Verdict */

/** Milliseconds that a person waits for a page. The strategies of this package wait ten seconds for a network. */
const PATIENCE = 15_000;
const PAGE = join(import.meta.dirname, 'results.md');

/** @param {unknown} isYes @param {string} seen @returns {Verdict} */
const verdict = (isYes, seen) => (isYes ? { answer: 'yes' } : { answer: 'no', seen });

/** By the head of its column. @type {Readonly<Record<string, (world: World) => Promise<Verdict>>>} */
const QUESTIONS = {
  'sends state': async ({ facts, begin }) => {
    if (facts.protocol === 'oauth1') return undefined;
    const [one, other] = [await begin(), await begin()].map(({ location }) => parameter(location, 'state'));
    return verdict(one && one !== other, one ? 'the same for two logins' : 'none');
  },
  'sends PKCE': async ({ facts, begin }) => {
    if (facts.pkce === 'none') return undefined;
    const { location } = await begin();
    const method = parameter(location, 'code_challenge_method');
    return verdict(parameter(location, 'code_challenge') && method === 'S256', 'no challenge, or not S256');
  },
  'rejects a planted login link': async ({ begin, callbackOf, visit }) => {
    // The attacker's login, begun in the attacker's browser, and its callback opened by somebody else.
    const { user, status } = await visit(new Browser(), callbackOf(await begin(), 'eve'));
    return verdict(user === undefined, `HTTP ${status}, and somebody is logged in as the attacker`);
  },
  'three tabs, in any order': async ({ begin, callbackOf, visit }) => {
    for (const order of ORDERS) {
      const browser = new Browser();
      const tabs = [await begin(browser), await begin(browser), await begin(browser)];
      for (const tab of order) {
        const login = /** @type {Login} */ (tabs[Number(tab)]);
        const { user, status, text } = await visit(browser, callbackOf(login));
        if (!user) return verdict(false, `tab ${tab} of ${order}: HTTP ${status} ${text.slice(0, 80)}`);
      }
    }
    return verdict(true, '');
  },
  'answers if the network is silent': async ({ network, begin, callbackOf, visit }) => {
    const { browser, ...login } = await begin();
    network.isSilent = true;
    const begun = performance.now();
    const { status } = await visit(browser, callbackOf({ browser, ...login })).catch(() => ({ status: 0 }));
    network.isSilent = false;
    const seconds = Math.round((performance.now() - begun) / 1_000);
    return verdict(status !== 0, `no answer within ${seconds} seconds`);
  },
};

/** The orders in which three tabs can finish. */
const ORDERS = ['012', '021', '102', '120', '201', '210'];

/** @param {string} location @param {string} name */
const parameter = (location, name) => new URL(location).searchParams.get(name) ?? '';

/** The network on this machine, which is silent when it is told so. */
async function startNetwork() {
  const network = { isSilent: false, origin: '', close: () => server.closeAllConnections() };
  const server = createServer(async (request, response) => {
    const call = await callOf(request);
    if (!network.isSilent) respond(response, call);
  });
  network.origin = `http://127.0.0.1:${await listen(server.unref())}`;
  return network;
}

/** @param {Subject} subject */
async function startWorld(subject) {
  const network = await startNetwork();
  const facts = networkOf(subject);
  const { origin: token } = network;
  const settings = {
    subject: subject.id,
    options: optionsOf(subject, { token, api: token }, {}),
    ...(subject.fixed && { led: { [subject.fixed]: `${token}${facts.paths.profile}` } }),
  };
  const env = { NO_COLOR: '1', NODE_ENV: 'development' };
  const { ports, stop } = await startProcess(
    'clients/application.mjs',
    [JSON.stringify(settings)],
    env,
    () => {},
  );
  const { origin, refused } = ports;
  if (refused) throw new Error(refused);
  /** Opens a page of the application: the callback, from the network's site, unless it is the start. @param {Browser} browser @param {string} url @param {'none' | 'cross-site'} [from] */
  const visit = async (browser, url, from = 'cross-site') => {
    const signal = AbortSignal.timeout(PATIENCE);
    const { response, location } = await browser.visit(url, { from, signal });
    const text = await response.text();
    const isJSON = response.headers.get('content-type')?.includes('json') === true;
    return { status: response.status, location, text, user: isJSON ? JSON.parse(text).user : undefined };
  };
  return {
    network,
    facts,
    visit,
    /** @param {Browser} [browser] @returns {Promise<Login>} */
    begin: async (browser = new Browser()) => {
      const { location, status, text } = await visit(browser, `${origin}/login`, 'none');
      if (!location) throw new Error(`a login began with HTTP ${status} ${text.slice(0, 200)}`);
      return { browser, location };
    },
    /** The URL with which the network sends the browser back. @param {Login} login @param {string} [person] */
    callbackOf: ({ location }, person = 'alice') =>
      `${origin}/callback?${new URLSearchParams(agreeing(facts, location, person)).toString()}`,
    close() {
      stop();
      network.close();
    },
  };
}

/** Asks one package everything. @param {Subject} subject @returns {Promise<Verdict[]>} @throws {Error} when an ordinary login fails: then no answer would mean anything. */
async function ask(subject) {
  /** @type {Verdict[]} */
  const verdicts = [];
  for (const question of Object.values(QUESTIONS)) {
    const world = await startWorld(subject);
    try {
      const login = await world.begin();
      const { user, status, text } = await world.visit(login.browser, world.callbackOf(login));
      if (!user) throw new Error(`an ordinary login ended with HTTP ${status} ${text.slice(0, 200)}`);
      verdicts.push(await question(world));
    } finally {
      world.close();
    }
  }
  return verdicts;
}

/** Where the types of a package are. @param {string} name */
function typesOf(name) {
  const folder = join(dirname(import.meta.dirname), 'node_modules', name);
  const { types, typings, main = '' } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const declarations = join(folder, main.replace(/\.js$/, ''));
  if (types ?? typings ?? existsSync(`${declarations}.d.ts`)) return 'own';
  const { stdout } = spawnSync('npm', ['view', `@types/${name}`, 'version', '--json'], { encoding: 'utf8' });
  const answer = JSON.parse(stdout);
  if (typeof answer !== 'string' && answer.error.code !== 'E404') throw new Error(answer.error.summary);
  return typeof answer === 'string' ? `\`@types/${name}\`` : 'none';
}

/** @param {Subject} subject @param {Verdict[]} verdicts */
function cellsOf(subject, verdicts) {
  const { package: name, network, settings = 'README', source = '' } = subject;
  const { released = 'not yet in the registry' } = subject;
  const isOurs = name === OURS;
  return [
    isOurs ? `${name}, ${network}` : `${name} ${versionOf(name)}`,
    ...verdicts.map((one) => one?.answer ?? '-'),
    isOurs ? 'own' : typesOf(name),
    released,
    settings,
    source,
  ];
}

try {
  // All at once: most of the time is spent waiting.
  const answers = await Promise.all(
    SUBJECTS.map((subject) =>
      ask(subject).catch((error) => {
        throw new Error(`${subject.id}: ${failureText(error)}`, { cause: error });
      }),
    ),
  );
  const rows = SUBJECTS.map((subject, column) => {
    const verdicts = answers[column] ?? [];
    for (const [index, head] of Object.keys(QUESTIONS).entries()) {
      const { answer, seen } = verdicts[index] ?? {};
      if (answer === 'no') console.log(`${subject.id}: ${head}: no, ${seen}`);
    }
    return cellsOf(subject, verdicts);
  });
  const heads = ['package', ...Object.keys(QUESTIONS), 'types', 'last release', 'settings', 'source'];
  const others = ['passport', 'express', 'express-session'].map((name) => `${name} ${versionOf(name)}`);
  const date = new Date().toISOString().slice(0, 10);
  const about = `Asked on ${date}, version ${versionOf()}, with Node ${process.versions.node}, ${others.join(', ')}.`;
  const text = `${about}\n\n${markdown(heads, rows)}`;
  console.log(`\n${text}`);
  writeSection(PAGE, 'peers', text);
} catch (error) {
  console.error(`peers: ${failureText(error)}`);
  process.exitCode = 1;
}
