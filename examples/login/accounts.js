// @ts-check
import { and, asc, desc, eq, sql } from 'drizzle-orm';
import { accounts, users } from './database/schema.js';
import { RequestError } from './request-error.js';
import { decryptTokens, encryptTokens } from './token-encryption.js';

/** @typedef {import('./database/open.js').Database} Database */
/** @typedef {import('./networks/network.js').Tokens} Tokens */
/** @typedef {import('./networks/network.js').Login} Login */
/** @typedef {typeof accounts.$inferSelect} Account */

/** This application's users and their accounts at the networks. */
export class Accounts {
  /**
   * @param {Database} database
   * @param {import('./encryption.js').Cipher} cipher
   */
  constructor(database, cipher) {
    this.database = database;
    this.cipher = cipher;
  }

  /** @param {string} userID */
  async hasUser(userID) {
    const found = await this.database.select().from(users).where(eq(users.id, userID));
    return found.length > 0;
  }

  /**
   * Finds the account's user, or creates both. Never matches by e-mail address, because anyone who registers a victim's
   * address at one of the networks could sign in as the victim.
   *
   * @param {Login} login
   */
  signIn(login) {
    return this.save(login, async (owner, transaction) => owner ?? createUser(transaction));
  }

  /**
   * Adds an account to a user who is signed in.
   *
   * @param {string} userID
   * @param {Login} login
   * @throws {RequestError} if the account belongs to another user
   */
  link(userID, login) {
    return this.save(login, async (owner) => {
      if (owner === undefined || owner === userID) return userID;
      throw new RequestError(
        409,
        'linked_elsewhere',
        'This account is linked to another user. Sign in with it and unlink it first, or link a different account.',
      );
    });
  }

  /**
   * Unlinks an account from its user.
   *
   * @param {string} userID
   * @param {string} accountID
   * @throws {RequestError} for a user's last account, because the user could not sign in again
   */
  async unlink(userID, accountID) {
    await this.database.transaction(async (transaction) => {
      // Lock the user's row: two concurrent requests must not each count the other's account as remaining.
      await transaction.select().from(users).where(eq(users.id, userID)).for('update');
      const userAccounts = await transaction.select().from(accounts).where(eq(accounts.userID, userID));
      if (!userAccounts.some(({ id }) => id === accountID)) throw unknownAccount();
      if (userAccounts.length === 1) {
        throw new RequestError(
          409,
          'last_account',
          'This is your only account, and you need one to sign in. Link another account first.',
        );
      }
      await transaction.delete(accounts).where(eq(accounts.id, accountID));
    });
  }

  /**
   * Lists a user's accounts in the order they were linked.
   *
   * @param {string} userID
   */
  list(userID) {
    const byUser = eq(accounts.userID, userID);
    return this.database.select().from(accounts).where(byUser).orderBy(asc(accounts.createdAt));
  }

  /**
   * Finds one of a user's accounts. Without an ID, the one last used to sign in.
   *
   * @param {string} userID
   * @param {string} [accountID]
   * @throws {RequestError} if the user has no such account
   */
  async find(userID, accountID) {
    const byID = accountID === undefined ? undefined : eq(accounts.id, accountID);
    const condition = and(eq(accounts.userID, userID), byID);
    const found = this.database.select().from(accounts).where(condition).orderBy(desc(accounts.signedInAt));
    const [account] = await found.limit(1);
    if (!account) throw unknownAccount();
    return account;
  }

  /**
   * Refreshes an account's tokens.
   *
   * @param {string} userID
   * @param {string} accountID
   * @param {(account: Account, tokens: Tokens) => Promise<Tokens>} request Sends the refresh request
   */
  refresh(userID, accountID, request) {
    return this.updateFromNetwork(userID, accountID, async (account, tokens) => {
      const { scope = account.scope, expiresAt = null, ...renewed } = await request(account, tokens);
      return { ...(await encryptTokens(this.cipher, account, renewed)), scope: [...scope], expiresAt };
    });
  }

  /**
   * Revokes and deletes an account's tokens. The account stays linked.
   *
   * @param {string} userID
   * @param {string} accountID
   * @param {(account: Account, tokens: Tokens) => Promise<void>} request Sends the revocation request
   */
  revoke(userID, accountID, request) {
    return this.updateFromNetwork(userID, accountID, async (account, tokens) => {
      await request(account, tokens);
      return { ...(await encryptTokens(this.cipher, account, {})), expiresAt: null, revokedAt: new Date() };
    });
  }

  /**
   * Updates an account with a network's response. The row stays locked until the response is stored: a refresh token works
   * once, so a concurrent request must wait for the new one.
   *
   * @private
   * @param {string} userID
   * @param {string} accountID
   * @param {(account: Account, tokens: Tokens) => Promise<Partial<Account>>} request
   */
  async updateFromNetwork(userID, accountID, request) {
    await this.database.transaction(async (transaction) => {
      const byID = and(eq(accounts.userID, userID), eq(accounts.id, accountID));
      const [account] = await transaction.select().from(accounts).where(byID).for('update');
      if (!account) throw unknownAccount();
      const changes = await request(account, await decryptTokens(this.cipher, account));
      await transaction.update(accounts).set(changes).where(byID);
    });
  }

  /**
   * Inserts or updates an account with the data of a login.
   *
   * @private
   * @param {Login} login
   * @param {(owner: string | undefined, transaction: Database) => Promise<string>} chooseUser Returns the ID of the account's user
   */
  async save({ provider, identifier, profile, record, tokens }, chooseUser) {
    const { scope = [], expiresAt = null, deviceID = null } = tokens;
    const encrypted = await encryptTokens(this.cipher, { provider, identifier }, tokens);
    const data = { profile, record, ...encrypted, deviceID, expiresAt, scope: [...scope] };
    const columns = { ...data, signedInAt: new Date(), revokedAt: null };
    return this.database.transaction(async (transaction) => {
      // Two concurrent first logins with the same account must not create two users.
      await transaction.execute(
        sql`select pg_advisory_xact_lock(hashtextextended(${`${provider} ${identifier}`}, 0))`,
      );
      const key = and(eq(accounts.provider, provider), eq(accounts.identifier, identifier));
      const [known] = await transaction.select().from(accounts).where(key).for('update');
      const userID = await chooseUser(known?.userID, transaction);
      const row = { ...columns, provider, identifier, userID };
      const [account] = await transaction
        .insert(accounts)
        .values(row)
        .onConflictDoUpdate({ target: [accounts.provider, accounts.identifier], set: columns })
        .returning();
      if (!account) throw new Error('The database stored an account but did not return it.');
      return account;
    });
  }
}

/** @param {Database} transaction */
async function createUser(transaction) {
  const [user] = await transaction.insert(users).values({}).returning();
  if (!user) throw new Error('The database created a user but did not return it.');
  return user.id;
}

function unknownAccount() {
  return new RequestError(404, 'unknown_account', 'You have no such account. See your linked accounts.');
}
