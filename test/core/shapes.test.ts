import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { expect } from 'chai';
import { authenticateClient } from '../../lib/core/client-authentication.js';
import { describeLogin } from '../../lib/core/pending-login.js';
import { assembleProfile } from '../../lib/core/profile.js';
import { readLookup } from '../../lib/microblog/profile.js';

/** Whether the engine knows two objects by one hidden class. */
function haveSameShape(one: object, other: object): boolean {
  setFlagsFromString('--allow-natives-syntax');
  try {
    return (runInThisContext('(one, other) => %HaveSameMap(one, other)') as typeof haveSameShape)(one, other);
  } finally {
    setFlagsFromString('--no-allow-natives-syntax');
  }
}

// In Node 20 `{ ...one, more }` is an object of a hidden class of its own each time: slow to make, slow to read, and kept by the
// engine until the next full collection. A few of them doubled the cost of a login.
describe('shapes: what each login makes is of one hidden class', () => {
  const owner = { strategy: 's', clientID: 'c', authorizationURL: 'https://n.example/' };
  const settings = { clientID: 'c', clientSecret: 's' } as never;
  const network = { clientParameter: 'client_id', clientAuthentication: 'form' } as never;
  const makers: Record<string, (nth: string) => object> = {
    'a pending login': (nth) => describeLogin(owner, nth, { callbackURL: nth, scope: [], secret: nth }),
    'a profile': (nth) => assembleProfile('p', { id: nth, displayName: nth }, { nth }, nth),
    'a token request’s form': (nth) => authenticateClient(settings, network, { code: nth }).form,
    'a record': (nth) => readLookup({ data: { id: nth } }),
  };

  it('the measure can tell: objects of two kinds differ', () => {
    expect(haveSameShape({ a: 1 }, { b: 1 })).to.equal(false);
    expect(haveSameShape({ a: 1 }, { a: 2 })).to.equal(true);
  });

  for (const [title, make] of Object.entries(makers)) {
    it(title, () => {
      // The first few are alike whatever the code: the engine changes its ways when it has seen more.
      const [one, other] = Array.from({ length: 100 }, (_, nth) => make(String(nth))).slice(-2) as [
        object,
        object,
      ];
      expect(haveSameShape(one, other)).to.equal(true);
    });
  }
});
