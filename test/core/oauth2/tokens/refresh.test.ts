import { expect } from 'chai';
import { expiryDate, MalformedError, RefusedError, UnreachableError } from '../../../../lib/index.js';
import { shownBy } from '../../../contract/eavesdropper.js';
import { called } from '../../../support/attempt.js';
import { fakeClock, heldTimers } from '../../../support/clock.js';
import type { Reply, SeenRequest } from '../../../support/server.js';
import { mistakeOf, rejectionOf } from '../../../support/thrown.js';
import { describeEach, type Respond } from './accounts.js';

const AGAIN = 'let the user log in again';
const silence = () => new Promise<never>(() => undefined);
const tokens = (more: object = {}): Reply => ({
  body: { access_token: 'NEW', token_type: 'bearer', ...more },
});

describeEach('a refresh', ({ subject, sandbox, account, played }) => {
  it('gives new tokens of the same user', async () => {
    const user = await account(await sandbox(), 'max');
    const { accessToken, refreshToken, params, scope } = await user.refresh();
    expect(await user.whose(accessToken)).to.equal(user.id);
    expect(new Set([user.accessToken, user.refreshToken, accessToken, refreshToken]).size).to.equal(4);
    expect(params).to.include({ access_token: accessToken, refresh_token: refreshToken });
    expect(scope).to.deep.equal(String(user.params.scope).split(/[ ,]/));
  });

  it('uses up the old refresh token: using it again is an error that says to log in again', async () => {
    const user = await account(await sandbox());
    await user.refresh();
    const error = await rejectionOf(user.refresh());
    const facts = { provider: subject.provider, step: 'refresh', code: 'refused', status: 502 };
    expect(error).to.be.instanceOf(RefusedError).and.include(facts);
    const { networkCode, networkMessage, message } = error as RefusedError;
    expect({ networkCode, networkMessage }).to.deep.equal(subject.spent);
    expect(message).to.include(AGAIN);
  });

  it('keeps the refresh token if no usable new one comes', async () => {
    for (const refresh_token of [undefined, '', null, 4608]) {
      const { refresh } = await played(tokens({ refresh_token }));
      expect(await refresh('OLD')).to.include({ accessToken: 'NEW', refreshToken: 'OLD' });
    }
  });

  it('gives no expiresAt and an empty list of scopes if the response has none, and the whole response as params', async () => {
    const reply = tokens({ future: { member: [1, 'two'] } });
    const { scope, params, ...others } = await (await played(reply)).refresh('OLD');
    expect(others).to.not.have.property('expiresAt');
    expect(scope).to.deep.equal([]);
    expect(params).to.deep.include(reply.body);
  });

  for (const token of ['rft.abc!4608', 'a.b-c_d~e', "it's*(odd)", '100%+/=&?#', '!!..']) {
    it(`the token ${token} reaches the network, and is returned from it, unchanged`, async () => {
      const returned = { access_token: token, refresh_token: `${token}2` };
      const { strategy, network, refresh } = await played(tokens({ ...returned, response: 1 }));
      const { accessToken, refreshToken } = await refresh(token);
      expect({ access_token: accessToken, refresh_token: refreshToken }).to.deep.equal(returned);
      await strategy.revoke(token);
      const [refreshed, revoked] = network.requests;
      expect(refreshed?.form.getAll('refresh_token')).to.deep.equal([token]);
      expect(revoked?.form.getAll(subject.revokes)).to.deep.equal([token]);
      for (const { url, method, headers } of network.requests) {
        expect(`${method} ${url}`).to.match(/^POST \/(token|revoke)$/);
        expect(headers['content-type']).to.equal('application/x-www-form-urlencoded');
      }
    });
  }
});

