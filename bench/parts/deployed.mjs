// Applications as they are deployed, the CPU of each application's process alone: whole logins, with the commands that Redis executes, and
// callbacks that anybody can send, as large as a server accepts them.
import { randomBytes } from 'node:crypto';
import { passportSetups } from '../clients/strategies.mjs';
import { inRounds, logInRepeatedly } from '../rounds.mjs';
import { OURS } from '../versions.mjs';

/** @typedef {import('../clients/deployment.mjs').Application} Application */

/** Logins of a process that has just started. */
const FIRST = 300;

/** Each round has a process of its own for each client. @param {import('../run.mjs').Context} context @param {{ rounds: number, logins: number, warming: number }} size */
export function measureDeployed({ deployment, addresses }, { rounds, logins, warming }) {
  const subjects = passportSetups(addresses).map((setup) => ({ ...setup, subject: [setup.network] }));
  const measure = async (/** @type {Application} */ application) => {
    /** Microseconds of CPU for each of so many logins. @param {number} count */
    const cpuOf = async (count) => {
      const before = await application.cpu();
      await logInRepeatedly(application, count);
      return ((await application.cpu()) - before) / count;
    };
    const warmingUp = await cpuOf(Math.min(FIRST, logins));
    await logInRepeatedly(application, warming);
    const before = await deployment.commands();
    const cpu = await cpuOf(logins);
    /** @type {Record<string, number>} */
    const counts = { get: 0, set: 0, expire: 0, del: 0 };
    for (const [name, count] of Object.entries(await deployment.commands()))
      counts[name] = (count - (before[name] ?? 0)) / logins;
    const commands = Object.values(counts).reduce((total, count) => total + count, 0);
    return { ...counts, commands, warmingUp, cpu };
  };
  return inRounds(subjects, rounds, (setup) => deployment.run(setup, measure), {
    deadline: 600_000,
  });
}

/** Characters. The strategies read no longer parameter. */
const LONGEST_PARAMETER = 8_192;
/** Bytes. Node's server accepts 16 kB of headers, the path among them. */
const ROOM = 14_500;

/** @typedef {{ state: string, query: Record<string, string>, cookies: [name: string, value: string][] }} Login - One that has begun; `query` would finish it. */
/** @typedef {{ query: string, cookies: [name: string, value: string][] }} Callback */
/** @typedef {(login: Login) => Callback} Make */

/** Texts that could be expensive to copy, to search or to decode, in a query as they are. @type {((state: string) => string)[]} */
const TEXTS = [
  () => 'a'.repeat(LONGEST_PARAMETER),
  () => randomBytes(LONGEST_PARAMETER).toString('base64url').slice(0, LONGEST_PARAMETER),
  // Almost what a search for the state finds.
  (state) => state.slice(0, -1).repeat(LONGEST_PARAMETER).slice(0, LONGEST_PARAMETER),
  () => '%F0%9F%98%80'.repeat(ROOM / 12),
];

/** The login's callback with some parameters replaced. @param {Login} login @param {Record<string, string>} parameters @returns {Callback} */
const replaced = ({ query, cookies }, parameters) => ({
  query: Object.entries({ ...query, ...parameters })
    .map(([name, value]) => `${name}=${value}`)
    .join('&'),
  cookies,
});

/** The names of OAuth 1.0a if the login has them. @param {Login} login */
const namesOf = ({ query }) =>
  'oauth_token' in query
    ? { state: 'oauth_token', code: 'oauth_verifier' }
    : { state: 'state', code: 'code' };

/** Of a login that this browser has not begun. @param {Login} login @param {Record<string, string>} parameters */
const unknown = (login, parameters) =>
  replaced(login, { [namesOf(login).state]: `${login.state.slice(1)}A`, ...parameters });

/** @param {(login: Login, text: string) => Callback} make @returns {Make[]} */
const withTexts = (make) => TEXTS.map((text) => (login) => make(login, text(login.state)));

