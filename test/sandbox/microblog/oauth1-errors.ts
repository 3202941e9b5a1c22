import { expect } from 'chai';
import type { Sandbox } from '../../../sandbox/lib/index.js';
import { type Reply, reasonOf } from '../requests.js';

/** Expects an error response in JSON, with one of the network's codes. */
export function expectCode(
  sandbox: Sandbox,
  reply: Reply,
  status: number,
  code: number,
  message: string,
  reason: string,
): void {
  expect(reply.status).to.equal(status);
  expect(reply.json).to.deep.equal({ errors: [{ code, message }] });
  expect(reasonOf(sandbox)).to.equal(reason);
}

/** Expects an error response in plain text. */
export function expectText(sandbox: Sandbox, reply: Reply, text: string, reason: string): void {
  expect(reply.status).to.equal(401);
  expect(reply.headers.get('content-type')).to.equal('text/plain; charset=utf-8');
  expect(reply.text).to.equal(text);
  expect(reasonOf(sandbox)).to.equal(reason);
}
