import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readTask } from '../../sandbox/lib/command/arguments.js';
import { CONFIG_TEMPLATE, readConfig } from '../../sandbox/lib/command/config-file.js';
import { type SandboxApplication, startSandbox } from '../../sandbox/lib/index.js';
import { TRIALS } from '../../sandbox/lib/server/console-page.js';
import { rejectionOf, thrownBy } from '../support/thrown.js';
import { OAuth1Client, ShortVideoClient } from './clients.js';
import { Command, run } from './command-process.js';
import { get, REDIRECT_URI, reasonOf, rows, withSandbox } from './requests.js';

describe('A configuration file', function () {
  this.timeout(30_000);
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-config-'));
  const file = join(folder, 'sandbox.yaml');

  after(() => rmSync(folder, { recursive: true }));

  function read(text: string): ReturnType<typeof readConfig> {
    writeFileSync(file, text);
    return readConfig(file);
  }

  /** The messages, without the name of the file. */
  function mistakes(text: string): readonly string[] {
    const { message } = thrownBy(() => read(text)) as Error;
    return message.split('\n').map((line) => line.replace(`${file}:`, ''));
  }

  it('as init writes it is right, and sets what it says', async () => {
    const own = { clientID: 'my-client-key', clientSecret: 'my-client-secret' };
    await withSandbox({ ...read(CONFIG_TEMPLATE), port: 0 }, async (sandbox) => {
      expect(sandbox.people.map(({ id }) => id)).to.deep.equal(['zoe']);
      expect(sandbox.options('short-video')).to.include(own);
      expect(sandbox.options('social-network', { version: '2.1' }).clientID).to.equal('51234567');
      expect(sandbox.options('microblog').clientID).to.equal('c2FuZGJveC1jb25maWRlbnRpYWw6MTpjaQ');
    });
  });

  it('may be empty', () => {
    expect(read('')).to.deep.equal({});
    expect(read('# nothing\n')).to.deep.equal({});
  });

  for (const [text = '', expected = ''] of rows(String.raw`
    - port                              | 1: the file must be a mapping of settings
    port: 1\nstrickt: true | 2: unknown setting "strickt": did you mean strict?
    other: 1                            | 1: unknown setting "other" (known: port, host, strict, https, vkIdCallback, applications, people, faults)
    strict: false\nport: 70000          | 2: port must be a number from 0 to 65535
    host: 1                             | 1: host must be an address such as 127.0.0.1
    \nstrict: 1                         | 2: strict must be true or false
    https: 1                            | 1: https must be true or false
    vkIdCallback: json                  | 1: vkIdCallback must be flat or payload
    applications: 1                     | 1: applications must be a list
    applications:\n  - 1                | 2: must be an object
    applications:\n  - network: fax     | 2: unknown network "fax" (known: short-video, microblog, social-network)
    applications:\n  - network: microblog\n    secret: x | 3: unknown property "secret" (known: network, version, client, name, clientID, clientSecret, serviceToken, redirectAddresses)
    applications:\n  - network: microblog\n    version: '3.0' | 3: microblog has no such version or client
    applications:\n  - network: social-network\n    version: 2.1 | 3: version must be a string: did you mean '2.1', in quotes?
    applications:\n  - network: tiktok  | 2: unknown network "tiktok": did you mean short-video?
    applications:\n  - network: microblog\n    client: public\n    clientSecret: x | 4: this client has no clientSecret
    applications:\n  - network: social-network\n    clientID: 51000001 | 3: clientID must be digits, in quotes
    applications:\n  - network: microblog\n    name: "" | 3: name must be a string
    applications:\n  - network: microblog\n    redirectAddresses:\n      - http://localhost:3000/\n      - localhost:3000 | 5: redirect address 2 is not possible: it is no absolute http or https address: localhost:3000
    applications:\n  - network: microblog\n    redirectAddresses: x | 3: redirectAddresses must be a list
    people: []                          | 1: people is empty, so nobody could log in
    faults: {}                          | 1: faults must be a list
    faults:\n  - hang                   | 2: a fault must be a mapping
    faults:\n  - network: short-video\n    endpoint: tokens\n    fault: { kind: hang } | 3: unknown endpoint "tokens" at short-video: did you mean token?`)) {
    it(`is refused with its line: ${expected}`, () =>
      expect(mistakes(text.replaceAll('\\n', '\n'))[0]).to.equal(expected));
  }

  it('is refused with its line for wrong YAML, and for a person without an ID', () => {
    expect(mistakes('port: [\nstrict: }\n')[0]).to.match(/^[12]: /);
    expect(mistakes('people:\n  - displayName: Zoe')[0]).to.match(/^2: id is missing; it must be lower-case/);
  });

  it('is refused with the line of the property of a person', () => {
    const text = CONFIG_TEMPLATE.replace('handle: zoe_example', 'handle: "@zoe"');
    const line = text.split('\n').findIndex((part) => part.includes('"@zoe"')) + 1;
    expect(mistakes(text)).to.deep.equal([
      `${line}: person "zoe": handle must be letters, digits, underscores and dots, without "@"`,
    ]);
  });

  it('names every mistake', () => {
    expect(mistakes('port: x\nstrict: 1\nfaults:\n  - 1\n  - 2')).to.deep.equal([
      '1: port must be a number from 0 to 65535',
      '2: strict must be true or false',
      '4: a fault must be a mapping',
      '5: a fault must be a mapping',
    ]);
  });

  it('that does not exist is named', () => {
    expect((thrownBy(() => readConfig('/nowhere.yaml')) as Error).message).to.equal(
      '/nowhere.yaml cannot be read (ENOENT): check the path after --config',
    );
  });

  it('is written by init, once, and starts the sandbox', async () => {
    const own = join(folder, 'own.yaml');
    expect((await run('init', own)).output).to.equal(
      `${own} is written. Change it, and start the sandbox with --config ${own}\n`,
    );
    expect(readFileSync(own, 'utf8')).to.equal(CONFIG_TEMPLATE);
    expect(await run('init', own)).to.include({
      code: 1,
      errors: `passport-social-networks-sandbox: ${own} exists already: remove it, or name another file\n`,
    });
    const command = new Command(['--config', own, '--port', '0']);
    const [, url = ''] = await command.shows(/at (http:\/\/127\.0\.0\.1:\d+)\//);
    await command.shows(/clientID: 'my-client-key'/);
    const { text } = await get(url);
    expect(text).to.include('Zoe Example').and.to.include('my-client-key');
    await command.kill('SIGTERM');
  });

  it('gives way to the options of the command', () => {
    writeFileSync(file, 'strict: false\nport: 1\n');
    const task = readTask(['--config', file, '--port', '0', '--strict']);
    expect(task).to.have.property('port', 0);
    expect(task).to.have.nested.property('settings.strict', true);
  });

  it('is not needed for https: the certificate is written where --certificate says', async () => {
    const certificate = join(folder, 'certificate.pem');
    const command = new Command(['--port', '0', '--certificate', certificate]);
    await command.shows(/at https:\/\/127\.0\.0\.1:\d+\//);
    await command.shows(new RegExp(`NODE_EXTRA_CA_CERTS=${certificate}`));
    expect(readFileSync(certificate, 'utf8')).to.match(/^-----BEGIN CERTIFICATE-----/);
    expect(statSync(certificate).size).to.be.below(3_000);
    await command.kill('SIGTERM');
  });
});

const VK_ID = { version: '2.1', client: 'confidential' } as const;

describe('The applications of a sandbox', () => {
  const callback = 'http://127.0.0.1:3000/callback';

  it('have only the redirect addresses that are registered', () =>
    withSandbox(
      { applications: [{ network: 'short-video', redirectAddresses: [callback] }] },
      async (sandbox) => {
        const client = new ShortVideoClient(sandbox);
        expect((await get(client.authorization({ redirect_uri: callback }))).status).to.equal(200);
        expect((await get(client.authorization({ redirect_uri: `${callback}/` }))).status).to.equal(400);
        expect(reasonOf(sandbox)).to.equal(
          `redirect_uri is not registered for the application: ${callback}/; registered: ${callback}`,
        );
      },
    ));

  it('have only the callbacks that are registered, with OAuth 1.0a', () =>
    withSandbox(
      { applications: [{ network: 'microblog', version: '1.0', redirectAddresses: [`${callback}/other`] }] },
      async (sandbox) => {
        await new OAuth1Client(sandbox).requestToken().catch(() => undefined);
        expect(reasonOf(sandbox)).to.equal(
          `oauth_callback is not registered for the application: ${REDIRECT_URI}; registered: ${callback}/other`,
        );
      },
    ));

  const shop = { clientID: 'shop', clientSecret: 'secret', redirectAddresses: [REDIRECT_URI] };

  it('log in with their own credentials, also at the console, and show their own name', () =>
    withSandbox(
      {
        applications: [
          { network: 'short-video', name: 'Shop', ...shop },
          { network: 'microblog', ...shop },
          { network: 'microblog', version: '1.0', ...shop },
          { network: 'microblog', client: 'public', clientID: 'public-shop' },
          { network: 'social-network', clientID: '7', clientSecret: 'secret' },
          { network: 'social-network', ...VK_ID, clientID: '8', serviceToken: 'token' },
        ],
      },
      async (sandbox) => {
        expect((await get(new ShortVideoClient(sandbox).authorization())).text).to.include(
          'Shop asks to log you in',
        );
        for (const { path } of TRIALS) {
          const start = await get(`${sandbox.url}${path}`);
          const consent = await get(`${start.headers.location}&auto=allow`);
          const { text } = await get(consent.headers.location ?? '');
          expect(text, path).to.include('What the application gets');
        }
        const own = { clientID: '8', serviceToken: 'token' };
        expect(sandbox.options('social-network', VK_ID)).to.include(own);
      },
    ));

  it('are checked', async () => {
    const applications = [{ network: 'fax' } as unknown as SandboxApplication];
    const error = await rejectionOf(startSandbox({ applications }));
    expect(error).to.be.an.instanceOf(TypeError);
    expect((error as Error).message).to.match(/^application 1: unknown network "fax"/);
  });
});
