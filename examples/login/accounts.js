// @ts-check
import { randomUUID } from 'node:crypto';
import { and, asc, desc, eq, inArray, isNull, like, lt, notLike, or, sql } from 'drizzle-orm';
import { accounts, users } from './database/schema.js';
import { decryptTokens, encryptTokens } from './encryption.js';
import { RequestError } from './errors.js';
import { isOfSandbox, SANDBOX_PREFIX } from './networks/network.js';

/** @typedef {import('./database/open.js').Database} Database */
/** @typedef {import('./networks/network.js').Tokens} Tokens */
/** @typedef {import('./networks/network.js').Login} Login */
/** @typedef {typeof accounts.$inferSelect} Account */

/**
 * This application's users and their accounts at the networks.
 *
 * No method sends a request to a network within a transaction, because a slow network would then keep a database connection
 * from all other users.
 */
export class Accounts {
  /** @param {Database} database @param {import('./encryption.js').Cipher} cipher */
  constructor(database, cipher) {
    this.database = database;
    this.cipher = cipher;
  }

  /** Whether the account is still this user's. @param {import('./visitor.js').User} user */
  async owns({ id, accountID }) {
    const account = await this.byID(accountID);
    return account?.userID === id;
  }

  /**
   * Finds the account's user, or creates both. Never matches by e-mail address, because anyone who registers a victim's
   * address at one of the networks could sign in as the victim.
   *
   * @param {Login} login
   * @throws {RequestError} for an account at the sandbox, if the database has accounts at real networks
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
    return this.save(login, async (owner, transaction) => {
      if (owner !== undefined && owner !== userID) {
        throw new RequestError(
          409,
          'linked_elsewhere',
          'This account is linked to another user. Link it again to move it here.',
        );
      }
      await requireSameWorld(transaction, userID, login.provider);
      return userID;
    });
  }

  /**
   * Checks that a login is with an account of the user, and stores its new data.
   *
   * @param {string} userID
   * @param {Login} login
   * @throws {RequestError} if the account is new or belongs to another user
   */
  confirm(userID, login) {
    return this.save(login, async (owner) => {
      if (owner === userID) return userID;
      throw new RequestError(
        403,
        'wrong_account',
        'You signed in with an account you have not linked, so nothing was changed. Try again with one of your linked accounts.',
      );
    });
  }

  /** Finds the account of a login. @param {Login} login @returns {Promise<Account | undefined>} */
  async ofLogin(login) {
    const [account] = await this.database.select().from(accounts).where(keyOf(login));
    return account;
  }

  /** Finds an account, whoever its user is. @param {string} accountID @returns {Promise<Account | undefined>} */
  async byID(accountID) {
    const [account] = await this.database.select().from(accounts).where(eq(accounts.id, accountID));
    return account;
  }

  /**
   * Unlinks an account from its user.
   *
   * @param {string} userID
   * @param {string} accountID
   * @returns {Promise<Account>}
   * @throws {RequestError} for a user's last account, because the user could not sign in again
   */
  async unlink(userID, accountID) {
    return this.database.transaction(async (transaction) => {
      // Lock the user's row: two concurrent requests must not each count the other's account as remaining.
      await transaction.select().from(users).where(eq(users.id, userID)).for('update');
      const userAccounts = await transaction.select().from(accounts).where(eq(accounts.userID, userID));
      const account = userAccounts.find(({ id }) => id === accountID);
      if (!account) throw unknownAccount();
      if (userAccounts.length === 1) throw lastAccount();
      await transaction.delete(accounts).where(eq(accounts.id, accountID));
      return account;
    });
  }

  /**
   * Moves an account to another user. Deletes its former user if that was the only account. The caller must have proof that
   * both belong to the same person: a fresh login with the account, and one with an account of the new user.
   *
   * @param {string} accountID
   * @param {string} userID The new user
   * @returns {Promise<Account>}
   */
  async move(accountID, userID) {
    return this.database.transaction(async (transaction) => {
      const byID = eq(accounts.id, accountID);
      const [found] = await transaction.select().from(accounts).where(byID);
      if (!found) throw unknownAccount();
      const former = found.userID;
      if (former === userID) return found;
      // In one sequence for all requests, so that no two of them wait for each other.
      const bothUsers = inArray(users.id, [former, userID]);
      await transaction.select().from(users).where(bothUsers).orderBy(asc(users.id)).for('update');
      const [account] = await transaction.select().from(accounts).where(byID).for('update');
      if (account?.userID !== former) throw unknownAccount();
      await requireSameWorld(transaction, userID, account.provider);
      await transaction.update(accounts).set({ userID }).where(byID);
      const rest = await transaction.select().from(accounts).where(eq(accounts.userID, former));
      if (rest.length === 0) await transaction.delete(users).where(eq(users.id, former));
      return account;
    });
  }

  /** Deletes a user with all accounts. @param {string} userID */
  async deleteUser(userID) {
    await this.database.delete(users).where(eq(users.id, userID));
  }

  /** Lists a user's accounts in the order they were linked. @param {string} userID */
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

  /** Whether the database has accounts at real networks. It then accepts none at the sandbox. */
  hasRealAccounts() {
    return hasRealAccounts(this.database);
  }

  /**
   * Refreshes an account's tokens.
   *
   * @param {string} userID
   * @param {string} accountID
   * @param {(account: Account, tokens: Tokens) => Promise<Tokens>} request Sends the refresh request
   * @throws {RequestError} while another request uses the account's tokens
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
   * @param {(account: Account, tokens: Tokens) => Promise<unknown>} request Sends the revocation request
   * @throws {RequestError} while another request uses the account's tokens
   */
  revoke(userID, accountID, request) {
    return this.updateFromNetwork(userID, accountID, async (account, tokens) => {
      await request(account, tokens);
      return { ...(await encryptTokens(this.cipher, account, {})), expiresAt: null, revokedAt: new Date() };
    });
  }

