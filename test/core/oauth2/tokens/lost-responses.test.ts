import { expect } from 'chai';
import { MalformedError, UnreachableError } from '../../../../lib/index.js';
import type { Reply, SeenRequest } from '../../../support/server.js';
import { rejectionOf } from '../../../support/thrown.js';
import { describeEach } from './accounts.js';

const ADVICE =
  'The refresh token may be spent all the same: keep it, and if the next refresh is refused, let the user log in again.';

const silence = () => new Promise<never>(() => undefined);
const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n';

interface Loss {
  readonly respond: (request: SeenRequest) => Reply | Promise<Reply>;
  readonly class: typeof UnreachableError | typeof MalformedError;
  readonly code: string;
}

const LOSSES: Readonly<Record<string, Loss>> = {
  'is truncated': {
    respond: ({ socket }) => {
      socket.end(`${head}{"access_token":"NEW-CANARY`);
      return silence();
    },
    class: UnreachableError,
    code: 'response_cut_short',
  },
  'never arrives': { respond: silence, class: UnreachableError, code: 'timeout' },
  'stops halfway': {
    respond: ({ socket }) => {
      socket.write(`${head}{"access_token":"NEW-CANARY`);
      return silence();
    },
    class: UnreachableError,
    code: 'timeout',
  },
  'is lost with the connection': {
    respond: ({ socket }) => {
      socket.destroy();
      return silence();
    },
    class: UnreachableError,
    code: 'connection_failed',
  },
  'is too large': {
    respond: () => ({ body: `{"access_token":"${'x'.repeat(1_100_000)}` }),
    class: UnreachableError,
    code: 'response_too_large',
  },
  'is an HTML page': {
    respond: () => ({ body: '<html>NEW-CANARY</html>' }),
    class: MalformedError,
    code: 'unreadable_response',
  },
  'is an HTML page with 502': {
    respond: () => ({ status: 502, body: '<html>NEW-CANARY</html>' }),
    class: MalformedError,
    code: 'unreadable_response',
  },
  'is half of a JSON object': {
    respond: () => ({ body: '{"access_token":"NEW-CANARY"' }),
    class: MalformedError,
    code: 'unreadable_response',
  },
  'has no access token': {
    respond: () => ({ body: { refresh_token: 'NEW-CANARY', token_type: 'bearer' } }),
    class: MalformedError,
    code: 'token_missing',
  },
  'has a token of an unknown type': {
    respond: () => ({ body: { access_token: 'NEW-CANARY', token_type: 'mac' } }),
    class: MalformedError,
    code: 'token_type_unknown',
  },
  'is JSON null': { respond: () => ({ body: 'null' }), class: MalformedError, code: 'unreadable_response' },
  'is empty': { respond: () => ({ body: '' }), class: MalformedError, code: 'unreadable_response' },
  'is not UTF-8': {
    respond: () => ({ body: Buffer.from([0x7b, 0xff, 0x7d]) }),
    class: MalformedError,
    code: 'unreadable_response',
  },
};

describeEach('a refresh whose response', ({ subject, played }) => {
  for (const [what, { respond, class: expected, code }] of Object.entries(LOSSES)) {
    it(`${what} is an error that says that the refresh token may be used up, and to keep it`, async () => {
      const { refresh, network } = await played(respond, code === 'timeout' ? { timeout: 300 } : {});

      const error = await rejectionOf(refresh('OLD-CANARY'));

      expect(error).to.be.instanceOf(expected);
      expect(error).to.include({ provider: subject.provider, step: 'refresh', code });
      const { message } = error as Error;
      expect(message).to.include(ADVICE);
      expect(message).not.to.include('CANARY');
      // A refresh is never retried, because the network may have received the first request.
      expect(network.requests).to.have.length(1);
    });
  }

  it('is an error response does not say to keep the token', async () => {
    const { refresh } = await played(() => ({ status: 400, body: { error: 'invalid_grant' } }));
    const { message } = (await rejectionOf(refresh('OLD'))) as Error;
    expect(message).to.include('let the user log in again');
    expect(message).not.to.include('keep it');
  });
});
