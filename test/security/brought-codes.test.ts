import { createHash, randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { expect } from 'chai';
import type { BroughtCode, ExchangedCode, ExchangeOptions } from '../../lib/index.js';
import { cookieLogins, ProviderError, RefusedError } from '../../lib/index.js';
import type { Sandbox } from '../../sandbox/lib/index.js';
import { backendRequests, describeEach, isOAuth2, personOf } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { allow, start, withParameters } from '../support/journey.js';
import type { NamedStrategy } from '../support/login-app.js';
import { mistakeOf, rejectionOf } from '../support/thrown.js';

/** Where the app on the phone gets its code: an address of its own. */
const APP = 'https://shop.example/app/login';

type Exchanging = NamedStrategy & {
  exchange(brought: BroughtCode, options?: ExchangeOptions): Promise<ExchangedCode<unknown>>;
};

describeEach(
  'a code that an app on a phone brings',
  ({ subject, sandbox, strategy, app }) => {
    const { provider, challenge } = subject;
    const hasPKCE = challenge !== 'none';
    const options = hasPKCE ? {} : { withoutVerifier: true };

    const make = (world: Sandbox, more: object = {}) => strategy(world, more) as Exchanging;

    /** The app asks the network itself, with a verifier of its own, as the networks' SDKs do. @returns What it brings to the server. */
    async function bring(world: Sandbox, person = 'alice'): Promise<BroughtCode> {
      // A server of the application, for an authorization URL as the network wants it.
      const server = await app(strategy(world));
      const codeVerifier = randomBytes(40).toString('base64url');
      const authorization = withParameters(await start(new Browser(), server, provider), {
        redirect_uri: APP,
        state: randomBytes(32).toString('base64url'),
        ...(hasPKCE && {
          code_challenge: createHash('sha256')
            .update(codeVerifier)
            .digest(challenge as 'hex' | 'base64url'),
        }),
      });
      const { searchParams } = new URL(await allow(new Browser(), authorization, person));
      return {
        code: searchParams.get('code') ?? '',
        redirectURI: APP,
        ...(hasPKCE && { codeVerifier }),
        ...(searchParams.has('device_id') && { deviceID: searchParams.get('device_id') ?? '' }),
      };
    }

    const refusalOf = async (exchanged: Promise<unknown>) => {
      const error = await rejectionOf(exchanged);
      const { code, status, message } = error as Error & { code?: string; status?: number };
      return { code, status, message, error };
    };

    async function scene() {
      const world = await sandbox();
      return { world, exchanging: make(world), brought: await bring(world) };
    }

    it('C48: is exchanged for tokens and profile, without a request, a session or verify', async () => {
      const world = await sandbox();
      const verify = () => {
        throw new Error('verify was called');
      };
      const { tokens, profile } = await (strategy(world, {}, verify) as Exchanging).exchange(
        await bring(world),
        options,
      );
      const { id, displayName } = personOf(subject, world, 'alice');
      expect(profile).to.include({ provider, id, displayName });
      expect(tokens.accessToken).to.equal(tokens.params.access_token);
      expect(tokens.accessToken).to.have.length.above(16);
      const { refresh_token: refreshToken, device_id: deviceID } = tokens.params;
      expect(tokens.refreshToken).to.equal(refreshToken);
      expect('refreshToken' in tokens).to.equal(refreshToken !== undefined);
      if (provider === 'social-network' && hasPKCE) expect(deviceID).to.have.length(86);
    });

    it('C48: works once: a second time is 403, also while the first is under way, and sends no request', async () => {
      const { world, exchanging, brought } = await scene();
      const requests = () => backendRequests(world).filter((endpoint) => endpoint === subject.faults.token);
      const [first, second] = await Promise.allSettled([
        exchanging.exchange(brought, options),
        exchanging.exchange(brought, options),
      ]);
      expect([first.status, second.status]).to.deep.equal(['fulfilled', 'rejected']);
      const third = await refusalOf(exchanging.exchange(brought, options));
      expect(third).to.include({
        code: 'used_login',
        status: 403,
        message:
          'This callback or code was used already: the page was reloaded, or the link opened or the code sent twice. Start the login again.',
      });
      expect(requests()).to.have.length(1);
    });

    it('C13, C48: is not sent again after a fault of the network', async () => {
      const { world, exchanging, brought } = await scene();
      world.fault({ network: provider, endpoint: subject.faults.token, fault: { kind: 'reset' } });
      expect((await refusalOf(exchanging.exchange(brought, options))).error).to.be.instanceOf(ProviderError);
      expect(await refusalOf(exchanging.exchange(brought, options))).to.include({ code: 'used_login' });
    });

    it('C26, C48: is claimed where all processes see it', async () => {
      const world = await sandbox();
      const claimed: string[] = [];
      const claim = (id: string) => claimed.push(id) === 1;
      const store = () => cookieLogins({ claim });
      const brought = await bring(world);
      await make(world, { store: store() }).exchange(brought, options);
      const elsewhere = make(world, { store: store() }).exchange(brought, options);
      expect(await refusalOf(elsewhere)).to.include({ code: 'used_login', status: 403 });
      expect(claimed).to.have.length(2);
      expect(claimed[0])
        .to.match(/^[\w-]{43}$/)
        .and.to.equal(claimed[1]);
    });

    it('C9, C48: is 400 without a request if it is missing, empty, too long or no string', async () => {
      const { world, exchanging, brought } = await scene();
      const before = backendRequests(world);
      for (const code of [undefined, null, '', 7, ['a'], { a: 1 }, 'x'.repeat(8_193)]) {
        const given = { ...brought, code } as BroughtCode;
        expect(await refusalOf(exchanging.exchange(given, options)), inspect(code)).to.include({
          code: 'malformed_response',
          status: 400,
        });
      }
      for (const deviceID of ['', 7, ['a'], 'x'.repeat(8_193)]) {
        const given = { ...brought, deviceID } as BroughtCode;
        expect(await refusalOf(exchanging.exchange(given, options))).to.include({ status: 400 });
      }
      expect(backendRequests(world)).to.deep.equal(before);
      // Nothing was used up.
      await exchanging.exchange(brought, options);
      const longest = { ...brought, code: 'x'.repeat(8_192) };
      expect(await refusalOf(exchanging.exchange(longest, options))).to.include({ code: 'refused' });
    });

    it('C14, C48: needs the redirect URI of the app, which the application knows', async () => {
      const { exchanging, brought } = await scene();
      for (const redirectURI of [undefined, '', '/app/login', 7]) {
        const given = { ...brought, redirectURI } as BroughtCode;
        expect(await mistakeOf(exchanging.exchange(given, options))).to.match(
          /exchange needs the redirectURI, a constant/,
        );
      }
      const other = exchanging.exchange({ ...brought, redirectURI: 'https://shop.example/web' }, options);
      const { error } = await refusalOf(other);
      expect(error).to.be.instanceOf(RefusedError).and.to.include({ means: 'code spent' });
    });

    if (hasPKCE) {
      it('C15, C48: is 400 without a verifier that is one, and no request is sent', async () => {
        const { world, exchanging, brought } = await scene();
        const before = backendRequests(world);
        const wrong = [undefined, '', 'x'.repeat(42), 'x'.repeat(129), `${'x'.repeat(43)}\n`, 'é'.repeat(43)];
        for (const codeVerifier of wrong) {
          for (const more of [{}, { withoutVerifier: true }]) {
            const given = { ...brought, codeVerifier } as BroughtCode;
            expect(await refusalOf(exchanging.exchange(given, more))).to.include({ status: 400 });
          }
        }
        expect(backendRequests(world)).to.deep.equal(before);
      });

      it("C15, C48: is worth nothing to whoever has the code alone, nor is another login's verifier", async () => {
        const world = await sandbox();
        const [stolen, own] = [await bring(world), await bring(world, 'anna')];
        const mixed = { ...stolen, codeVerifier: own.codeVerifier };
        const { error } = await refusalOf(make(world).exchange(mixed, options));
        expect(error).to.be.instanceOf(RefusedError).and.to.include({ means: 'code spent' });
      });
    } else {
      it('C40, C48: is a TypeError where the network has no PKCE, unless the option says so', async () => {
        const { world, exchanging, brought } = await scene();
        const before = backendRequests(world);
        const verifier = { ...brought, codeVerifier: 'x'.repeat(43) };
        const spread = { ...brought, withoutVerifier: true };
        for (const [given, more] of [
          [brought, {}],
          [spread, {}],
          [verifier, {}],
          [verifier, options],
          [brought, { withoutVerifier: 'true' as unknown as boolean }],
        ] as const) {
          expect(await mistakeOf(exchanging.exchange(given, more))).to.match(
            /^social-network: this network has no PKCE/,
          );
        }
        expect(backendRequests(world)).to.deep.equal(before);
      });

      it('C40, C48: takes no option from Object.prototype', async () => {
        const world = await sandbox();
        const brought = await bring(world);
        Object.defineProperty(Object.prototype, 'withoutVerifier', { value: true, configurable: true });
        try {
          await mistakeOf(make(world).exchange(brought));
        } finally {
          Reflect.deleteProperty(Object.prototype, 'withoutVerifier');
        }
      });
    }

    it('S1, C48: no error shows the code, the verifier or the device', async () => {
      const world = await sandbox();
      const brought = await bring(world);
      const secrets = [brought.code, brought.codeVerifier, brought.deviceID].filter(
        (one) => one !== undefined,
      );
      world.fault({ network: provider, endpoint: subject.faults.token, fault: { kind: 'wrong-type' } });
      const { error } = await refusalOf(make(world).exchange(brought, options));
      for (const secret of secrets) expect(inspect(error, { depth: 9 })).not.to.include(secret);
    });
  },
  isOAuth2,
);
