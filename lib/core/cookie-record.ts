import { isObject, tryJSON } from './answer.js';
import { isPendingLogin, type PendingLogin } from './pending-login.js';

type Member = keyof Omit<PendingLogin, 'id'>;

/** Member of a login -> its name in the cookie, where every letter counts twenty times. */
const SHORT_NAMES: Readonly<Record<Member, string>> = {
  strategy: 'n',
  clientID: 'i',
  callbackURL: 'u',
  secret: 's',
  scope: 'c',
  state: 'a',
  expiresAt: 'e',
};
const NAMES = Object.entries(SHORT_NAMES) as [Member, string][];

/** A login as a cookie keeps it: without its identifier, which the cookie is found by. */
export function writeRecord(login: PendingLogin): string {
  return JSON.stringify(Object.fromEntries(NAMES.map(([name, short]) => [short, login[name]])));
}

/** @returns `undefined` for what another version of this package wrote differently. */
export function readRecord(id: string, text: string): PendingLogin | undefined {
  const record = tryJSON(text);
  if (!isObject(record)) return undefined;
  const members = NAMES.filter(([, short]) => record[short] !== undefined);
  const login = { id, ...Object.fromEntries(members.map(([name, short]) => [name, record[short]])) };
  return isPendingLogin(login) ? login : undefined;
}