/** As many as there is room for. @param {(index: number) => string} make @param {string} separator */
function many(make, separator) {
  const parts = [];
  for (let bytes = 0; bytes < ROOM; bytes += (parts.at(-1)?.length ?? 0) + separator.length) {
    parts.push(make(parts.length));
  }
  return parts.slice(0, -1).join(separator);
}

/** As a whole, the text of a `Cookie` header. @param {string} text @returns {[name: string, value: string][]} */
const cookiesIn = (text) => [[text.split('=', 1)[0] ?? '', text.slice(text.indexOf('=') + 1)]];

/** By the head of their column: what is long or many in the callback. The most expensive one of a kind counts. @type {Record<string, Make[]>} */
export const CALLBACKS = {
  nothing: [({ cookies }) => ({ query: '', cookies })],
  state: withTexts((login, text) => replaced(login, { [namesOf(login).state]: text })),
  code: withTexts((login, text) => unknown(login, { [namesOf(login).code]: text })),
  error: withTexts((login, text) => unknown(login, { error: text })),
  error_description: withTexts((login, text) =>
    unknown(login, { error: 'access_denied', error_description: text }),
  ),
  parameters: [
    ({ cookies }) => ({ query: many((index) => `p${index}=`, '&'), cookies }),
    ({ cookies, state }) => ({ query: many((index) => `state=${state}${index}`, '&'), cookies }),
  ],
  cookies: [
    (login) => ({ ...unknown(login, {}), cookies: cookiesIn(many((index) => `c${index}=1`, '; ')) }),
    // The value cannot be decrypted, or there are many that could be the login's.
    (login) => ({
      ...replaced(login, {}),
      cookies: login.cookies.map(([name, value]) => [name, value.repeat(200).slice(0, 5_000)]),
    }),
    (login) => ({
      ...unknown(login, {}),
      cookies: cookiesIn(
        many((index) => {
          const [[name, value] = ['c', '1']] = login.cookies;
          return `${name.slice(0, -4)}${String(index).padStart(4, '0')}=${value}`;
        }, '; '),
      ),
    }),
  ],
  'error_description of a pending login': withTexts((login, text) => {
    const { [namesOf(login).code]: _, ...query } = login.query;
    return replaced({ ...login, query }, { error: 'access_denied', error_description: text });
  }),
};

/** @param {import('../run.mjs').Context} context @param {{ rounds: number, callbacks: number }} size */
export function measureAnonymous({ deployment, addresses }, { rounds, callbacks }) {
  const subjects = passportSetups(addresses)
    .filter(({ client }) => client === OURS)
    .map((setup) => ({ ...setup, subject: [setup.network] }));
  const measure = async (/** @type {Application} */ application) => {
    /** @type {Record<string, number>} */
    const figures = {};
    for (const [name, makes] of Object.entries(CALLBACKS)) {
      const costs = [];
      for (const make of makes) costs.push(await costOf(application, make, callbacks));
      figures[name] = Math.max(...costs);
    }
    return figures;
  };
  return inRounds(subjects, rounds, (setup) => deployment.run(setup, measure), { deadline: 300_000 });
}

/** Microseconds of CPU for one callback. @param {Application} application @param {Make} make @param {number} times */
async function costOf(application, make, times) {
  const prepared = [];
  while (prepared.length < times) {
    const browser = application.newBrowser();
    const query = Object.fromEntries(await application.start(browser));
    const cookies = browser
      .cookies()
      .map(({ name, value }) => /** @type {[string, string]} */ ([name, value]));
    prepared.push(make({ cookies, query, state: query.state ?? query.oauth_token ?? '' }));
  }
  const before = await application.cpu();
  for (const { cookies, query } of prepared) {
    const { status } = await application.callback(application.newBrowser(cookies), query);
    if (status === 431 || status === 200) throw new Error(`a callback ended with HTTP ${status}`);
  }
  return ((await application.cpu()) - before) / times;
}
