import { expect } from 'chai';
import type { Profile, RefreshOptions, Tokens } from '../../lib/index.js';
import { isOAuth2, protocolOf, subjects } from '../contract/strategies.js';
import { closesAfterEach } from '../support/cleanup.js';
import { logIn } from '../support/journey.js';
import { loginApp, type NamedStrategy } from '../support/login-app.js';
import { eachSandbox } from '../support/sandbox.js';
import type { AnyFunction } from '../support/verification.js';
import { programsOf } from './programs.js';

const PAGE = 'docs/tokens.md';
const THREE_HOURS = 3 * 60 * 60 * 1000;

type Account = { readonly accessToken: string; refresh(): Promise<Tokens> };
type Calling = { currentProfile: (strategy: object, account: Account) => Promise<Profile<unknown>> };

type StrategyClass = new (
  options: object,
  verify: AnyFunction,
) => NamedStrategy & { refresh(token: string, options?: RefreshOptions): Promise<Tokens> };

/** The package as the guide's programs import it. */
const built = require('passport-social-networks') as Readonly<Record<string, StrategyClass>>;

describe('The guide to tokens after the login', () => {
  const { write } = programsOf(PAGE);
  const closing = closesAfterEach();
  // The tests move the clock of the sandbox.
  const sandbox = eachSandbox();
  /** What the application stores after a login. */
  let stored = { accessToken: '', refreshToken: '', deviceID: '', id: '' };

  const verify: AnyFunction = (accessToken, refreshToken, { device_id: deviceID }, { id }, done) => {
    stored = { accessToken, refreshToken, deviceID, id };
    done(null, { id });
  };

  for (const subject of subjects().filter(isOAuth2)) {
    for (const { title, options } of subject.refreshTokens?.clients ?? []) {
      const client = [protocolOf(subject), title].filter(Boolean).join(', ');
      it(`calls ${client} with an expired access token: refreshes it, and tries again once`, async () => {
        const { currentProfile } = require(write('call-network.ts')) as Calling;
        const Class = built[subject.name] as StrategyClass;
        const strategy = new Class({ ...options(sandbox), passParamsToCallback: true }, verify);
        await logIn(closing(await loginApp(strategy)), strategy.name);
        sandbox.advance(THREE_HOURS);
        let refreshes = 0;
        const profile = await currentProfile(strategy, {
          accessToken: stored.accessToken,
          refresh() {
            refreshes += 1;
            return strategy.refresh(stored.refreshToken, { userID: stored.id, deviceID: stored.deviceID });
          },
        });
        expect(profile.displayName).to.equal('Alice Example');
        expect(refreshes).to.equal(1);
      });
    }
  }
});
