import { expect } from 'chai';
import { UnreachableError } from '../../../lib/core/errors/index.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { getRequest, networkClient } from '../../support/network-client.js';
import { realSockets } from '../../support/real-sockets.js';
import { serveRaw } from '../../support/server.js';
import { rejectionOf } from '../../support/thrown.js';

const BODY = Buffer.from('{"name":"Анна 👩‍🚀 花"}');
const HEADERS: Readonly<Record<string, string>> = {
  'with a content-length': `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${BODY.length}\r\n\r\n`,
  chunked: 'HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n',
  'ended by the connection': 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n',
};

const pause = () => new Promise((resolve) => setTimeout(resolve, 1));
const chunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
const wholeResponse = (form: string) => {
  const body = form === 'chunked' ? Buffer.concat([chunk(BODY), Buffer.from('0\r\n\r\n')]) : BODY;
  return Buffer.concat([Buffer.from(HEADERS[form] ?? ''), body]);
};

describe('the text of a response', () => {
  realSockets();
  const close = closesAfterEach();

  for (const form of Object.keys(HEADERS)) {
    it(`T13: a response ${form} in two parts, split at any byte, keeps every character`, async () => {
      let split = 0;
      const server = close(
        await serveRaw(async (socket) => {
          const parts = [BODY.subarray(0, split), BODY.subarray(split)].filter(({ length }) => length > 0);
          socket.write(HEADERS[form] ?? '');
          for (const part of parts) {
            socket.write(form === 'chunked' ? chunk(part) : part);
            await pause();
          }
          socket.end(form === 'chunked' ? '0\r\n\r\n' : '');
        }),
      );
      for (split = 0; split <= BODY.length; split += 1) {
        const { text, wellFormed } = await networkClient().request(getRequest(server.url));
        expect([split, text, wellFormed]).to.deep.equal([split, '{"name":"Анна 👩‍🚀 花"}', true]);
      }
    });
  }

  it('T13: bytes that are not UTF-8 are noticed; the replacement character itself is valid', async () => {
    for (const [bytes, wellFormed] of [
      [Buffer.from([0x22, 0xff, 0x22]), false],
      [Buffer.from([0x22, 0xd0, 0x22]), false],
      [Buffer.from('"\ufffd"'), true],
    ] as const) {
      const head = `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${bytes.length}\r\n\r\n`;
      const server = close(await serveRaw((socket) => socket.end(Buffer.concat([Buffer.from(head), bytes]))));
      expect(await networkClient().request(getRequest(server.url))).to.include({
        text: '"\ufffd"',
        wellFormed,
      });
    }
  });

  for (const form of ['with a content-length', 'chunked']) {
    it(`T7: a response ${form} that is cut at any byte is an UnreachableError`, async () => {
      const whole = wholeResponse(form);
      let length = 0;
      const server = close(await serveRaw((socket) => socket.end(whole.subarray(0, length))));
      const codes = new Set<string>();
      for (length = 0; length < whole.length; length += 1) {
        const error = (await rejectionOf(
          networkClient().request(getRequest(server.url)),
        )) as UnreachableError;
        expect(error, `cut after ${length} bytes`).to.be.instanceOf(UnreachableError);
        codes.add(error.code);
      }
      expect([...codes]).to.have.members(['connection_failed', 'response_cut_short']);
      expect((await networkClient().request(getRequest(server.url))).text).to.equal(BODY.toString());
    });
  }
});