describeEach('a refresh for a user', ({ subject, sandbox, account, played }) => {
  const { userField } = subject;
  const [OWN, OTHER] = ['743784474', '743784475'];
  const of = (id: unknown) => tokens(userField === undefined ? {} : { [userField]: id });

  it('C41: gives that user tokens, and another user an error where the network names the user', async () => {
    const user = await account(await sandbox());
    const { accessToken, refreshToken } = await user.refresh(undefined, { userID: user.id });
    expect(await user.whose(accessToken)).to.equal(user.id);
    const mixedUp = user.refresh(refreshToken, { userID: OTHER });
    if (userField === undefined)
      return expect(await user.whose((await mixedUp).accessToken)).to.equal(user.id);
    const error = await rejectionOf(mixedUp);
    const facts = { provider: subject.provider, step: 'refresh', code: 'identifier_mismatch', status: 502 };
    return expect(error).to.be.instanceOf(MalformedError).and.include(facts);
  });

  it('C41: twice at once, with one token for two users, is one request, and each is compared with their own ID', async () => {
    const { refresh, network } = await played(of(OWN));
    const results = await Promise.allSettled(
      [OWN, OTHER, OWN, undefined].map((userID) => refresh('OLD', userID === undefined ? {} : { userID })),
    );
    const refused = userField === undefined ? 'fulfilled' : 'rejected';
    expect(results.map(({ status }) => status)).to.deep.equal([
      'fulfilled',
      refused,
      'fulfilled',
      'fulfilled',
    ]);
    expect(network.requests).to.have.length(1);
  });

  it('C41: the ID of a user is compared digit by digit, and shown by no error, nor are the tokens', async () => {
    const large = '9007199254740993';
    const body = `{"access_token":"NEW-CANARY","refresh_token":"NEXT-CANARY","token_type":"bearer","${userField}":${subject.device ? large : `"${large}"`}}`;
    const { refresh } = await played({ body });
    expect(await refresh('OLD', { userID: large })).to.include({ accessToken: 'NEW-CANARY' });
    if (userField === undefined) return;
    const error = await rejectionOf(refresh('OLD-CANARY', { userID: '9007199254740992' }));
    expect((error as Error).message).to.equal(
      `${subject.provider}, refresh: the response has another user's ID, not userID. No token is handed out unless the identifier is certain. Check the addresses in the options. The refresh token may be spent all the same: keep it, and if the next refresh is refused, let the user log in again.`,
    );
    expect(shownBy(error)).to.not.match(/CANARY|90071992/);
  });

  if (subject.device !== undefined)
    it('C41: a device ID as text stands before the user', async () => {
      const { strategy } = await played(of(OWN));
      const error = await rejectionOf(strategy.refresh('OLD', subject.device, { userID: OTHER }));
      expect(error).to.include({ code: 'identifier_mismatch' });
      expect(await strategy.refresh('OLD', subject.device, { userID: OWN })).to.include({
        accessToken: 'NEW',
      });
    });

  it('C41: a response that names nobody is for nobody, where the network names the user', async () => {
    for (const nobody of [undefined, null, '', {}, []]) {
      const { refresh } = await played(of(nobody));
      expect(await refresh('OLD')).to.include({ accessToken: 'NEW' });
      const ending = await refresh('OLD', { userID: OWN }).catch((error: MalformedError) => error);
      const expected = userField === undefined ? { accessToken: 'NEW' } : { code: 'identifier_missing' };
      expect(ending, JSON.stringify(nobody)).to.include(expected);
    }
  });

  it('C41: a userID that is none is a TypeError, and nothing is sent', async () => {
    const { refresh, network } = await played(of(OWN));
    for (const userID of [undefined, null, '', 743784474] as unknown[] as string[]) {
      expect(await mistakeOf(refresh('OLD', { userID }))).to.equal(
        `${subject.provider}: refresh needs a userID that is a non-empty string, or none.`,
      );
    }
    expect(network.requests).to.deep.equal([]);
  });
});

describeEach('concurrent refreshes', ({ played }) => {
  const MANY = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? 'EVEN' : 'ODD'));

  it('of one token share one request until its response arrives', async () => {
    let respond: (() => void) | undefined;
    const waiting = () => new Promise<Reply>((resolve) => (respond = () => resolve(tokens())));
    const { refresh, network } = await played(waiting);
    const first = refresh('OLD');
    while (respond === undefined) await new Promise((resolve) => setImmediate(resolve));
    const second = refresh('OLD');
    respond();
    for (const one of [first, second]) expect((await one).accessToken).to.equal('NEW');
    expect(network.requests).to.have.length(1);
  });

  it('of two tokens with one strategy are two requests, each with its own result', async () => {
    const named: Respond = ({ form }) => tokens({ access_token: `NEW-${form.get('refresh_token')}` });
    const { refresh, network } = await played(named);
    const results = await Promise.all(MANY.map((token) => refresh(token)));
    expect(network.requests.map(({ form }) => form.get('refresh_token'))).to.have.members(['EVEN', 'ODD']);
    const given = results.map(({ accessToken }) => accessToken);
    expect(given).to.deep.equal(MANY.map((token) => `NEW-${token}`));
  });

  it('all fail if their shared request fails, and each later refresh is a new request: no result is cached', async () => {
    let count = 0;
    const { refresh } = await played(() => {
      count += 1;
      return count === 1
        ? { status: 400, body: { error: 'invalid_grant' } }
        : tokens({ access_token: `NEW-${count}` });
    });
    const results = await Promise.allSettled(MANY.map(() => refresh('OLD')));
    expect(count).to.equal(1);
    for (const result of results) {
      expect(result.status === 'rejected' && result.reason).to.be.instanceOf(RefusedError);
    }
    for (const next of [2, 3]) expect((await refresh('OLD')).accessToken).to.equal(`NEW-${next}`);
  });

  it("get separate objects, so that one caller's changes do not affect the others", async () => {
    const { refresh, network } = await played(tokens({ refresh_token: 'NEXT', scope: 'a b', extra: 1 }));
    const [one, other] = await Promise.all([refresh('OLD'), refresh('OLD')]);
    expect(network.requests).to.have.length(1);
    expect(other).to.deep.equal(one);
    expect(other).to.not.equal(one);
    one.accessToken = 'changed';
    one.scope.push('changed');
    Object.assign(one.params, { access_token: 'changed' });
    expect(other).to.include({ accessToken: 'NEW', refreshToken: 'NEXT' });
    expect(other.scope).to.deep.equal(['a', 'b']);
    expect(other.params).to.include({ access_token: 'NEW', extra: 1 });
  });
});

