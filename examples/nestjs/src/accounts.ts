import { Injectable } from '@nestjs/common';
import type { Profile } from 'passport-social-networks';

/** A user of one network. The first login of an account is the account. */
export interface Account {
  readonly provider: string;
  readonly id: string;
  readonly displayName: string;
}

/** Who logged in at a network. */
export interface Identity extends Account {
  /** The scopes that the user granted, if the network says so. */
  readonly scope?: string | undefined;
}

/** Users choose their own names, which may be long. */
export function identityOf({ provider, id, displayName }: Profile<unknown>): Identity {
  return { provider, id, displayName: Array.from(displayName).slice(0, 100).join('') };
}

/** Provider and ID together are the key of a login. Never find an account by e-mail address. */
export function keyOf({ provider, id }: Account): string {
  return `${provider}:${id}`;
}

/** Replace this with your database. The primary key of a login keeps it in one account. */
@Injectable()
export class Accounts {
  /** Key of a login -> its account. */
  private readonly owners = new Map<string, Account>();

  find(key: string): Account | undefined {
    return this.owners.get(key);
  }

  findOrCreate({ provider, id, displayName }: Identity): Account {
    const login = { provider, id, displayName };
    const account = this.find(keyOf(login)) ?? login;
    this.owners.set(keyOf(login), account);
    return account;
  }

  /** @returns Whether the account has the login now. `false` if the login belongs to another account. */
  link(account: Account, login: Identity): boolean {
    const owner = this.find(keyOf(login)) ?? account;
    if (owner !== account) return false;
    this.owners.set(keyOf(login), account);
    return true;
  }
}