  /**
   * Updates an account with a network's response, in three steps, so that the request happens outside of any transaction: claim
   * the account, send the request, store the result.
   *
   * @private
   * @param {string} userID
   * @param {string} accountID
   * @param {(account: Account, tokens: Tokens) => Promise<Partial<Account>>} request
   */
  async updateFromNetwork(userID, accountID, request) {
    const { account, claim } = await this.claim(userID, accountID);
    /** @type {Partial<Account>} */
    let changes = {};
    try {
      changes = await request(account, await decryptTokens(this.cipher, account));
    } finally {
      // Ends the claim after a failure, too. Changes nothing if a login has stored newer tokens meanwhile.
      const byClaim = and(eq(accounts.id, accountID), eq(accounts.claim, claim));
      await this.database
        .update(accounts)
        .set({ ...changes, ...UNCLAIMED })
        .where(byClaim);
    }
  }

  /**
   * Records in the account's row that a request uses its tokens. A refresh token works once, so no other request may send it.
   *
   * @private
   * @param {string} userID
   * @param {string} accountID
   * @returns {Promise<{ account: Account, claim: string }>}
   * @throws {RequestError} while another request has a claim
   */
  async claim(userID, accountID) {
    const claim = randomUUID();
    const byID = and(eq(accounts.userID, userID), eq(accounts.id, accountID));
    const isFree = or(isNull(accounts.claimedUntil), lt(accounts.claimedUntil, sql`now()`));
    const [account] = await this.database
      .update(accounts)
      // Longer than any request takes. The time matters only if this process is killed during the request.
      .set({ claim, claimedUntil: sql`now() + interval '1 minute'` })
      .where(and(byID, isFree))
      .returning();
    if (account) return { account, claim };
    await this.find(userID, accountID);
    throw new RequestError(
      409,
      'busy',
      'Another request is using the tokens of this account. Wait a few seconds, and reload the linked accounts.',
    );
  }

  /**
   * Inserts or updates an account with the data of a login.
   *
   * @private
   * @param {Login} login
   * @param {(owner: string | undefined, transaction: Database) => Promise<string>} chooseUser Returns the ID of the account's user
   */
  async save(login, chooseUser) {
    const { provider, network, identifier, profile, record, tokens } = login;
    const { scope = [], expiresAt = null, deviceID = null } = tokens;
    const encrypted = await encryptTokens(this.cipher, { network, identifier }, tokens);
    const data = { network, profile, record, ...encrypted, deviceID, expiresAt, scope: [...scope] };
    const columns = { ...data, signedInAt: new Date(), revokedAt: null, ...UNCLAIMED };
    return this.database.transaction(async (transaction) => {
      // Two concurrent first logins with the same account must not create two users.
      await transaction.execute(
        sql`select pg_advisory_xact_lock(hashtextextended(${`${provider} ${identifier}`}, 0))`,
      );
      if (isOfSandbox(provider) && (await hasRealAccounts(transaction))) {
        throw new RequestError(
          403,
          'sandbox_closed',
          'This application has users of real networks, so nobody can sign in through the sandbox. Choose a real network.',
        );
      }
      const [known] = await transaction.select().from(accounts).where(keyOf(login)).for('update');
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

/** Whether there is a token to revoke. @param {Account} account */
export const hasToken = ({ accessToken, oauthToken }) => accessToken !== null || oauthToken !== null;

const UNCLAIMED = { claim: null, claimedUntil: null };

/** @param {Pick<Login, 'provider' | 'identifier'>} login */
function keyOf({ provider, identifier }) {
  return and(eq(accounts.provider, provider), eq(accounts.identifier, identifier));
}

/** @param {Database} transaction */
async function createUser(transaction) {
  const [user] = await transaction.insert(users).values({}).returning();
  if (!user) throw new Error('The database created a user but did not return it.');
  return user.id;
}

/** @param {Database} database */
async function hasRealAccounts(database) {
  const isReal = notLike(accounts.provider, `${SANDBOX_PREFIX}%`);
  const found = await database.select({ id: accounts.id }).from(accounts).where(isReal).limit(1);
  return found.length > 0;
}

/**
 * Keeps accounts at the sandbox apart from accounts at real networks: anyone can sign in at the sandbox as any of its people, so
 * no user may have both.
 *
 * @param {Database} transaction
 * @param {string} userID
 * @param {string} provider Of the account that the user gets
 */
async function requireSameWorld(transaction, userID, provider) {
  const isSandbox = like(accounts.provider, `${SANDBOX_PREFIX}%`);
  const condition = and(eq(accounts.userID, userID), isSandbox);
  const found = await transaction.select({ id: accounts.id }).from(accounts).where(condition).limit(1);
  if (found.length === 0 || isOfSandbox(provider)) return;
  throw new RequestError(
    409,
    'sandbox_user',
    'You signed in through the sandbox, so an account at a real network cannot become yours. Sign out, and sign in with that account.',
  );
}

export function lastAccount() {
  return new RequestError(
    409,
    'last_account',
    'This is the only account you can sign in with. Link another account first. To move this one to another user, sign in as that user and link it there.',
  );
}

export function unknownAccount() {
  return new RequestError(404, 'unknown_account', 'You have no such account. See your linked accounts.');
}
