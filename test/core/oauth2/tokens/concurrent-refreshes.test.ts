import { expect } from 'chai';
import { RefusedError, type Tokens, UnreachableError } from '../../../../lib/index.js';
import { rejectionOf } from '../../../support/thrown.js';
import { describeEach, tokenRequests } from './accounts.js';

const MANY = Array.from({ length: 50 });

describeEach('concurrent refreshes', ({ sandbox, account, played }) => {
  it('of one token share one request and its result', async () => {
    const world = await sandbox();
    const user = await account(world);
    const before = tokenRequests(world);

    const results = await Promise.all(MANY.map(() => user.refresh()));

    expect(tokenRequests(world) - before).to.equal(1);
    const [first] = results as [Tokens];
    for (const tokens of results) expect(tokens).to.deep.equal(first);
    expect(first.refreshToken).not.to.equal(user.refreshToken);
    expect(await user.whose(first.accessToken)).to.equal(user.id);
  });

  it('of one token share one request until its response arrives', async () => {
    let respond: (() => void) | undefined;
    const { refresh, network } = await played(
      () =>
        new Promise((resolve) => {
          respond = () => resolve({ body: { access_token: 'NEW', token_type: 'bearer' } });
        }),
    );
    const first = refresh('OLD');
    while (respond === undefined) await new Promise((resolve) => setImmediate(resolve));
    const second = refresh('OLD');
    respond();
    expect((await first).accessToken).to.equal('NEW');
    expect((await second).accessToken).to.equal('NEW');
    expect(network.requests).to.have.length(1);
  });

  it('of two users are two requests, each with its own result', async () => {
    const world = await sandbox();
    const alice = await account(world, 'alice');
    const anna = await account(world, 'anna');
    const before = tokenRequests(world);

    const [ofAlice, ofAnna] = await Promise.all([alice.refresh(), anna.refresh()]);

    expect(tokenRequests(world) - before).to.equal(2);
    expect(await alice.whose(ofAlice.accessToken)).to.equal(alice.id);
    expect(await anna.whose(ofAnna.accessToken)).to.equal(anna.id);
  });

  it('of two tokens with one strategy are two requests, each with its own result', async () => {
    const { refresh, network } = await played(({ form }) => ({
      body: { access_token: `NEW-${form.get('refresh_token')}`, token_type: 'bearer' },
    }));
    const results = await Promise.all(MANY.map((_, index) => refresh(index % 2 === 0 ? 'EVEN' : 'ODD')));
    expect(network.requests.map(({ form }) => form.get('refresh_token'))).to.have.members(['EVEN', 'ODD']);
    expect(results.map(({ accessToken }) => accessToken)).to.deep.equal(
      MANY.map((_, index) => (index % 2 === 0 ? 'NEW-EVEN' : 'NEW-ODD')),
    );
  });

  it('all fail if their shared request fails, and the next refresh is a new request', async () => {
    const responses = [
      { status: 400, body: { error: 'invalid_grant' } },
      { body: { access_token: 'NEW', token_type: 'bearer' } },
    ];
    const { refresh, network } = await played(() => responses.shift() ?? { status: 404 });

    const results = await Promise.allSettled(MANY.map(() => refresh('OLD')));

    expect(network.requests).to.have.length(1);
    for (const result of results) {
      expect(result.status === 'rejected' && result.reason).to.be.instanceOf(RefusedError);
    }
    expect((await refresh('OLD')).accessToken).to.equal('NEW');
    expect(network.requests).to.have.length(2);
  });

  it('a refresh that loses its connection does not block the next one', async () => {
    let broken = false;
    const { refresh, network } = await played(({ socket }) => {
      if (broken) return { body: { access_token: 'NEW', token_type: 'bearer' } };
      broken = true;
      socket.destroy();
      return new Promise<never>(() => undefined);
    });
    expect(await rejectionOf(refresh('OLD'))).to.be.instanceOf(UnreachableError);
    expect((await refresh('OLD')).accessToken).to.equal('NEW');
    expect(network.requests).to.have.length(2);
  });

  it('two refreshes in sequence are two requests, because no result is cached', async () => {
    let count = 0;
    const { refresh } = await played(() => {
      count += 1;
      return { body: { access_token: `NEW-${count}`, token_type: 'bearer' } };
    });
    expect((await refresh('OLD')).accessToken).to.equal('NEW-1');
    expect((await refresh('OLD')).accessToken).to.equal('NEW-2');
  });

  it('through two strategies are two requests', async () => {
    const respond = () => ({ body: { access_token: 'NEW', token_type: 'bearer' } });
    const one = await played(respond);
    const other = await played(respond);
    await Promise.all([one.refresh('OLD'), other.refresh('OLD')]);
    expect([one.network.requests.length, other.network.requests.length]).to.deep.equal([1, 1]);
  });
});

describeEach('callers that share one refresh', ({ played }) => {
  const response = {
    access_token: 'NEW',
    refresh_token: 'NEXT',
    token_type: 'bearer',
    scope: 'a b',
    extra: 1,
  };

  it("get separate objects, so that one caller's changes do not affect the others", async () => {
    const { refresh, network: server } = await played(() => ({ body: response }));
    const [one, other] = await Promise.all([refresh('OLD'), refresh('OLD')]);
    expect(server.requests).to.have.length(1);
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