describeEach('a refresh whose response', ({ subject, played }) => {
  const timers = heldTimers();
  const afterDeadline: Respond = () => {
    timers.pass();
    return silence();
  };
  const ADVICE = `The refresh token may be spent all the same: keep it, and if the next refresh is refused, ${AGAIN}.`;
  const half = '{"access_token":"NEW-CANARY"';
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n';
  const onSocket =
    (respond: (socket: SeenRequest['socket']) => unknown): Respond =>
    ({ socket }) => {
      respond(socket);
      return silence();
    };
  const page = '<html>NEW-CANARY</html>';

  const LOSSES: readonly [what: string, respond: Respond | Reply, code: string][] = [
    ['is truncated', onSocket((socket) => socket.end(head + half)), 'response_cut_short'],
    ['never arrives', afterDeadline, 'timeout'],
    ['is lost with the connection', onSocket((socket) => socket.destroy()), 'connection_failed'],
    ['is an HTML page', { body: page }, 'unreadable_response'],
    [
      'has no access token',
      tokens({ access_token: undefined, refresh_token: 'NEW-CANARY' }),
      'token_missing',
    ],
  ];
  for (const [what, respond, code] of LOSSES) {
    it(`${what} is an error that says that the refresh token may be used up, and to keep it`, async () => {
      const { refresh, network } = await played(respond);
      const error = (await rejectionOf(refresh('OLD-CANARY'))) as Error;
      const isMalformed = /^(unreadable|token)_/.test(code);
      expect(error).to.be.instanceOf(isMalformed ? MalformedError : UnreachableError);
      expect(error).to.include({ provider: subject.provider, step: 'refresh', code });
      expect(error.message).to.include(ADVICE).and.not.include('CANARY');
      // A refresh is never retried, because the network may have received the first request.
      expect(network.requests).to.have.length(1);
    });
  }
});

describe('expiryDate', () => {
  const clock = fakeClock();

  it('is expires_in seconds from now, and undefined if that says nothing', () => {
    const now = clock.stop();
    for (const expires_in of [1, 3_600, 7_201, 86_400, 5_184_000, '3600', 0.5])
      expect(expiryDate({ expires_in })?.getTime()).to.equal(now + Number(expires_in) * 1_000);
    const inherited = Object.create({ expires_in: 3600 }) as object;
    const deep = { expires_in: JSON.parse(`${'['.repeat(10_000)}60${']'.repeat(10_000)}`) as unknown };
    for (const none of [{}, { expires: 3600 }, inherited, deep]) expect(expiryDate(none)).to.equal(undefined);
    const others = [undefined, 0, '0', -1, null, '', 'never', 1e12, {}, Number.NaN, Infinity];
    for (const expires_in of [...others, [60], true, { valueOf: () => 60 }])
      expect(expiryDate({ expires_in })).to.equal(undefined);
  });
});

// The package has no types.
const { AuthTokenRefresh } = require('passport-oauth2-refresh');

describeEach('passport-oauth2-refresh', ({ subject, played }) => {
  it('sends the same request as the strategy’s own refresh, and gives the tokens', async () => {
    const { strategy, refresh, network } = await played(tokens({ refresh_token: 'NEXT' }));
    await refresh('OLD');
    const through = new AuthTokenRefresh();
    through.use('any', strategy);
    // The parameter that an application must add: only VK ID needs one, its device ID.
    const more = subject.device === undefined ? {} : { device_id: subject.device };
    const given = await called((done) => through.requestNewAccessToken('any', 'OLD', more, done));
    expect(given.slice(0, 3)).to.deep.equal([null, 'NEW', 'NEXT']);
    expect(given[3]).to.include({ access_token: 'NEW', refresh_token: 'NEXT' });
    const [own, theirs] = network.requests.map(({ form, headers }) => {
      // VK ID's state is random in every request, and a refresh does not require it.
      form.delete('state');
      return { form: Object.fromEntries(form), authorization: headers.authorization };
    });
    expect(theirs).to.deep.equal(own);
  });
});
