import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type * as AccountsModule from '../../../examples/login/accounts.js';
import type * as DataFolderModule from '../../../examples/login/data-folder.js';
import type * as DatabaseModule from '../../../examples/login/database/open.js';
import type * as EncryptionModule from '../../../examples/login/encryption.js';
import type { Login } from '../../../examples/login/networks/network.js';
import type * as SettingsModule from '../../../examples/login/settings.js';
import { FOLDER } from './app.js';

/** Where the accounts are: a data folder, and a PostgreSQL server if there is one. */
export interface Location {
  readonly path: string;
  readonly url?: string;
}

/** The accounts without the rest of the application. */
export interface OpenedAccounts extends DatabaseModule.OpenedDatabase {
  readonly accounts: AccountsModule.Accounts;
}

export async function openAccounts({ path, url }: Location): Promise<OpenedAccounts> {
  const { Accounts } = await load<typeof AccountsModule>('accounts.js');
  const { DataFolder } = await load<typeof DataFolderModule>('data-folder.js');
  const { openDatabase } = await load<typeof DatabaseModule>('database/open.js');
  const { Cipher } = await load<typeof EncryptionModule>('encryption.js');
  const { readSettings } = await load<typeof SettingsModule>('settings.js');
  const settings = readSettings({ DATA_FOLDER: path, ...(url !== undefined && { DATABASE_URL: url }) });
  const opened = await openDatabase(settings, await DataFolder.open(path));
  return { ...opened, accounts: new Accounts(opened.database, new Cipher(randomBytes(32))) };
}

/** A login at the microblog network. */
export function loginOf(identifier: string, provider = 'microblog'): Login {
  return {
    provider,
    network: 'microblog',
    identifier,
    profile: { displayName: 'Anna' },
    record: {},
    tokens: { accessToken: 'old', refreshToken: 'old' },
    tokenFields: [],
  };
}

function load<T>(name: string): Promise<T> {
  return import(join(FOLDER, name)) as Promise<T>;
}
