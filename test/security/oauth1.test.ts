import { expect } from 'chai';
import { MalformedError } from '../../lib/index.js';
import type { MicroblogOAuth1Strategy } from '../../lib/microblog/index.js';
import { describeEach, expectRefused, isOAuth1, verifyPerson } from '../contract/harness.js';
import { classOf } from '../contract/strategies.js';
import { Browser } from '../support/browser.js';
import { fakeClock } from '../support/clock.js';
import { withParameters } from '../support/journey.js';
import { fieldsOf, oauthSign } from '../support/oauth-sign.js';
import { network } from '../support/server.js';
import { changedForm, failedLogin, hostileScene } from './hostile-network.js';

describeEach(
  'OAuth 1.0a',
  (contract) => {
    const { subject, sandbox, strategy, app, begin } = contract;
    const { provider } = subject;
    const clock = fakeClock();

    for (const confirmed of [undefined, 'false', '', 'TRUE']) {
      it(`O1: ${JSON.stringify(confirmed)} as oauth_callback_confirmed is an error, and nobody is redirected`, async () => {
        const scene = await hostileScene(contract);
        scene.meddle('requestTokenURL', changedForm({ oauth_callback_confirmed: confirmed }));
        const { error, page } = await failedLogin(scene);
        expect([page.status, page.location]).to.deep.equal([502, '']);
        expect(error).to.be.instanceOf(MalformedError).with.property('code', 'callback_unconfirmed');
      });
    }

    it('O2: an authorization response without a verifier is a failure, with no request to the network', async () => {
      for (const oauth_verifier of [undefined, '']) {
        const { world, browser, callback } = await begin();
        const url = withParameters(callback, { oauth_verifier });
        await expectRefused(world, () => browser.get(url), 'malformed_response', 400);
      }
    });

    it('C48: has no exchange for codes, of which it knows none', async () => {
      expect('exchange' in strategy(await sandbox())).to.equal(false);
    });

    it('O5: nonces differ even if Math.random is constant, and timestamps come from the clock', async () => {
      const scene = await hostileScene(contract);
      const { random } = Math;
      Math.random = () => 0.5;
      const now = clock.stop();
      try {
        for (let count = 0; count < 2; count += 1) expect((await scene.attempt()).status).to.equal(200);
      } finally {
        Math.random = random;
      }
      const parameters = scene.network.requests.map(({ headers }) => fieldsOf(headers.authorization));
      expect(parameters).to.have.length(6);
      expect(new Set(parameters.map(({ oauth_nonce }) => oauth_nonce)).size).to.equal(6);
      for (const { oauth_nonce } of parameters) expect(oauth_nonce).to.match(/^[0-9a-f]{32}$/);
      const timestamps = new Set(parameters.map(({ oauth_timestamp }) => oauth_timestamp));
      expect([...timestamps]).to.deep.equal([String(Math.floor(now / 1_000))]);
    });

    it('O6: every signature matches oauth-sign, with repeated names and unusual values', async () => {
      const query =
        "a=2&a=1&a=10&zero=0&no=false&none=&odd=!*'()-._~&plus=a+b&%E8%8A%B1=%F0%9F%8C%B8&b5=%3D%253D";
      const responses: Readonly<Record<string, string>> = {
        '/request_token': 'oauth_token=r&oauth_token_secret=r%26%25&oauth_callback_confirmed=true',
        '/access_token': 'oauth_token=t&oauth_token_secret=t%21%2A',
        '/profile': '{"id_str":"1","screen_name":"a","name":"A"}',
        '/revoke': '{"access_token":"t"}',
      };
      const own = contract.closing(await network(({ path }) => ({ body: responses[path] ?? '' })));
      const urlOptions = {
        requestTokenURL: `${own.url}/request_token?${query}`,
        accessTokenURL: `${own.url}/access_token?${query}`,
        profileURL: `${own.url}/profile?${query}`,
        revocationURL: `${own.url}/revoke?${query}`,
      };
      const made = strategy(await sandbox(), urlOptions);
      const server = await app(made, { start: { accessType: "re!*'()ad" } });
      const browser = new Browser();
      expect((await browser.get(`${server.url}/login/${provider}`)).status).to.equal(302);
      const page = await browser.get(
        `${server.url}/api/auth/callback/${provider}?oauth_token=r&oauth_verifier=v`,
      );
      expect(page.json.user).to.deep.include({ id: '1' });
      const { clientSecret } = subject.options(await sandbox()) as { clientSecret: string };
      await (made as unknown as MicroblogOAuth1Strategy).revoke('t', 't!*');
      const tokenSecrets = ['', 'r&%', 't!*', 't!*'];
      expect(own.requests).to.have.length(4);
      for (const [index, seen] of own.requests.entries()) {
        const { oauth_signature, ...protocol } = fieldsOf(seen.headers.authorization);
        const parameters = grouped([...seen.query, ...seen.form, ...Object.entries(protocol)]);
        const url = `${own.url}${seen.path}`;
        expect(oauth_signature, seen.path).to.equal(
          oauthSign.hmacsign(seen.method, url, parameters, clientSecret, tokenSecrets[index] ?? ''),
        );
      }
    });

    for (const [title, values] of [
      ['O7: PLAINTEXT is not offered', ['PLAINTEXT', 'HMAC-SHA1', 'RSA-SHA1']],
      ['O8: SHA-256, which the network does not document, is not offered', ['HMAC-SHA256']],
    ] as const) {
      it(title, async () => {
        for (const signatureMethod of values) {
          const options = { ...subject.options(await sandbox()), signatureMethod };
          expect(() => new (classOf(subject))(options, verifyPerson)).to.throw(
            TypeError,
            'option signatureMethod is not taken: the network documents HMAC-SHA1 only.',
          );
        }
      });
    }
  },
  isOAuth1,
);

/** The parameters in oauth-sign's form, where a repeated name has an array. */
function grouped(pairs: readonly (readonly [string, string])[]): Record<string, string | string[]> {
  const groups: Record<string, string | string[]> = {};
  for (const [name, value] of pairs) {
    const known = groups[name];
    groups[name] = known === undefined ? value : [known, value].flat();
  }
  return groups;
}
