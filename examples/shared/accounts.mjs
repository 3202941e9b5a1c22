// @ts-check
// What the examples for Express, Koa and Fastify share: accounts in memory (use your database instead), pages, and the response to an error.

/** @typedef {{ provider: string, id: string, displayName: string }} Login What verify returns: a user of one network */

/** Two networks can have the same ID by chance, so the key of a login has both. @param {object} login */
export function keyOf(login) {
  const { provider, id } = /** @type {Login} */ (login);
  return `${provider}:${id}`;
}

export class Accounts {
  /** Key of a login -> its account, which is the first login that the account had. @type {Map<string, object>} */
  owners = new Map();

  /** Returns the account of a login. @param {string} key */
  find(key) {
    return this.owners.get(key);
  }

  /** Returns the account of a login, and creates the account if there is none. @param {object} login */
  findOrCreate(login) {
    const account = this.owners.get(keyOf(login)) ?? login;
    this.owners.set(keyOf(login), account);
    return account;
  }

  /** Never moves a login from one account to another. @param {string} key Key of the account @param {object} login @returns {string | undefined} Why it cannot link */
  link(key, login) {
    const account = this.owners.get(key);
    if (!account) return 'This account does not exist.';
    if ((this.owners.get(keyOf(login)) ?? account) !== account)
      return 'This login belongs to another account.';
    this.owners.set(keyOf(login), account);
    return undefined;
  }

  /**
   * The account to sign in, or why nothing changes. Only the state of a login, which was encrypted in a cookie, tells a link from a login.
   *
   * @param {object | undefined | null} user Who is signed in
   * @param {object} login @param {unknown} info What Passport says of it
   * @returns {{ account?: object, problem?: string | undefined }}
   */
  settle(user, login, info) {
    const { state } = /** @type {{ state?: string }} */ (info ?? {});
    // A login that began before must not change who is signed in.
    if (state === undefined) return user ? {} : { account: this.findOrCreate(login) };
    const isSameUser = user && keyOf(user) === state;
    return { problem: isSameUser ? this.link(state, login) : 'Somebody else has logged in since.' };
  }
}

/** @param {readonly { name: string }[]} strategies */
export const signInLinks = (strategies) =>
  strategies.map(({ name }) => `<p><a href="/api/auth/signin/${name}">${name}</a></p>`).join('');

/** Linking changes an account, so it begins with a form. @param {readonly { name: string }[]} strategies */
export const linkForms = (strategies) =>
  strategies
    .map(({ name }) => `<form method="post" action="/link/${name}"><button>Link ${name}</button></form>`)
    .join('');

/** What users see of an error. Its message is for developers, unless it says otherwise. @param {any} error */
export const problemOf = ({ status = 500, message, code, expose }) => ({
  status: Number(status),
  body: { message: expose ? message : 'The login could not be finished. Please try again.', code },
});
