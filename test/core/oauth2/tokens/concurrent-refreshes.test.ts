import { expect } from 'chai';
import { RefusedError } from '../../../../lib/index.js';
import { describeEach } from './accounts.js';

const MANY = Array.from({ length: 50 });

describeEach('concurrent refreshes', ({ played }) => {
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
