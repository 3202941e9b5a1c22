// accounts.ts
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Profile } from 'passport-social-networks';

/** Who logged in at a network. */
export interface Identity {
  readonly login: string;
  readonly name: string;
  /** The scopes that the user granted, if the network says so. */
  readonly scope?: string | undefined;
}

/** Provider and ID together are the key of a login. Never find an account by e-mail address. */
export function identityOf({ provider, id, displayName }: Profile<unknown>): Identity {
  return { login: `${provider}:${id}`, name: displayName };
}

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly logins: Set<string>;
}

/** Replace this with your database. The primary key of a login keeps it in one account. */
@Injectable()
export class Accounts {
  private readonly accounts = new Map<string, Account>();
  private readonly owners = new Map<string, Account>();

  find(id: string): Account | undefined {
    return this.accounts.get(id);
  }

  findOrCreate({ login, name }: Identity): Account {
    const owner = this.owners.get(login);
    if (owner) return owner;
    const account = { id: randomUUID(), name, logins: new Set<string>() };
    this.accounts.set(account.id, account);
    this.link(account, login);
    return account;
  }

  /** @returns Whether the account has the login now. `false` if the login belongs to another account. */
  link(account: Account, login: string): boolean {
    const owner = this.owners.get(login) ?? account;
    if (owner !== account) return false;
    this.owners.set(login, account);
    account.logins.add(login);
    return true;
  }
}
