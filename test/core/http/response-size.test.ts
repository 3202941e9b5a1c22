import zlib = require('node:zlib');

import { expect } from 'chai';
import { UnreachableError } from '../../../lib/core/errors/index.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { getRequest, networkClient } from '../../support/network-client.js';
import { realSockets } from '../../support/real-sockets.js';
import { network, serve } from '../../support/server.js';
import { rejectionOf } from '../../support/thrown.js';

const MEGABYTE = 1_048_576;

describe('the size of a response', () => {
  realSockets();
  const close = closesAfterEach();
  const tooLarge = async (url: string) => {
    const error = (await rejectionOf(networkClient().request(getRequest(url)))) as UnreachableError;
    expect(error).to.be.instanceOf(UnreachableError);
    expect([error.code, error.status]).to.deep.equal(['response_too_large', 502]);
    expect(error.message).to.include('a response of more than 1048576 bytes');
  };

  it('T6: a response of one megabyte is read, one byte more is too large', async () => {
    for (const headers of [undefined, { 'transfer-encoding': 'chunked' }]) {
      const server = close(
        await network(({ url }) => ({
          body: `${'x'.repeat(MEGABYTE - 1 + Number(url.slice(1)))}y`,
          ...(headers && { headers }),
        })),
      );
      const { text } = await networkClient().request(getRequest(`${server.url}/0`));
      expect([text.length, text.at(-1)]).to.deep.equal([MEGABYTE, 'y']);
      await tooLarge(`${server.url}/1`);
    }
  });

  it('T6: a response that announces too much is not read', async () => {
    let sent = false;
    const server = close(
      await serve((_request, response) => {
        response.writeHead(200, { 'content-length': String(2 * MEGABYTE) });
        response.write('x');
        response.on('close', () => {
          sent = response.writableFinished;
        });
      }),
    );
    await tooLarge(server.url);
    expect(sent).to.equal(false);
  });

  it('T6: a response without an end is aborted at the limit', async () => {
    let written = 0;
    const chunk = Buffer.alloc(65_536);
    const server = close(
      await serve((_request, response) => {
        const pour = () => {
          if (response.destroyed) return;
          written += chunk.length;
          if (response.write(chunk)) setImmediate(pour);
          else response.once('drain', pour);
        };
        pour();
      }),
    );
    await tooLarge(server.url);
    expect(written).to.be.above(MEGABYTE);
  });

  const compressions = {
    gzip: zlib.gzipSync,
    'x-gzip': zlib.gzipSync,
    deflate: zlib.deflateSync,
    br: zlib.brotliCompressSync,
  };
  for (const [encoding, compress] of Object.entries(compressions)) {
    const server = (body: string) =>
      network(() => ({ headers: { 'content-encoding': encoding }, body: compress(body) }));

    it(`T6: two megabytes from a few kilobytes of ${encoding} are too large`, async () => {
      await tooLarge(close(await server('x'.repeat(2 * MEGABYTE))).url);
    });

    it(`T13: a response in ${encoding} is read, though it was not requested`, async () => {
      const { url } = close(await server('{"имя":"Анна 🌸"}'));
      expect((await networkClient().request(getRequest(url))).text).to.equal('{"имя":"Анна 🌸"}');
    });

    it(`T7: a damaged response in ${encoding} is an error`, async () => {
      const damaged = compress('{"name":"Anna"}').subarray(0, -3);
      const { url } = close(
        await network(() => ({ headers: { 'content-encoding': encoding }, body: Buffer.from(damaged) })),
      );
      const error = (await rejectionOf(networkClient().request(getRequest(url)))) as UnreachableError;
      expect(error.code).to.equal('response_cut_short');
      expect(error.message).to.include('a compressed response that cannot be expanded');
    });
  }

  it('T8: a response in an unknown encoding is an error', async () => {
    for (const encoding of ['zstd', 'gzip, br', 'constructor']) {
      const { url } = close(await network(() => ({ headers: { 'content-encoding': encoding }, body: 'x' })));
      const error = (await rejectionOf(networkClient().request(getRequest(url)))) as UnreachableError;
      expect(error.message).to.include('a response in an unknown content encoding');
    }
  });

  it('a response in the encoding identity, and an empty one in any encoding, is read', async () => {
    for (const [encoding, body] of [
      ['identity', 'x'],
      ['', 'x'],
      ['gzip', ''],
    ] as const) {
      const { url } = close(await network(() => ({ headers: { 'content-encoding': encoding }, body })));
      expect((await networkClient().request(getRequest(url))).text).to.equal(body);
    }
  });
});
