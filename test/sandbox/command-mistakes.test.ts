import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readTask } from '../../sandbox/lib/command/arguments.js';
import { mistakeText } from '../../sandbox/lib/command/output.js';
import { startSandbox } from '../../sandbox/lib/index.js';
import { NETWORKS } from '../../sandbox/lib/networks.js';
import { run } from './command-process.js';

describe('The command, used incorrectly,', function () {
  this.timeout(30_000);
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-command-'));

  after(() => rmSync(folder, { recursive: true }));

  it('says in one line that its port is in use, and what to do', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await run('--port', String(port))).to.deep.equal({
      code: 1,
      output: '',
      errors: `passport-social-networks-sandbox: port ${port} is in use: stop the program that listens on it, or choose another, such as --port ${port === 65_535 ? 1_024 : port + 1}\n`,
    });
    server.close();
  });

  const HELP = 'npx passport-social-networks-sandbox --help';
  const mistakes: readonly (readonly [args: readonly string[], message: string])[] = [
    [['sandbox'], `"sandbox" is no option: see ${HELP}`],
    [['--prot', '1'], `Unknown option '--prot': see ${HELP}`],
    [['--port'], `Option '--port <value>' argument missing: see ${HELP}`],
    [['--port', '65536'], '--port must be a number from 0 to 65535, not "65536"'],
    [['--port', 'x'], '--port must be a number from 0 to 65535, not "x"'],
    [['--host', 'a b'], '--host must be an address such as 127.0.0.1, not "a b"'],
    [
      ['--fault', 'token'],
      '--fault token: a fault has the form network/endpoint=kind[:value][xTIMES], such as microblog/token=answer:503x2',
    ],
    [
      ['--fault', 'fax/token=hang'],
      `--fault: unknown network "fax" (known: ${NETWORKS.map(({ name }) => name).join(', ')})`,
    ],
    [
      ['--fault', 'short-video/tokens=hang'],
      '--fault: unknown endpoint "tokens" at short-video (known: authorization, token, revocation, profile)',
    ],
    [
      ['--fault', 'short-video/token=delay:soon'],
      '--fault: milliseconds of "delay" must be an integer from 0 to 2147483647',
    ],
    [['--fault', 'short-video/token=hangx0'], '--fault: times must be an integer, 1 or more'],
    [
      ['--people', '/nowhere/people.json'],
      '/nowhere/people.json cannot be read (ENOENT): check the path after --people',
    ],
  ];

  /** What the command prints for an argument that it cannot use. */
  async function mistakeIn(...args: readonly string[]): Promise<string> {
    try {
      const task = readTask(args);
      if (task.kind === 'sandbox') await (await startSandbox(task.settings)).close();
      return 'no mistake';
    } catch (error) {
      return mistakeText(error);
    }
  }

  for (const [args, message] of mistakes) {
    it(`says in one line what is wrong with: ${args.join(' ')}`, async () => {
      expect(await mistakeIn(...args)).to.equal(message);
    });
  }

  for (const [name, content, problem] of [
    ['broken.json', '[{', 'is not JSON: it must be a list of people, [{ "id": "zoe", ... }]'],
    ['nobody.json', '[]', ': people is empty, so nobody could log in'],
    ['object.json', '{}', ': people must be a list of people'],
    [
      'nameless.json',
      '[{"name":"Zoe"}]',
      ': person 1: id is missing; it must be lower-case letters, digits and hyphens',
    ],
  ] as const) {
    it(`says in one line what is wrong with the people file ${content}`, async () => {
      const path = join(folder, name);
      writeFileSync(path, content);
      expect(await mistakeIn('--people', path)).to.equal(
        `${path}${problem.startsWith(':') ? '' : ' '}${problem}`,
      );
    });
  }
});
