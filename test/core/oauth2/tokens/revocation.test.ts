import { expect } from 'chai';
import { ProviderError, RefusedError, UnreachableError } from '../../../../lib/index.js';
import { rejectionOf } from '../../../support/thrown.js';
import { describeEach } from './accounts.js';

describeEach('a revocation', ({ subject, sandbox, account, played }) => {
  it('resolves to undefined and invalidates the access token', async () => {
    const user = await account(await sandbox());
    expect(await user.whose()).to.equal(user.id);

    expect(await user.strategy.revoke(user.accessToken)).to.equal(undefined);

    const error = await rejectionOf(user.whose());
    expect(error).to.be.instanceOf(RefusedError);
    expect((error as RefusedError).step).to.equal('profile');
  });

  it('also invalidates the refresh token, and the error of a refresh says to log in again', async () => {
    const user = await account(await sandbox());
    await user.strategy.revoke(user.accessToken);
    const error = (await rejectionOf(user.refresh())) as RefusedError;
    expect(error).to.be.instanceOf(RefusedError);
    expect(error.networkCode).to.equal(subject.spent.networkCode);
    expect(error.message).to.include('let the user log in again');
  });

  it('does not affect other users', async () => {
    const world = await sandbox();
    const alice = await account(world, 'alice');
    const anna = await account(world, 'anna');
    await alice.strategy.revoke(alice.accessToken);
    expect(await anna.whose()).to.equal(anna.id);
  });

  // No report says that the microblog network rejects a token that has ended, so only a strict sandbox does.
  it('of a token that was already revoked is an error', async () => {
    const user = await account(await sandbox({ strict: true }));
    await user.strategy.revoke(user.accessToken);

    const error = await rejectionOf(user.strategy.revoke(user.accessToken));

    expect(error).to.be.instanceOf(RefusedError);
    const { provider, step, code, networkCode, networkMessage, message } = error as RefusedError;
    expect({ provider, step, code, networkCode, networkMessage }).to.deep.equal({
      provider: subject.provider,
      step: 'revoke',
      code: 'refused',
      ...subject.ended,
    });
    expect(message).to.include('The token is expired or was revoked already.');
  });

  it('of an unknown token is an error', async () => {
    const user = await account(await sandbox({ strict: true }));
    const error = await rejectionOf(user.strategy.revoke('never-given-out'));
    expect((error as RefusedError).networkCode).to.equal(subject.ended.networkCode);
    expect(await user.whose()).to.equal(user.id);
  });

  it('fails if the network sends an error with HTTP 200, a 500 or a redirect', async () => {
    for (const response of [
      { status: 200, body: { error: 'server_error', error_description: 'not now' } },
      { status: 500, body: '<html>oops</html>' },
      { status: 302, headers: { location: '/elsewhere' } },
    ]) {
      const { strategy, network } = await played(() => response);
      const error = await rejectionOf(strategy.revoke('TOKEN'));
      expect(error).to.be.instanceOf(ProviderError);
      expect((error as ProviderError).step).to.equal('revoke');
      expect(network.requests).to.have.length(1);
    }
  });

  it('does not mention a refresh token in its error if no response arrives', async () => {
    const { strategy } = await played(({ socket }) => {
      socket.destroy();
      return new Promise<never>(() => undefined);
    });
    const error = (await rejectionOf(strategy.revoke('TOKEN'))) as UnreachableError;
    expect(error).to.be.instanceOf(UnreachableError);
    expect(error.message).not.to.include('refresh token');
  });
});
