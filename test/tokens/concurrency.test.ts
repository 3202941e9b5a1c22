import { expect } from 'chai';
import { RefusedError, type Tokens, UnreachableError } from '../../lib/index.js';
import { rejectionOf } from '../support/thrown.js';
import { describeEach, tokenRequests } from './accounts.js';

const MANY = Array.from({ length: 50 });

describeEach('refreshes at once', ({ sandbox, account, played }) => {
  it('of one token are one request, and everybody gets its result', async () => {
    const world = await sandbox();
    const person = await account(world);
    const before = tokenRequests(world);

    const results = await Promise.all(MANY.map(() => person.refresh()));

    expect(tokenRequests(world) - before).to.equal(1);
    const [first] = results as [Tokens];
    for (const tokens of results) expect(tokens).to.deep.equal(first);
    expect(first.refreshToken).not.to.equal(person.refreshToken);
    expect(await person.whose(first.accessToken)).to.equal(person.id);
  });

  it('of one token are one request, however late the others come before its answer', async () => {
    let answer: (() => void) | undefined;
    const { refresh, network } = await played(
      () =>
        new Promise((resolve) => {
          answer = () => resolve({ body: { access_token: 'NEW', token_type: 'bearer' } });
        }),
    );
    const first = refresh('OLD');
    while (answer === undefined) await new Promise((resolve) => setImmediate(resolve));
    const second = refresh('OLD');
    answer();
    expect((await first).accessToken).to.equal('NEW');
    expect((await second).accessToken).to.equal('NEW');
    expect(network.requests).to.have.length(1);
  });

  it('of two people are two requests with a result each', async () => {
    const world = await sandbox();
    const alice = await account(world, 'alice');
    const anna = await account(world, 'anna');
    const before = tokenRequests(world);

    const [ofAlice, ofAnna] = await Promise.all([alice.refresh(), anna.refresh()]);

    expect(tokenRequests(world) - before).to.equal(2);
    expect(await alice.whose(ofAlice.accessToken)).to.equal(alice.id);
    expect(await anna.whose(ofAnna.accessToken)).to.equal(anna.id);
  });

  it('of two tokens of one strategy are two requests with a result each', async () => {
    const { refresh, network } = await played(({ form }) => ({
      body: { access_token: `NEW-${form.get('refresh_token')}`, token_type: 'bearer' },
    }));
    const results = await Promise.all(MANY.map((_, index) => refresh(index % 2 === 0 ? 'EVEN' : 'ODD')));
    expect(network.requests.map(({ form }) => form.get('refresh_token'))).to.have.members(['EVEN', 'ODD']);
    expect(results.map(({ accessToken }) => accessToken)).to.deep.equal(
      MANY.map((_, index) => (index % 2 === 0 ? 'NEW-EVEN' : 'NEW-ODD')),
    );
  });

  it('fail together when the one request fails, and the next refresh is a request of its own', async () => {
    const answers = [
      { status: 400, body: { error: 'invalid_grant' } },
      { body: { access_token: 'NEW', token_type: 'bearer' } },
    ];
    const { refresh, network } = await played(() => answers.shift() ?? { status: 404 });

    const results = await Promise.allSettled(MANY.map(() => refresh('OLD')));

    expect(network.requests).to.have.length(1);
    for (const result of results) {
      expect(result.status === 'rejected' && result.reason).to.be.instanceOf(RefusedError);
    }
    expect((await refresh('OLD')).accessToken).to.equal('NEW');
    expect(network.requests).to.have.length(2);
  });

  it('that break off do not stand in the way of the next one', async () => {
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

  it('are requests of their own one after the other: no result is kept', async () => {
    let count = 0;
    const { refresh } = await played(() => {
      count += 1;
      return { body: { access_token: `NEW-${count}`, token_type: 'bearer' } };
    });
    expect((await refresh('OLD')).accessToken).to.equal('NEW-1');
    expect((await refresh('OLD')).accessToken).to.equal('NEW-2');
  });

  it('through two strategies are two requests: each knows its own alone', async () => {
    const answer = () => ({ body: { access_token: 'NEW', token_type: 'bearer' } });
    const one = await played(answer);
    const other = await played(answer);
    await Promise.all([one.refresh('OLD'), other.refresh('OLD')]);
    expect([one.network.requests.length, other.network.requests.length]).to.deep.equal([1, 1]);
  });
});
