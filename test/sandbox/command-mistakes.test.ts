import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { run } from './command-process.js';

describe('The command, used wrongly,', function () {
  this.timeout(30_000);
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-command-'));

  after(() => rmSync(folder, { recursive: true }));

  it('says in one line that its port is in use, and how to go on', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await run('sandbox', '--port', String(port))).to.deep.equal({
      code: 1,
      output: '',
      errors: `passport-social-networks: port ${port} is in use: end what listens there, or choose another with --port\n`,
    });
    server.close();
  });

  const HELP = 'npx passport-social-networks sandbox --help';
  const mistakes: readonly (readonly [words: readonly string[], message: string])[] = [
    [[], `the only command is sandbox, and none was given: ${HELP}`],
    [['play'], `the only command is sandbox, and play was given: ${HELP}`],
    [['sandbox', 'twice'], `the only command is sandbox, and twice was given: ${HELP}`],
    [['sandbox', '--prot', '1'], `Unknown option '--prot': see ${HELP}`],
    [['sandbox', '--port'], `Option '--port <value>' argument missing: see ${HELP}`],
    [['sandbox', '--port', '65536'], '--port takes a number from 0 to 65535, not "65536"'],
    [['sandbox', '--port', 'x'], '--port takes a number from 0 to 65535, not "x"'],
    [['sandbox', '--host', 'a b'], '--host takes an address such as 127.0.0.1, not "a b"'],
    [
      ['sandbox', '--fault', 'token'],
      '--fault token: a fault is spelled network/endpoint=kind[:value][xTIMES], such as microblog/token=answer:503x2',
    ],
    [
      ['sandbox', '--fault', 'fax/token=hang'],
      '--fault: there is no network "fax"; there are short-video, microblog, social-network',
    ],
    [
      ['sandbox', '--fault', 'short-video/tokens=hang'],
      '--fault: there is no endpoint "tokens" at short-video; there are authorization, token, revocation, profile',
    ],
    [
      ['sandbox', '--fault', 'short-video/token=delay:soon'],
      '--fault: milliseconds of "delay" takes milliseconds, zero or more',
    ],
    [
      ['sandbox', '--fault', 'short-video/token=hangx0'],
      '--fault: times takes a number of requests, 1 or more',
    ],
    [
      ['sandbox', '--people', '/nowhere/people.json'],
      '/nowhere/people.json cannot be read (ENOENT): check the path after --people',
    ],
  ];

  for (const [words, message] of mistakes) {
    it(`says in one line what is wrong with: ${words.join(' ')}`, async () => {
      const errors = `passport-social-networks: ${message}\n`;
      expect(await run(...words)).to.deep.equal({ code: 1, output: '', errors });
    });
  }

  for (const [name, content, problem] of [
    ['broken.json', '[{', 'is no JSON: it takes a list of people, [{ "id": "zoe", ... }]'],
    ['nobody.json', '[]', ': people is empty, so nobody could log in'],
    ['object.json', '{}', ': people takes a list of people'],
    [
      'nameless.json',
      '[{"name":"Zoe"}]',
      ': person 1: id is missing; it takes lower-case letters, digits and hyphens',
    ],
  ] as const) {
    it(`says in one line what is wrong with the people file ${content}`, async () => {
      const path = join(folder, name);
      writeFileSync(path, content);
      const errors = `passport-social-networks: ${path}${problem.startsWith(':') ? '' : ' '}${problem}\n`;
      expect(await run('sandbox', '--people', path)).to.deep.equal({ code: 1, output: '', errors });
    });
  }
});
