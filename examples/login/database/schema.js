// @ts-check
import { index, json, pgTable, text, timestamp, unique, uuid, varchar } from 'drizzle-orm/pg-core';

// After a change here: npx drizzle-kit generate --dialect postgresql --schema database/schema.js --out database/migrations

/** @param {string} name */
const moment = (name) => timestamp(name, { withTimezone: true });

/** The people of this application. What a network says about somebody is in their accounts. */
export const users = pgTable('users', {
  id: uuid('id').primaryKey().defaultRandom(),
  createdAt: moment('created_at').notNull().defaultNow(),
});

/** Accounts at the networks, each of one user. The e-mail address is no key: at some networks nobody has confirmed it. */
export const accounts = pgTable(
  'accounts',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userID: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Name of the strategy. */
    provider: text('provider').notNull(),
    /** The person at the network, exact text: these are no numbers that software could hold. */
    identifier: text('identifier').notNull(),
    // json keeps every text that a network may send; jsonb refuses some of them.
    profile: json('profile').$type().notNull(),
    record: json('record').$type().notNull(),
    scope: text('scope').array().notNull(),
    // The four tokens are sealed (encryption.js); none of them is ever stored as it is.
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    oauthToken: text('oauth_token'),
    oauthTokenSecret: text('oauth_token_secret'),
    /** VK ID wants it back for every refresh. */
    deviceID: text('device_id'),
    expiresAt: moment('expires_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
    signedInAt: moment('signed_in_at').notNull().defaultNow(),
    revokedAt: moment('revoked_at'),
  },
  (table) => [
    unique('accounts_provider_identifier').on(table.provider, table.identifier),
    index('accounts_user_id').on(table.userID),
  ],
);

/** Which key the tokens are sealed with: a text that only this key opens. */
export const encryptionKeys = pgTable('encryption_keys', {
  purpose: text('purpose').primaryKey(),
  proof: text('proof').notNull(),
});

/** What connect-pg-simple wants to find. */
export const sessions = pgTable(
  'sessions',
  {
    sid: varchar('sid').primaryKey(),
    sess: json('sess').notNull(),
    expire: moment('expire').notNull(),
  },
  (table) => [index('sessions_expire').on(table.expire)],
);
