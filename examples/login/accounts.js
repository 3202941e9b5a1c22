// @ts-check
import { and, asc, desc, eq, sql } from 'drizzle-orm';
import { accounts, users } from './database/schema.js';
import { Refusal } from './refusal.js';
import { openTokens, sealTokens } from './sealed-tokens.js';

/** @typedef {import('./database/open.js').Database} Database */
/** @typedef {import('./networks/network.js').Tokens} Tokens */
/** @typedef {import('./networks/network.js').Login} Login */
/** @typedef {typeof accounts.$inferSelect} Account */

/** The users of this application and their accounts at the networks. */
export class Accounts {
  /**
   * @param {Database} database
   * @param {import('./encryption.js').Vault} vault
   */
  constructor(database, vault) {
    this.database = database;
    this.vault = vault;
  }

  /** @param {string} userID */
  async hasUser(userID) {
    const found = await this.database.select().from(users).where(eq(users.id, userID));
    return found.length > 0;
  }

  /**
   * Finds the user whose account it is, or creates both. Never looks at e-mail addresses: whoever gets somebody's address
   * into any one of the networks would get their user here.
   *
   * @param {Login} login
   */
  signIn(login) {
    return this.keep(login, async (owner, transaction) => owner ?? createUser(transaction));
  }

  /**
   * Adds an account to a user who is signed in.
   *
   * @param {string} userID
   * @param {Login} login
   * @throws {Refusal} when it is another user's
   */
  link(userID, login) {
    return this.keep(login, async (owner) => {
      if (owner === undefined || owner === userID) return userID;
      throw new Refusal(
        409,
        'linked_elsewhere',
        'This account belongs to another user here. Sign in with it and unlink it there first, or link a different one.',
      );
    });
  }

  /**
   * Takes an account off its user.
   *
   * @param {string} userID
   * @param {string} accountID
   * @throws {Refusal} for the last one: nobody could sign in as this user any more
   */
  async unlink(userID, accountID) {
    await this.database.transaction(async (transaction) => {
      // Two accounts that are unlinked at the same moment must not both count the other one.
      await transaction.select().from(users).where(eq(users.id, userID)).for('update');
      const own = await transaction.select().from(accounts).where(eq(accounts.userID, userID));
      if (!own.some(({ id }) => id === accountID)) throw unknownAccount();
      if (own.length === 1) {
        throw new Refusal(
          409,
          'last_account',
          'This is your only account, and without one you could not sign in again. Link another one first.',
        );
      }
      await transaction.delete(accounts).where(eq(accounts.id, accountID));
    });
  }

  /**
   * A user's accounts, in the order in which they were linked.
   *
   * @param {string} userID
   */
  list(userID) {
    const own = eq(accounts.userID, userID);
    return this.database.select().from(accounts).where(own).orderBy(asc(accounts.createdAt));
  }

  /**
   * One of a user's accounts; without an identifier the one that was signed in with last.
   *
   * @param {string} userID
   * @param {string} [accountID]
   * @throws {Refusal} when the user has no such account
   */
  async find(userID, accountID) {
    const isMeant = accountID === undefined ? undefined : eq(accounts.id, accountID);
    const own = and(eq(accounts.userID, userID), isMeant);
    const found = this.database.select().from(accounts).where(own).orderBy(desc(accounts.signedInAt));
    const [account] = await found.limit(1);
    if (!account) throw unknownAccount();
    return account;
  }

  /**
   * Renews an account's tokens.
   *
   * @param {string} userID
   * @param {string} accountID
   * @param {(account: Account, tokens: Tokens) => Promise<Tokens>} ask Asks the network
   */
  refresh(userID, accountID, ask) {
    return this.exchange(userID, accountID, async (account, tokens) => {
      const { scope = account.scope, expiresAt = null, ...renewed } = await ask(account, tokens);
      return { ...(await sealTokens(this.vault, account, renewed)), scope: [...scope], expiresAt };
    });
  }

  /**
   * Ends an account's tokens and forgets them. The account stays linked.
   *
   * @param {string} userID
   * @param {string} accountID
   * @param {(account: Account, tokens: Tokens) => Promise<void>} ask Asks the network
   */
  revoke(userID, accountID, ask) {
    return this.exchange(userID, accountID, async (account, tokens) => {
      await ask(account, tokens);
      return { ...(await sealTokens(this.vault, account, {})), expiresAt: null, revokedAt: new Date() };
    });
  }

  /**
   * Changes an account by what a network answers. The row is locked until the answer is kept: a refresh token works once,
   * and whoever comes second has to wait for the new one.
   *
   * @private
   * @param {string} userID
   * @param {string} accountID
   * @param {(account: Account, tokens: Tokens) => Promise<Partial<Account>>} ask
   */
  async exchange(userID, accountID, ask) {
    await this.database.transaction(async (transaction) => {
      const isMeant = and(eq(accounts.userID, userID), eq(accounts.id, accountID));
      const [account] = await transaction.select().from(accounts).where(isMeant).for('update');
      if (!account) throw unknownAccount();
      const changes = await ask(account, await openTokens(this.vault, account));
      await transaction.update(accounts).set(changes).where(isMeant);
    });
  }

  /**
   * Keeps what a network said about an account, new or known.
   *
   * @private
   * @param {Login} login
   * @param {(owner: string | undefined, transaction: Database) => Promise<string>} decide Says whose account it is to be
   */
  async keep({ provider, identifier, profile, record, tokens }, decide) {
    const { scope = [], expiresAt = null, deviceID = null } = tokens;
    const sealed = await sealTokens(this.vault, { provider, identifier }, tokens);
    const kept = { profile, record, ...sealed, deviceID, expiresAt, scope: [...scope] };
    const facts = { ...kept, signedInAt: new Date(), revokedAt: null };
    return this.database.transaction(async (transaction) => {
      // Two first logins of one person at the same moment must not make two users.
      await transaction.execute(
        sql`select pg_advisory_xact_lock(hashtextextended(${`${provider} ${identifier}`}, 0))`,
      );
      const key = and(eq(accounts.provider, provider), eq(accounts.identifier, identifier));
      const [known] = await transaction.select().from(accounts).where(key).for('update');
      const userID = await decide(known?.userID, transaction);
      const row = { ...facts, provider, identifier, userID };
      const [account] = await transaction
        .insert(accounts)
        .values(row)
        .onConflictDoUpdate({ target: [accounts.provider, accounts.identifier], set: facts })
        .returning();
      if (!account) throw new Error('The database kept an account and did not return it.');
      return account;
    });
  }
}

/** @param {Database} transaction */
async function createUser(transaction) {
  const [user] = await transaction.insert(users).values({}).returning();
  if (!user) throw new Error('The database made a user and did not return it.');
  return user.id;
}

function unknownAccount() {
  return new Refusal(404, 'unknown_account', 'You have no such account here. See your linked accounts.');
}
