// @ts-check
// Accounts in memory of the examples for Express, Koa and Fastify; use your database instead.

/** @typedef {{ provider: string, id: string, displayName: string }} Login What verify returns: a user of one network */

/** Two networks can have the same ID by chance, so the key of a login has both. @param {object} login */
export function keyOf(login) {
  const { provider, id } = /** @type {Login} */ (login);
  return `${provider}:${id}`;
}

export class Accounts {
  /**
   * Key of a login -> its account, which is the first login that the account had.
   *
   * @type {Map<string, object>}
   */
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

  /**
   * Links a login to an account. Never moves a login from one account to another.
   *
   * @param {string} key Key of the account
   * @param {object} login
   * @returns {string | undefined} The reason why it cannot
   */
  link(key, login) {
    const account = this.owners.get(key);
    if (!account) return 'This account does not exist.';
    if ((this.owners.get(keyOf(login)) ?? account) !== account)
      return 'This login belongs to another account.';
    this.owners.set(keyOf(login), account);
    return undefined;
  }
}

/** The forms that link another login. Linking changes an account, so it begins with a form. @param {readonly string[]} names */
export function linkForms(names) {
  return names
    .map((name) => `<form method="post" action="/link/${name}"><button>Link ${name}</button></form>`)
    .join('');
}
