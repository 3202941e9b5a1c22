import { mock } from 'node:test';
import { expect } from 'chai';
import { clock } from '../../lib/core/application-code.js';
import { type Eavesdropper, eavesdrop } from '../contract/eavesdropper.js';
import { backendRequests, describeEach, isOAuth2, tappedBy, verifyPerson } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { allow, deny, logIn, start } from '../support/journey.js';
import { hostileScene, wholeLogin } from './hostile-network.js';

interface AfterLogin {
  refresh?(refreshToken: string, deviceID?: string): Promise<{ accessToken: string }>;
  revoke?(token: string, tokenSecret?: string): Promise<void>;
  logout?(token: string): Promise<void>;
}

describeEach('the requests of a strategy', (contract) => {
  const { subject, sandbox, strategy, app, begin, closing } = contract;
  const { provider } = subject;

  it('T11: no URL contains a token, code, secret or verifier, in a series of logins and token calls', async () => {
    const world = await sandbox();
    const ear = closing(await eavesdrop(world));
    const authorizationURLs: string[] = [];
    for (const options of [{}, subject.everything]) {
      const kept: unknown[][] = [];
      const verify = (token: string, refresh: unknown, params: object, profile: never, done: never) => {
        kept.push([token, refresh, params]);
        verifyPerson(token, refresh, profile, done);
      };
      const made = strategy(world, { ...tappedBy(ear, subject, world), ...options }, verify);
      const server = await app(made);
      for (const person of ['alice', 'ned'])
        expect((await logIn(server, provider, person)).status).to.equal(200);
      const browser = new Browser();
      await browser.get(await deny(browser, await start(browser, server, provider)));
      const authorization = await start(browser, server, provider);
      authorizationURLs.push(authorization);
      await browser.get(await allow(browser, authorization));
      await useTokens(made as AfterLogin, kept.at(-1) ?? []);
      world.reset();
      expect((await new Browser().get(`${server.url}/login/${provider}`)).status).to.equal(302);
    }
    expectClean(ear, authorizationURLs);
  });

  it('T11: no URL of a fallback, a retry or a failed request contains a secret', async () => {
    const world = await sandbox();
    const ear = closing(await eavesdrop(world));
    const server = await app(strategy(world, tappedBy(ear, subject, world)));
    expect((await logIn(server, provider)).status).to.equal(200);
    for (const [step] of ear.requests.slice().entries()) {
      for (const status of [403, 500]) {
        ear.turnHostile(step, () => ({ status, body: { error: 'x' } }));
        await wholeLogin(server, provider);
        ear.calmDown();
      }
    }
    expectClean(ear, []);
  });

  it('T15: a profile request that gets 503 is retried at most twice, and only if it is a GET', async () => {
    // Pauses are not waited for.
    const pauses = mock.method(clock, 'delay', async () => {});
    closing({ close: () => pauses.mock.restore() });
    const scene = await hostileScene(contract);
    scene.meddle('profileURL', () => ({ status: 503 }));
    expect((await scene.attempt()).status).to.equal(503);
    expect(scene.seenAt('profileURL')).to.have.length(1 + subject.retries);
    expect(subject.retries).to.be.within(0, scene.seenAt('profileURL')[0]?.method === 'GET' ? 2 : 0);
  });

  if (isOAuth2(subject) && subject.email !== undefined) {
    it('C23: includeEmail adds the scope of the e-mail address and nothing else', async () => {
      const { world, browser, authorization, callback } = await begin({ includeEmail: true });
      expect(new URL(authorization).searchParams.get('scope')).to.equal(subject.email?.scope);
      expect((await browser.get(callback)).status).to.equal(200);
      // Another request would mean that a field lacks its scope.
      expect(backendRequests(world)).to.have.length(2);
    });
  }
});

/** Expects no secret in any URL, except the state and the request token, which belong there. */
function expectClean(ear: Eavesdropper, authorizationURLs: readonly string[]): void {
  const secrets = [...ear.secrets].filter(([, name]) => name !== 'state');
  expect(secrets).to.have.length.above(3);
  const urls = [
    ...ear.requests.map(({ url }) => url),
    ...authorizationURLs.filter((url) => !url.includes('oauth_token=')),
  ];
  expect(urls).to.have.length.above(3);
  for (const url of urls) {
    for (const [secret, name] of secrets) {
      expect(decodeURIComponent(url).includes(secret), `${name} in ${url}`).to.equal(false);
    }
  }
}

async function useTokens(strategy: AfterLogin, [token, second, params]: unknown[]): Promise<void> {
  const { device_id: device } = params as { device_id?: string };
  const quietly = (work: Promise<unknown> | undefined) => work?.catch(() => undefined);
  const refreshed = await quietly(strategy.refresh?.(String(second), device));
  const current = (refreshed as { accessToken?: string } | undefined)?.accessToken ?? String(token);
  await quietly(strategy.logout?.(current));
  await quietly(strategy.revoke?.(current, String(second)));
}
