import { expect } from 'chai';
import { MalformedError, ProviderError } from '../../lib/index.js';
import { describeEach, isOAuth1, isOAuth2 } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { changed, changedForm, type HostileScene, hostileScene } from './hostile-network.js';

const INSIDE = 'string-inside-the-response';
/** Bodies that are not valid responses, with what the error calls each of them. */
const BODIES: Readonly<Record<string, string>> = {
  [`<!doctype html><p>access_token=${INSIDE}&token_type=bearer&oauth_token=${INSIDE}</p>`]: 'a page',
  null: 'JSON null',
  '[]': 'a JSON array',
  [`["${INSIDE}"]`]: 'a JSON array',
  [`"${INSIDE}"`]: 'a JSON string',
  '12345678901234567890': 'a JSON number',
  true: 'a JSON boolean',
  '': 'an empty body',
  ' \n ': 'an empty body',
  [INSIDE]: 'text',
  '{': 'text',
};

describeEach('a response of the wrong kind', (contract) => {
  for (const [body, called] of Object.entries(BODIES)) {
    it(`T8: ${JSON.stringify(body.slice(0, 24))} at any endpoint is a typed error, and the process survives`, async () => {
      const scene = await hostileScene(contract, {}, neverCalled);
      for (const endpoint of scene.endpoints) {
        scene.meddle(endpoint, () => ({ headers: { 'content-type': 'application/json' }, body }));
        const { error, page } = await failure(scene);
        expect(error).to.be.instanceOf(MalformedError);
        expect(page.status).to.equal(502);
        // Almost any string parses as an OAuth 1.0a form; then the error is a missing token.
        expect(error.code).to.be.oneOf(['unreadable_response', 'token_missing']);
        if (error.code === 'unreadable_response')
          expect(error.message).to.include(`HTTP 200 returned ${called}`);
        expect(page.text).to.not.include(INSIDE);
      }
      expect((await new Browser().get(`${scene.app.url}/me`)).status).to.equal(200);
    });
  }

  it('T8: a response of the wrong kind with another status is a typed error too', async () => {
    const scene = await hostileScene(contract, {}, neverCalled);
    // Not 404: OAuth 1.0a then tries another URL.
    for (const status of [201, 400, 500]) {
      for (const body of ['<p>', '[]', '']) {
        for (const endpoint of scene.endpoints) {
          scene.meddle(endpoint, () => ({ status, body }));
          const { error, page } = await failure(scene);
          expect(error, `${status} ${body}`).to.be.instanceOf(ProviderError);
          expect(page.status).to.equal(502);
        }
      }
    }
  });

  it('T8: a response that is not valid UTF-8 is a typed error', async () => {
    const scene = await hostileScene(contract, {}, neverCalled);
    for (const endpoint of scene.endpoints) {
      scene.meddle(endpoint, async (honest) => {
        const { body } = await honest();
        const place = Math.max(body.lastIndexOf('":"') + 3, body.lastIndexOf('=') + 1);
        return { body: Buffer.concat([body.subarray(0, place), Buffer.from([0xc3]), body.subarray(place)]) };
      });
      const { error } = await failure(scene);
      expect(error).to.be.instanceOf(MalformedError);
      expect(error.message).to.include('text that is not UTF-8');
    }
  });
});

describeEach(
  'an OAuth 2.0 token response',
  (contract) => {
    it('T9: token_type bearer is accepted in any letter case', async () => {
      const scene = await hostileScene(contract);
      for (const token_type of ['bearer', 'Bearer', 'BEARER']) {
        scene.meddle(
          'tokenURL',
          changed((response) => ({ ...response, token_type })),
        );
        expect((await scene.attempt()).status).to.equal(200);
      }
    });

    it('T9: a token of another type is an error, and verify is not called', async () => {
      const scene = await hostileScene(contract, {}, neverCalled);
      for (const token_type of ['mac', 'DPoP', '', 'bearer ', 7, ['bearer'], { type: 'bearer' }]) {
        scene.meddle(
          'tokenURL',
          changed((response) => ({ ...response, token_type })),
        );
        expect((await failure(scene)).error.code).to.equal('token_type_unknown');
      }
    });

    it('T9: a token without a type is an error, except at networks that are known to send none', async () => {
      const scene = await hostileScene(contract);
      for (const token_type of [undefined, null]) {
        scene.meddle(
          'tokenURL',
          changed((response) => ({ ...response, token_type })),
        );
        const page = await scene.attempt();
        if (!contract.subject.tokenType) expect(page.status).to.equal(200);
        else expect([page.status, page.json.code]).to.deep.equal([502, 'token_type_unknown']);
      }
    });

    it('T10: an access token that is missing, empty, not a string, or no text for a header is an error, and verify is not called', async () => {
      const scene = await hostileScene(contract, {}, neverCalled);
      for (const access_token of [
        { token: 'x' },
        ['x'],
        7,
        true,
        '',
        null,
        undefined,
        'a\nb',
        'жетон',
        'a\u0000',
      ]) {
        scene.meddle(
          'tokenURL',
          changed((response) => ({ ...response, access_token })),
        );
        const { error } = await failure(scene);
        expect(error).to.be.instanceOf(MalformedError);
        expect([error.code, error.step]).to.deep.equal(['token_missing', 'token']);
      }
      expect(scene.seenAt('profileURL')).to.deep.equal([]);
    });

    it('T10: an access token that comes from a polluted prototype is a missing token', async () => {
      const scene = await hostileScene(contract, {}, neverCalled);
      scene.meddle('tokenURL', () => ({ body: '{"token_type":"bearer","expires_in":60}' }));
      Object.defineProperty(Object.prototype, 'access_token', { configurable: true, value: 'polluted' });
      try {
        expect((await failure(scene)).error.code).to.equal('token_missing');
      } finally {
        Reflect.deleteProperty(Object.prototype, 'access_token');
      }
      expect(scene.seenAt('profileURL')).to.deep.equal([]);
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
            const { error } = await failure(scene);
            expect(error).to.be.instanceOf(MalformedError);
            expect([error.code, error.step]).to.deep.equal(['token_missing', step]);
          }
        }
      }
      expect(scene.seenAt('profileURL')).to.deep.equal([]);
    });

    it('O4: a token that occurs twice in either response is an error', async () => {
      const scene = await hostileScene(contract, {}, neverCalled);
      for (const endpoint of ['requestTokenURL', 'accessTokenURL'] as const) {
        scene.meddle(endpoint, async (honest) => {
          const { body } = await honest();
          return { body: `${body.toString()}&oauth_token=another` };
        });
        expect((await failure(scene)).error.code).to.equal('unreadable_response');
      }
    });
  },
  isOAuth1,
);

function neverCalled(): never {
  throw new Error('verify was called');
}

/** Runs a login that fails. @returns Its one error. */
async function failure(scene: HostileScene) {
  const endings = scene.app.endings.length;
  const page = await scene.attempt();
  expect(scene.app.endings).to.have.length(endings + 1);
  const { error } = scene.app.endings.at(-1) as { error: ProviderError };
  return { error, page };
}
