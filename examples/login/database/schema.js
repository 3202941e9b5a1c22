// @ts-check
import { index, json, pgTable, text, timestamp, unique, uuid, varchar } from 'drizzle-orm/pg-core';

// After a change here: a new SQL file in database/migrations, and its line in meta/_journal.json

/** @param {string} name */
const moment = (name) => timestamp(name, { withTimezone: true });

/** The application's users. Data from the networks is in their accounts. */
export const users = pgTable('users', {
  id: uuid('id').primaryKey().defaultRandom(),
  createdAt: moment('created_at').notNull().defaultNow(),
});

/** Accounts at the networks; each belongs to one user. E-mail addresses are not keys: some networks do not verify them. */
export const accounts = pgTable(
  'accounts',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userID: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Key of the network, the same in all its versions; the sandbox has keys of its own (networks/index.js). */
    provider: text('provider').notNull(),
    /** The user's ID at the network. A string, because some IDs exceed the range of JavaScript numbers. */
    identifier: text('identifier').notNull(),
    // json stores every string that a network may send; jsonb rejects some.
    /** Name of the strategy of the last login, which the tokens belong to. */
    network: text('network').notNull(),
    profile: json('profile').$type().notNull(),
    record: json('record').$type().notNull(),
    scope: text('scope').array().notNull(),
    // The four tokens are stored encrypted only (encryption.js).
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    oauthToken: text('oauth_token'),
    oauthTokenSecret: text('oauth_token_secret'),
    /** VK ID requires it for every refresh. */
    deviceID: text('device_id'),
    expiresAt: moment('expires_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
    signedInAt: moment('signed_in_at').notNull().defaultNow(),
    revokedAt: moment('revoked_at'),
    /** The request that is using the tokens at the network, and until when it may. */
    claim: uuid('claim'),
    claimedUntil: moment('claimed_until'),
  },
  (table) => [
    unique('accounts_provider_identifier').on(table.provider, table.identifier),
    index('accounts_user_id').on(table.userID),
  ],
);

/** A string encrypted with the token key, to recognize the key at the next start. */
export const encryptionKeys = pgTable('encryption_keys', {
  purpose: text('purpose').primaryKey(),
  keyCheck: text('proof').notNull(),
});

/** The table that connect-pg-simple expects. */
export const sessions = pgTable(
  'sessions',
  {
    sid: varchar('sid').primaryKey(),
    sess: json('sess').notNull(),
    expire: moment('expire').notNull(),
  },
  (table) => [index('sessions_expire').on(table.expire)],
);
