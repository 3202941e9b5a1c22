import { inspect } from 'node:util';
import { expect } from 'chai';
import { MalformedError } from '../../../lib/core/errors/index.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { getRequest, networkClient } from '../../support/network-client.js';
import { realSockets } from '../../support/real-sockets.js';
import { network, type Reply } from '../../support/server.js';
import { rejectionOf } from '../../support/thrown.js';

describe('unreadable responses', () => {
  realSockets();
  const close = closesAfterEach();

  async function errorOf(reply: Reply): Promise<MalformedError> {
    const { url } = close(await network(() => reply));
    const error = await rejectionOf(networkClient().requestJSON(getRequest(url)));
    expect(error).to.be.instanceOf(MalformedError);
    return error as MalformedError;
  }

  const bodies: Readonly<Record<string, [string, string]>> = {
    'an empty body': ['', 'an empty body'],
    'white space': [' \n', 'an empty body'],
    null: ['null', 'JSON null'],
    'an array': ['[{"id":1}]', 'a JSON array (10 characters)'],
    'a JSON string': ['"secret"', 'a JSON string (8 characters)'],
    'a number': ['42', 'a JSON number (2 characters)'],
    'a page': ['<html>secret</html>', 'a page (HTML or XML, 19 characters)'],
    'a form': ['access_token=secret', 'text (19 characters)'],
    'JSON that is cut short': ['{"access_token":"secret', 'text (23 characters)'],
  };
  for (const [title, [body, description]] of Object.entries(bodies)) {
    it(`T8: ${title} is unreadable, and the error does not quote it`, async () => {
      const error = await errorOf({ body });
      expect(error).to.include({ code: 'unreadable_response', networkStatus: 200 });
      expect(error).to.include({ provider: 'network', step: 'profile' });
      expect(error.message).to.equal(
        `network, profile: expected a JSON object, but HTTP 200 returned ${description}. Check the address in the options, and for a proxy or a captive page in between.`,
      );
      expect(inspect(error, { depth: 9, showHidden: true })).to.not.include('secret');
    });
  }

  it('T8: a body that is not UTF-8 is unreadable', async () => {
    const error = await errorOf({ body: Buffer.from('{"a":"\xff"}', 'latin1') });
    expect(error.code).to.equal('unreadable_response');
    expect(error.message).to.include('returned text that is not UTF-8 (9 characters)');
  });

  it('a fault of the network has another hint than a wrong URL', async () => {
    expect((await errorOf({ status: 503, body: '<html>' })).message).to.include(
      'HTTP 503 returned a page (HTML or XML, 6 characters). The network has a fault; try again later.',
    );
  });
});
