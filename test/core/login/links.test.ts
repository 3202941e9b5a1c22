import { expect } from 'chai';
import type { Request } from 'express';
import { LoginFailure } from '../../../lib/core/errors/index.js';
import { type LinkSettings, linkedUser, requireLinkedUser } from '../../../lib/core/login/links.js';
import { LOGIN } from '../../support/logins.js';
import { mistakeBy, thrownBy } from '../../support/thrown.js';

type LinksTo = LinkSettings['linksTo'];

describe('the user to whom an account is linked', () => {
  const isAuthenticated = () => true;
  const settings = (linksTo?: LinksTo): LinkSettings => ({ name: 'network', linksTo });
  const userOf = (req: object, linksTo?: LinksTo) => linkedUser(settings(linksTo), req as Request);

  /** Finishes a link for the user of one request that was begun for the user of another. */
  function link(begun: object, finished: object, option?: LinksTo) {
    const linksTo = userOf(begun, option);
    const pending = { ...LOGIN, id: 'id', expiresAt: 0, ...(linksTo !== undefined && { linksTo }) };
    requireLinkedUser(settings(option), finished as Request, pending);
  }

  function expectRefused(begun: object, finished: object, option?: LinksTo): LoginFailure {
    const failure = thrownBy(() => link(begun, finished, option)) as LoginFailure;
    expect(failure).to.be.instanceOf(LoginFailure);
    expect([failure.code, failure.status]).to.deep.equal(['unknown_login', 403]);
    return failure;
  }

  const nobody = { session: {} };
  const PLACES: Readonly<Record<string, (id: number) => object>> = {
    'Passport’s session': (id) => ({ user: { seen: Math.random() }, session: { passport: { user: id } } }),
    'a session of @fastify/passport': (id) => ({ isAuthenticated, session: { passport: id } }),
    'a member of an object in such a session beside `user`': (id) => ({
      isAuthenticated,
      session: { passport: { user: 'alice', tenant: id } },
    }),
    'a session with methods': (id) => ({ isAuthenticated, session: { get: () => id } }),
    'Koa’s session and state': (id) => ({
      session: { passport: { user: id } },
      ctx: { state: { user: { seen: Math.random() } } },
    }),
    'another userProperty': (id) => ({
      session: { passport: { user: id } },
      _userProperty: 'account',
      account: { seen: Math.random() },
    }),
    'a deep member of what Passport serialized': (id) => ({
      isAuthenticated,
      session: { passport: { user: { name: 'alice', roles: [{ organization: { id } }] } } },
    }),
    'the ID of req.user, who is impersonated,': (id) => ({
      user: { id, seen: Math.random() },
      session: { passport: { user: 'the admin' } },
    }),
    'an ID that is a bigint': (id) => ({ user: { id: BigInt(id) }, session: { passport: { user: 'one' } } }),
    'an ID object of a database': (id) => ({
      user: { id: { toJSON: () => String(id) } },
      session: { passport: { user: 'one' } },
    }),
  };
  for (const [place, as] of Object.entries(PLACES)) {
    it(`C25, S12: finishes only for the user who began the link, told apart by ${place}`, () => {
      link(as(1), as(1));
      expectRefused(as(2), as(1));
      expectRefused(nobody, as(1));
      expectRefused(as(1), nobody);
    });
  }

  it('C25, S12: properties of req.user other than its ID end no link, such as a list of accounts, nor does the session with linksTo', () => {
    const user = (accounts: string[], role: string) => ({
      user: { id: 7, accounts, role, tenantId: role },
      session: { passport: { user: 7 } },
    });
    link(user(['tiktok'], 'a'), user(['tiktok', 'x'], 'b'));
    // The option alone decides, also where Passport has somebody in the session.
    const session = (id: number) => ({ session: { passport: { user: id } } });
    link(session(1), session(2), () => 'alice');
  });

  for (const nobodyIs of [undefined, null, '', ' \t']) {
    it(`C25: linksTo says ${JSON.stringify(nobodyIs) ?? 'undefined'} if nobody is signed in, and no link finishes`, () => {
      const option: LinksTo = ({ user }) => (user ? 'alice' : nobodyIs);
      expect(userOf({}, option)).to.equal(undefined);
      expectRefused({}, {}, option);
      expectRefused({}, { user: {} }, option);
      expectRefused({ user: {} }, {}, option);
    });
  }

  for (const returned of [7, {}, ['alice'], true, 'undefined', 'NaN', '[object Object]']) {
    it(`C25: linksTo must return a string that is made of something, not ${JSON.stringify(returned)}`, () => {
      const mistake = mistakeBy(() => userOf({}, () => returned as string));
      expect(mistake).to.match(/^network: option linksTo must return what tells the user apart, as a string/);
      const shown = typeof returned === 'string' ? returned : typeof returned;
      expect(mistake.endsWith(`It returned ${shown}.`)).to.equal(true);
    });
  }

  it('C25: linksTo must not return a promise', () => {
    const mistake = mistakeBy(() => userOf({}, (async () => 'alice') as unknown as LinksTo));
    expect(mistake).to.match(/^option linksTo must return its value at once/);
  });

  it('C25, S12: where nothing says who is signed in, the mistake prints the option', () => {
    const user = { id: 7 };
    for (const req of [
      { user },
      { user, session: {} },
      { user, session: { passport: {} } },
      { user, session: { passport: { user: '' } } },
      { isAuthenticated, session: {} },
      { session: {}, ctx: { isAuthenticated, state: {} } },
      {},
      { session: null },
    ]) {
      expect(mistakeBy(() => userOf(req))).to.equal(
        'network: passport.authorize links to the user whom Passport keeps in the session, and there is none. Add the option linksTo, which returns what tells your users apart, for example linksTo: (req) => req.user?.id, with the tenant if there are several.',
      );
    }
  });

  it('says that a session cookie with SameSite=Strict stays away, if nobody is signed in at the callback', () => {
    const signedIn = { user: {}, session: { passport: { user: 1 } } };
    expect(expectRefused(signedIn, nobody).message).to.match(
      /^Nobody is signed in any more, .* SameSite=Strict, .* set sameSite: 'lax'\.$/,
    );
    expect(expectRefused(nobody, nobody).message).to.match(
      /^Nobody is signed in, .* without assignProperty\.$/,
    );
    expect(expectRefused(nobody, signedIn).message).to.match(
      /^This login was not begun by passport\.authorize/,
    );
  });

  it('is a digest, from which nobody reads the user', () => {
    expect(userOf({}, () => 'user-0123456789')).to.match(/^[\w-]{22}$/);
  });
});
