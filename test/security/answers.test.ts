import { expect } from 'chai';
import { MalformedError, RefusedError } from '../../lib/index.js';
import { describeEach, isOAuth1, isOAuth2 } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { changedForm, changedJSON, failedLogin, hostileScene, neverCalled } from './hostile-network.js';

const INSIDE = 'string-inside-the-response';
/** Bodies that are not valid responses, with what the error calls each of them. */
const BODIES: Readonly<Record<string, string>> = {
  [`<!doctype html><p>access_token=${INSIDE}&token_type=bearer&oauth_token=${INSIDE}</p>`]: 'a page',
  null: 'JSON null',
  [`["${INSIDE}"]`]: 'a JSON array',
  [`"${INSIDE}"`]: 'a JSON string',
  '12345678901234567890': 'a JSON number',
  '': 'an empty body',
  [INSIDE]: 'text',
  '{': 'text',
};

describeEach('a response of the wrong kind', (contract) => {
  it('T8: a page, text, or JSON that is no object at any endpoint is a typed error, and the process survives', async () => {
    const scene = await hostileScene(contract, {}, neverCalled);
    for (const [body, called] of Object.entries(BODIES)) {
      for (const endpoint of scene.endpoints) {
        scene.meddle(endpoint, () => ({ body }));
        const { error, page } = await failedLogin(scene);
        expect(error, body).to.be.instanceOf(MalformedError);
        expect(page.status).to.equal(502);
        // Almost any string parses as an OAuth 1.0a form; then the error is a missing token.
        expect(error.code).to.be.oneOf(['unreadable_response', 'token_missing']);
        if (error.code === 'unreadable_response')
          expect(error.message).to.include(`HTTP 200 returned ${called}`);
        expect(page.text).to.not.include(INSIDE);
      }
    }
    expect((await new Browser().get(`${scene.app.url}/me`)).status).to.equal(200);
  });
});

describeEach(
  'an OAuth 2.0 token response',
  (contract) => {
    /** Expects an error for each of these values of a property, and no further request. */
    async function expectErrors(code: string, name: string, values: readonly unknown[]): Promise<void> {
      const scene = await hostileScene(contract, {}, neverCalled);
      for (const value of values) {
        scene.meddle('tokenURL', changedJSON({ [name]: value }));
        const { error } = await failedLogin(scene);
        expect(error).to.be.instanceOf(MalformedError);
        expect([value, error.code, error.step]).to.deep.equal([value, code, 'token']);
      }
      expect(scene.seenAt('profileURL')).to.deep.equal([]);
    }

    it('T8: with HTTP 200, an error beside a token or in place of a record is a RefusedError, unless it is empty', async () => {
      const scene = await hostileScene(contract);
      // Beside a record, the microblog network lists the fields that it could not read.
      const place = contract.subject.provider === 'microblog' ? { data: undefined } : {};
      for (const error of [5, true, ['x'], { code: 5 }, { unknown: 1 }, 'server_error']) {
        for (const [endpoint, step, changes] of [
          ['tokenURL', 'token', { error }],
          ['profileURL', 'profile', { ...place, error }],
        ] as const) {
          scene.meddle(endpoint, changedJSON(changes));
          const refused = (await failedLogin(scene)).error;
          expect(refused, JSON.stringify(error)).to.be.instanceOf(RefusedError);
          expect(refused).to.include({ step, code: 'refused', networkStatus: 200 });
        }
      }
      for (const error of [null, '', false]) {
        const beside = changedJSON({ error });
        const page = await scene.attemptWith({ tokenURL: beside, profileURL: beside });
        expect(page.status, page.text).to.equal(200);
      }
    });

    it('T9: token_type bearer is accepted in any letter case', async () => {
      const scene = await hostileScene(contract);
      for (const token_type of ['bearer', 'Bearer', 'BEARER']) {
        scene.meddle('tokenURL', changedJSON({ token_type }));
        expect((await scene.attempt()).status).to.equal(200);
      }
    });

    it('T9: a token of another type is an error, and verify is not called', async () => {
      const others = ['mac', 'DPoP', '', 'bearer ', 7, ['bearer'], { type: 'bearer' }];
      await expectErrors('token_type_unknown', 'token_type', others);
    });

    it('T9: a token without a type is an error, except at networks that are known to send none', async () => {
      if (contract.subject.tokenType) {
        return expectErrors('token_type_unknown', 'token_type', [undefined, null]);
      }
      const scene = await hostileScene(contract);
      for (const token_type of [undefined, null]) {
        scene.meddle('tokenURL', changedJSON({ token_type }));
        expect((await scene.attempt()).status).to.equal(200);
      }
    });

    it('T10: an access token that is missing, empty, not a string, or no text for a header is an error, and verify is not called', async () => {
      const none = [{ token: 'x' }, ['x'], 7, true, '', null, undefined, 'a\nb', 'жетон', 'a\u0000'];
      await expectErrors('token_missing', 'access_token', none);
    });
  },
  isOAuth2,
);

describeEach(
  'OAuth 1.0a credentials',
  (contract) => {
    it('O4: a token or secret that is missing, empty or too long in either response is an error, and verify is not called', async () => {
      const scene = await hostileScene(contract, {}, neverCalled);
      for (const [endpoint, step] of [
        ['requestTokenURL', 'request token'],
        ['accessTokenURL', 'token'],
      ] as const) {
        for (const name of ['oauth_token', 'oauth_token_secret']) {
          for (const value of [undefined, '', 'x'.repeat(8_193)]) {
            scene.meddle(endpoint, changedForm({ [name]: value }));
            const { error } = await failedLogin(scene);
            expect(error).to.be.instanceOf(MalformedError);
            expect([error.code, error.step]).to.deep.equal(['token_missing', step]);
          }
        }
      }
      expect(scene.seenAt('profileURL')).to.deep.equal([]);
    });
  },
  isOAuth1,
);
