import { Agent } from 'node:http';
import { expect } from 'chai';
import { type CheckReport, check } from '../../check/lib/index.js';
import { jsonOf, textOf } from '../../check/lib/report.js';
import { exposed, shownBy } from '../contract/eavesdropper.js';
import { SPELLINGS } from '../hostility/world/secrets.js';
import { realSockets } from '../support/real-sockets.js';
import { network, type Reply } from '../support/server.js';
import { findingOn, KINDS, type Kind, strategyAt } from './subjects.js';

const SECRET = 'canary-of-the-client-secret-7f3a9c';
/** What stands in place of the ID if the two were swapped. It has nothing in common with the other one, which hides such parts. */
const SWAPPED = 'OtherSecretInPlaceOfTheID1b8e44';
const SECRETS = new Map([
  [SECRET, 'secret'],
  [SWAPPED, 'swapped secret'],
]);

const make = (kind: Kind, url: string, options: object = {}) =>
  strategyAt(kind, url, { clientID: SWAPPED, ...options }, SECRET);

function everythingShownBy(report: CheckReport): string {
  return [shownBy(report), textOf([report]), jsonOf([report])].join('\n');
}

describe('check: secrets', () => {
  const close = realSockets();

  for (const name of Object.keys(KINDS) as Kind[]) {
    for (const [spelling, spell] of Object.entries(SPELLINGS)) {
      it(`S1: ${name}: what a network echoes (${spelling}) is not shown`, async () => {
        const echo = `${spell(SECRET)} ${spell(SWAPPED)}`;
        const replies: readonly Reply[] = [
          { status: 400, body: { error: 'invalid_client', error_description: echo } },
          { status: 400, body: { error: echo, error_description: 'An error.' } },
          { status: 401, body: { errors: [{ code: 32, message: echo }] } },
          { status: 401, body: echo },
          { status: 301, headers: { location: `https://${encodeURIComponent(echo)}.example/` } },
          { status: 200, body: `<html>${echo}</html>` },
        ];
        for (const reply of replies) {
          const server = close(await network(() => reply));
          const report = await check(make(name, server.url));
          expect(exposed(everythingShownBy(report), SECRETS)).to.deep.equal([]);
        }
      });
    }

    it(`S1: ${name}: what an agent says is not shown`, async () => {
      const agent = new Agent();
      Object.assign(agent, {
        addRequest() {
          throw Object.assign(new Error(`cannot connect with ${SECRET}`), { code: SECRET });
        },
      });
      const report = await check(make(name, 'http://127.0.0.1:1', { agent }));
      expect(findingOn(report, '127.0.0.1:1').message).to.equal(
        'no connection through the option agent (no code)',
      );
      expect(exposed(everythingShownBy(report), SECRETS)).to.deep.equal([]);
    });
  }

  it('S1: a network sees each secret in the request that the login sends, and nowhere else', async () => {
    for (const name of Object.keys(KINDS) as Kind[]) {
      const server = close(await network(() => ({ status: 400, body: { error: 'invalid_grant' } })));
      await check(make(name, server.url));
      for (const { method, url, headers } of server.requests) {
        expect(exposed(`${url} ${method === 'HEAD' ? JSON.stringify(headers) : ''}`, SECRETS)).to.deep.equal(
          [],
        );
      }
    }
  });
});
