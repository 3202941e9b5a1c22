import { mock } from 'node:test';
import { expect } from 'chai';
import { MalformedError } from '../../lib/index.js';
import { describeEach, expectRefused, isOAuth1, verifyPerson } from '../contract/harness.js';
import { classOf } from '../contract/strategies.js';
import { fakeClock } from '../support/clock.js';
import { withParameters } from '../support/journey.js';
import { fieldsOf } from '../support/oauth-sign.js';
import { changedForm, changedText, failedLogin, hostileScene } from './hostile-network.js';

describeEach(
  'OAuth 1.0a',
  (contract) => {
    const { subject, sandbox, strategy, begin } = contract;
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

    it('T8: a page is no form, although one with tokens can be read from it', async () => {
      for (const endpoint of ['requestTokenURL', 'accessTokenURL'] as const) {
        const scene = await hostileScene(contract);
        const page = changedText((form) => ` <p>page=1&${form}</p>`);
        scene.meddle(endpoint, page);
        const { error } = await failedLogin(scene);
        expect(error).to.be.instanceOf(MalformedError).with.property('code', 'unreadable_response');
      }
    });

    it('O5: nonces differ even if Math.random is constant, and timestamps come from the clock', async () => {
      const scene = await hostileScene(contract);
      const { mock: random } = mock.method(Math, 'random', () => 0.5);
      const now = clock.stop();
      try {
        for (let count = 0; count < 2; count += 1) expect((await scene.attempt()).status).to.equal(200);
      } finally {
        random.restore();
      }
      const parameters = scene.network.requests.map(({ headers }) => fieldsOf(headers.authorization));
      expect(parameters).to.have.length(6);
      expect(new Set(parameters.map(({ oauth_nonce }) => oauth_nonce)).size).to.equal(6);
      for (const { oauth_nonce } of parameters) expect(oauth_nonce).to.match(/^[0-9a-f]{32}$/);
      const timestamps = new Set(parameters.map(({ oauth_timestamp }) => oauth_timestamp));
      expect([...timestamps]).to.deep.equal([String(Math.floor(now / 1_000))]);
    });

    it('O7, O8: neither PLAINTEXT nor SHA-256, which the network does not document, is offered', async () => {
      for (const signatureMethod of ['PLAINTEXT', 'HMAC-SHA1', 'RSA-SHA1', 'HMAC-SHA256']) {
        const options = { ...subject.options(await sandbox()), signatureMethod };
        expect(() => new (classOf(subject))(options, verifyPerson)).to.throw(
          TypeError,
          'option signatureMethod is not taken: the network documents HMAC-SHA1 only.',
        );
      }
    });
  },
  isOAuth1,
);
