import { expect } from 'chai';
import { RefusedError } from '../../../../lib/index.js';

import { fakeClock } from '../../../support/clock.js';
import { rejectionOf } from '../../../support/thrown.js';
import { describeEach } from './accounts.js';

const HOUR = 3_600_000;

describeEach('a refresh', ({ subject, sandbox, account, played }) => {
  const clock = fakeClock();

  it('gives new tokens of the same user', async () => {
    const world = await sandbox();
    const user = await account(world, 'max');

    const tokens = await user.refresh();

    expect(await user.whose(tokens.accessToken)).to.equal(user.id);
    expect(
      new Set([user.accessToken, user.refreshToken, tokens.accessToken, tokens.refreshToken]).size,
    ).to.equal(4);
    expect(tokens.params.access_token).to.equal(tokens.accessToken);
    expect(tokens.params.refresh_token).to.equal(tokens.refreshToken);
    expect(tokens.scope).to.deep.equal(String(user.params.scope).split(/[ ,]/));
  });

  it('uses up the old refresh token: using it again is an error that says to log in again', async () => {
    const user = await account(await sandbox());
    await user.refresh();

    const error = await rejectionOf(user.refresh());

    expect(error).to.be.instanceOf(RefusedError);
    const { provider, step, code, status, networkCode, networkMessage, message } = error as RefusedError;
    expect({ provider, step, code, status, networkCode, networkMessage }).to.deep.equal({
      provider: subject.provider,
      step: 'refresh',
      code: 'refused',
      status: 502,
      ...subject.spent,
    });
    expect(message).to.include('let the user log in again');
  });

  it('with an unknown refresh token is an error', async () => {
    const user = await account(await sandbox());
    const error = await rejectionOf(user.refresh('never-given-out'));
    expect((error as RefusedError).networkCode).to.equal(subject.spent.networkCode);
    expect((await user.refresh()).accessToken).to.be.a('string');
  });

  it('with an expired refresh token is an error', async () => {
    const world = await sandbox();
    const user = await account(world);
    world.advance(200 * 24 * HOUR);
    const error = await rejectionOf(user.refresh());
    expect((error as RefusedError).message).to.include('let the user log in again');
  });

  it('replaces an expired access token', async () => {
    const world = await sandbox();
    const user = await account(world);
    world.advance(25 * HOUR);
    expect(await rejectionOf(user.whose())).to.be.instanceOf(RefusedError);
    const { accessToken } = await user.refresh();
    expect(await user.whose(accessToken)).to.equal(user.id);
  });

  for (const [seconds, milliseconds] of [
    [1, 1_000],
    [3_600, 3_600_000],
    [7_201, 7_201_000],
    [5_184_000, 5_184_000_000],
    ['3600', 3_600_000],
    [0.5, 500],
  ] as const) {
    it(`gives expiresAt ${JSON.stringify(seconds)} seconds from now, as in expires_in`, async () => {
      const { refresh } = await played(() => ({
        body: { access_token: 'NEW', token_type: 'Bearer', expires_in: seconds },
      }));
      const now = clock.stop();
      const { expiresAt } = await refresh('OLD');
      expect(expiresAt?.getTime()).to.equal(now + milliseconds);
    });
  }

  for (const seconds of [undefined, 0, -1, null, '', 'soon', 1e12, { seconds: 1 }]) {
    it(`gives no expiresAt if expires_in is ${JSON.stringify(seconds)}`, async () => {
      const { refresh } = await played(() => ({
        body: { access_token: 'NEW', token_type: 'Bearer', expires_in: seconds },
      }));
      expect(await refresh('OLD')).not.to.have.property('expiresAt');
    });
  }

  for (const kept of [undefined, '', null, 4608]) {
    it(`keeps the refresh token if the new one is ${JSON.stringify(kept) ?? 'absent'}`, async () => {
      const { refresh } = await played(() => ({
        body: { access_token: 'NEW', token_type: 'bearer', refresh_token: kept },
      }));
      const { accessToken, refreshToken } = await refresh('OLD');
      expect({ accessToken, refreshToken }).to.deep.equal({ accessToken: 'NEW', refreshToken: 'OLD' });
    });
  }

  it('gives an empty list of scopes if the response has none', async () => {
    const { refresh } = await played(() => ({ body: { access_token: 'NEW', token_type: 'bearer' } }));
    expect((await refresh('OLD')).scope).to.deep.equal([]);
  });

  it('gives the whole response as params', async () => {
    const body = { access_token: 'NEW', token_type: 'bearer', future: { member: [1, 'two'] } };
    const { refresh } = await played(() => ({ body }));
    const { params } = await refresh('OLD');
    expect(params).to.deep.include(body);
  });
});
