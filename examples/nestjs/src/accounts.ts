import { Injectable } from '@nestjs/common';
import type { Profile } from 'passport-social-networks';

export interface Account {
  readonly provider: string;
  readonly id: string;
  readonly displayName: string;
}

/** Replace this with your database. The key of an account is provider and id together. */
@Injectable()
export class Accounts {
  async findOrCreate({ provider, id, displayName }: Profile<unknown>): Promise<Account> {
    return { provider, id, displayName: displayName.slice(0, 100) };
  }
}
