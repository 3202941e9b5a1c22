import { subscribe, unsubscribe } from 'node:diagnostics_channel';

import zlib = require('node:zlib');

import type { Socket } from 'node:net';
import { mock } from 'node:test';
import { inspect } from 'node:util';
import { expect } from 'chai';
import { clock } from '../../../lib/core/application-code.js';
import { MalformedError, UnreachableError } from '../../../lib/core/errors/index.js';
import { getRequest, networkClient } from '../../support/network-client.js';
import { realSockets } from '../../support/real-sockets.js';
import { network, type Reply, serveRaw } from '../../support/server.js';
import { rejectionOf } from '../../support/thrown.js';

const MEGABYTE = 1_048_576;
const OK = 'HTTP/1.1 200 OK\r\nConnection: close\r\n';
const SIZED = `${OK}Content-Length: 20\r\n\r\n{"id":`;
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;

describe('responses', () => {
  const close = realSockets();
  const send = (url: string, changes = {}, options = {}) =>
    networkClient(options).request(getRequest(url, changes));
  const urlOf = async (reply: Reply) => close(await network(() => reply)).url;

  async function raw(respond: (socket: Socket) => void) {
    const seen = { url: '', count: 0 };
    const counted = (socket: Socket) => {
      seen.count += 1;
      respond(socket);
    };
    seen.url = close(await serveRaw(counted)).url;
    return seen;
  }

  async function expectFailure(sending: Promise<unknown>, code: string, message: string) {
    const error = (await rejectionOf(sending)) as UnreachableError;
    expect(error).to.be.instanceOf(UnreachableError).and.include({ code, status: 502 });
    expect(error.message).to.include(message);
    return error;
  }
  const tooLarge = (url: string) =>
    expectFailure(send(url), 'response_too_large', 'a response of more than 1048576 bytes');

  /** Resets the connection when the client has read the head of a response. */
  const reset = (text: string) => (socket: Socket) => {
    const channel = 'http.client.response.finish';
    const read = () => {
      unsubscribe(channel, read);
      socket.resetAndDestroy();
    };
    subscribe(channel, read);
    socket.write(text);
  };
  const CUTS: readonly [string, (socket: Socket) => void][] = [
    ['before its announced length', (socket) => socket.end(SIZED)],
    ['between two chunks', (socket) => socket.end(`${CHUNKED}6\r\n{"id":\r\n`)],
    ['within a chunk', (socket) => socket.end(`${CHUNKED}9\r\n{"id":`)],
    ['by a reset after its length', reset(SIZED)],
    ['by a reset within its chunks', reset(`${CHUNKED}6\r\n{"id":\r\n`)],
  ];
  for (const [title, respond] of CUTS) {
    it(`T7: a response that is cut ${title} is response_cut_short`, async () => {
      const { url } = await raw(respond);
      await expectFailure(send(url), 'response_cut_short', 'the response was cut short');
    });
  }

  it('T7: a GET with retries is repeated after a response that was cut short', async () => {
    const seen = await raw((socket) => socket.end(SIZED));
    await expectFailure(send(seen.url, { retries: 1 }), 'response_cut_short', '');
    expect(seen.count).to.equal(2);
  });

  it('T7: a response that switches to another protocol is connection_failed at once', async () => {
    const switching = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    const { url } = await raw((socket) => socket.write(switching));
    const sending = send(url, {}, { timeout: 9_000 });
    await expectFailure(sending, 'connection_failed', 'the response switches to another protocol');
  });

  it('T7: a body in a hundred thousand chunks of one byte is read completely', async () => {
    const letters = Array.from({ length: 100_000 }, (_, index) => String.fromCharCode(97 + (index % 26)));
    const chunks = letters.map((letter) => `1\r\n${letter}\r\n`).join('');
    const { url } = await raw((socket) => socket.end(`${CHUNKED}${chunks}0\r\n\r\n`));
    const { text, wellFormed } = await send(url);
    expect([wellFormed, text === letters.join('')]).to.deep.equal([true, true]);
  });

  it('T13: a character that is split between chunks is decoded as one', async () => {
    const text = '{"имя":"Анна 🌸"}';
    const bytes = Array.from(Buffer.from(text), (byte) => Buffer.from([0x31, 13, 10, byte, 13, 10]));
    const { url } = await raw((socket) =>
      socket.end(Buffer.concat([Buffer.from(CHUNKED), ...bytes, Buffer.from('0\r\n\r\n')])),
    );
    expect((await send(url)).text).to.equal(text);
  });

  it('T15: a reset is reported as such if there is no time left for a retry', async () => {
    const seen = await raw((socket) => socket.resetAndDestroy());
    const timeout = mock.method(clock, 'setTimeout', () => undefined);
    close({ close: () => timeout.mock.restore() });
    const sending = send(seen.url, { retries: 2 }, { timeout: 190 });
    const error = await expectFailure(sending, 'connection_failed', '');
    expect(seen.count).to.equal(1);
    expect(error.message).to.not.include('timeout');
    expect(error.cause).to.include({ code: 'ECONNRESET' });
  });

  it('a byte order mark before the JSON is no part of it', async () => {
    for (const [body, id] of [
      ['\ufeff{"id":1}', 1],
      ['{"id":"\ufeff1"}', '\ufeff1'],
    ] as const)
      expect(await send(await urlOf({ body }))).to.deep.include({ body: { id } });
  });

  it('T13: bytes that are not UTF-8 are noticed; the replacement character itself is valid', async () => {
    for (const [bytes, wellFormed] of [
      [Buffer.from([0x22, 0xff, 0x22]), false],
      [Buffer.from([0x22, 0xd0, 0x22]), false],
      [Buffer.from('"\ufffd"'), true],
    ] as const) {
      const response = await send(await urlOf({ body: bytes }));
      expect(response).to.include({ text: '"\ufffd"', wellFormed });
    }
  });

  it('T6: a response of one megabyte is read, one byte more is too large', async () => {
    for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
      const body = `${'x'.repeat(MEGABYTE - 1)}y`;
      expect((await send(await urlOf({ headers, body }))).text === body).to.equal(true);
      await tooLarge(await urlOf({ headers, body: `${body}y` }));
    }
  });

  it('T6: two megabytes that are announced and never sent, and a gigabyte in a megabyte of gzip, are not kept in memory', async () => {
    const announced = await raw((socket) => socket.write(`${OK}Content-Length: 2097152\r\n\r\n`));
    await tooLarge(announced.url);
    // Many gzip members, because a single one takes seconds to compress.
    const member = zlib.gzipSync(Buffer.alloc(16 * MEGABYTE));
    const body = Buffer.concat(Array.from({ length: 64 }, () => member));
    const before = process.memoryUsage().arrayBuffers;
    await tooLarge(await urlOf({ headers: { 'content-encoding': 'gzip' }, body }));
    expect(process.memoryUsage().arrayBuffers - before).to.be.below(64 * MEGABYTE);
  });

  for (const [encoding, compress] of [
    ['gzip', zlib.gzipSync],
    ['x-gzip', zlib.gzipSync],
    ['deflate', zlib.deflateSync],
    ['deflate', zlib.deflateRawSync],
    ['br', zlib.brotliCompressSync],
  ] as const) {
    const headers = { 'content-encoding': encoding };
    it(`T6, T7, T13: a response in ${encoding} (${compress.name}) is read, though not requested; if too large or damaged it is an error`, async () => {
      const text = '{"имя":"Анна 🌸"}';
      expect((await send(await urlOf({ headers, body: compress(text) }))).text).to.equal(text);
      await tooLarge(await urlOf({ headers, body: compress('x'.repeat(2 * MEGABYTE)) }));
      const damaged = await urlOf({ headers, body: compress(text).subarray(0, -3) });
      const message = 'a compressed response that cannot be expanded';
      await expectFailure(send(damaged), 'response_cut_short', message);
    });
  }

  for (const [encoding, body, isRead] of [
    ['zstd', 'x', false],
    ['gzip, br', 'x', false],
    ['constructor', 'x', false],
    ['identity', 'x', true],
    ['', 'x', true],
    ['gzip', '', true],
  ] as const) {
    it(`T8: a body "${body}" in the encoding "${encoding}" is ${isRead ? 'read' : 'an error'}`, async () => {
      const sending = send(await urlOf({ headers: { 'content-encoding': encoding }, body }));
      if (isRead) expect((await sending).text).to.equal(body);
      else
        await expectFailure(sending, 'response_cut_short', 'a compressed response that cannot be expanded');
    });
  }

  const ADDRESS = 'Check the address in the options, and for a proxy or a captive page in between.';
  const FAULT = 'The network has a fault; try again later.';
  for (const [body, description, status = 200, hint = ADDRESS] of [
    [' \n', 'an empty body'],
    ['"secret"', 'a JSON string (8 characters)'],
    ['true', 'a JSON boolean (4 characters)'],
    ['{"access_token":"secret', 'text (23 characters)'],
    [Buffer.from('{"a":"\xff"}', 'latin1'), 'text that is not UTF-8 (9 characters)'],
    ['<html>', 'a page (HTML or XML, 6 characters)', 500, FAULT],
  ] as const) {
    it(`T8: ${JSON.stringify(String(body))} is unreadable, ${description}, and the error does not quote it`, async () => {
      const request = getRequest(await urlOf({ status, body }));
      const error = (await rejectionOf(networkClient().requestJSON(request))) as MalformedError;
      expect(error).to.be.instanceOf(MalformedError);
      expect(error).to.include({ code: 'unreadable_response', networkStatus: status });
      expect(error).to.include({ provider: 'network', step: 'profile' });
      const expected = status === 200 ? 'a JSON object' : 'a response or an error';
      expect(error.message).to.equal(
        `network, profile: expected ${expected}, but HTTP ${status} returned ${description}. ${hint}`,
      );
      expect(inspect(error, { depth: 9, showHidden: true })).to.not.include('secret');
    });
  }
});
