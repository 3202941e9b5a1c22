import { runInThisContext } from 'node:vm';
import { authenticateClient } from '../../lib/core/client-authentication.js';
import { describeLogin } from '../../lib/core/pending-login.js';
import { assembleProfile } from '../../lib/core/profile.js';
import { readLookup } from '../../lib/microblog/profile.js';

// A program for `node --allow-natives-syntax`: says of what each login makes whether it has one hidden class.

/** Whether the engine knows two objects by one hidden class. */
const haveSameShape = runInThisContext('(one, other) => %HaveSameMap(one, other)') as (
  one: object,
  other: object,
) => boolean;

const owner = { strategy: 's', clientID: 'c', authorizationURL: 'https://n.example/' };
const settings = { clientID: 'c', clientSecret: 's' } as never;
const network = { clientParameter: 'client_id', clientAuthentication: 'form' } as never;
const makers: Record<string, (nth: string) => object> = {
  'objects of one kind': (nth) => ({ a: nth }),
  'objects of two kinds': (nth) => (Number(nth) % 2 === 0 ? { a: nth } : { b: nth }),
  'a pending login': (nth) => describeLogin(owner, nth, { callbackURL: nth, scope: [], secret: nth }),
  'a profile': (nth) => assembleProfile('p', { id: nth, displayName: nth }, { nth }, nth),
  'a token request’s form': (nth) => authenticateClient(settings, network, { code: nth }).form,
  'a record': (nth) => readLookup({ data: { id: nth } }),
};

/** Whether the last two are alike. The first few are, whatever the code: the engine changes its ways when it has seen more. */
function isOfOneShape(make: (nth: string) => object): boolean {
  const [one, other] = Array.from({ length: 100 }, (_, nth) => make(String(nth))).slice(-2);
  return haveSameShape(one as object, other as object);
}

const measured = Object.entries(makers).map(([title, make]) => [title, isOfOneShape(make)]);
process.stdout.write(JSON.stringify(Object.fromEntries(measured)));
