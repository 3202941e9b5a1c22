import { expect } from 'chai';
import { ProviderError, RefusedError, UnreachableError } from '../../lib/index.js';
import { rejectionOf } from '../support/thrown.js';
import { describeEach } from './accounts.js';

const DAY = 86_400_000;

describeEach('a revocation', ({ subject, sandbox, account, played }) => {
  it('resolves to nothing, and ends the access token', async () => {
    const person = await account(await sandbox());
    expect(await person.whose()).to.equal(person.id);

    expect(await person.strategy.revoke(person.accessToken)).to.equal(undefined);

    const error = await rejectionOf(person.whose());
    expect(error).to.be.instanceOf(RefusedError);
    expect((error as RefusedError).step).to.equal('profile');
  });

  it('ends the refresh token, too: the error of a refresh tells to log in again', async () => {
    const person = await account(await sandbox());
    await person.strategy.revoke(person.accessToken);
    const error = (await rejectionOf(person.refresh())) as RefusedError;
    expect(error).to.be.instanceOf(RefusedError);
    expect(error.networkCode).to.equal(subject.spent.networkCode);
    expect(error.message).to.include('let the person log in again');
  });

  it('leaves other people logged in', async () => {
    const world = await sandbox();
    const alice = await account(world, 'alice');
    const anna = await account(world, 'anna');
    await alice.strategy.revoke(alice.accessToken);
    expect(await anna.whose()).to.equal(anna.id);
  });

  it('of a token that was revoked already is refused', async () => {
    const person = await account(await sandbox());
    await person.strategy.revoke(person.accessToken);

    const error = await rejectionOf(person.strategy.revoke(person.accessToken));

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

  it('of a token that has expired is refused, and the error tells to refresh first, which helps', async () => {
    const world = await sandbox();
    const person = await account(world);
    world.advance(DAY);

    const error = (await rejectionOf(person.strategy.revoke(person.accessToken))) as RefusedError;
    expect(error).to.be.instanceOf(RefusedError);
    expect(error.message).to.include('An access token that has expired must be refreshed first');

    const { accessToken, refreshToken } = await person.refresh();
    await person.strategy.revoke(accessToken);
    expect(await rejectionOf(person.refresh(refreshToken))).to.be.instanceOf(RefusedError);
  });

  it('of a token that nobody has given out is refused', async () => {
    const person = await account(await sandbox());
    const error = await rejectionOf(person.strategy.revoke('never-given-out'));
    expect((error as RefusedError).networkCode).to.equal(subject.ended.networkCode);
    expect(await person.whose()).to.equal(person.id);
  });

  for (const [what, answer] of Object.entries({
    'an empty body': { body: '' },
    'an empty object': { body: {} },
    'no content': { status: 204 },
    'a text': { body: 'OK' },
    'a success of another form': { status: 202, body: { revoked: true } },
  })) {
    it(`is done when the network answers with ${what}`, async () => {
      const { strategy } = await played(() => answer);
      expect(await strategy.revoke('TOKEN')).to.equal(undefined);
    });
  }

  it('is not done when the network refuses with HTTP 200, fails, or leads elsewhere', async () => {
    for (const answer of [
      { status: 200, body: { error: 'server_error', error_description: 'not now' } },
      { status: 500, body: '<html>oops</html>' },
      { status: 302, headers: { location: '/elsewhere' } },
    ]) {
      const { strategy, network } = await played(() => answer);
      const error = await rejectionOf(strategy.revoke('TOKEN'));
      expect(error).to.be.instanceOf(ProviderError);
      expect((error as ProviderError).step).to.equal('revoke');
      expect(network.requests).to.have.length(1);
    }
  });

  it('says nothing of a refresh token when no answer comes', async () => {
    const { strategy } = await played(({ socket }) => {
      socket.destroy();
      return new Promise<never>(() => undefined);
    });
    const error = (await rejectionOf(strategy.revoke('TOKEN'))) as UnreachableError;
    expect(error).to.be.instanceOf(UnreachableError);
    expect(error.message).not.to.include('refresh token');
  });
});
