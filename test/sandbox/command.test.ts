import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { expect } from 'chai';
import { readTask } from '../../sandbox/lib/command/arguments.js';
import { CONFIG_TEMPLATE, readConfig } from '../../sandbox/lib/command/config-file.js';
import { checkLines, jsonOf, mistakeText, summary } from '../../sandbox/lib/command/output.js';
import { PEOPLE, startSandbox } from '../../sandbox/lib/index.js';
import { NETWORKS } from '../../sandbox/lib/networks.js';
import { TRIALS } from '../../sandbox/lib/server/pages.js';
import { temporaryFolder } from '../support/cleanup.js';
import { realSockets } from '../support/real-sockets.js';
import { serve } from '../support/server.js';
import { thrownBy } from '../support/thrown.js';
import { OAuth1Client, ShortVideoClient } from './clients.js';
import { Command, commandOf, run } from './command-process.js';
import { get, post, REDIRECT_URI, reasonOf, rows, withSandbox } from './requests.js';

describe('The command', function () {
  const close = realSockets();
  this.timeout(30_000);
  const folder = temporaryFolder();

  async function start(...args: readonly string[]): Promise<{ command: Command; url: string }> {
    const command = close(new Command(['--port', '0', ...args]));
    const [, url = ''] = await command.shows(/at (http:\/\/\S+?)\/ [\s\S]*Ctrl\+C stops the sandbox\.\n/);
    return { command, url };
  }

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`ends with exit code 0 on ${signal}, even while a request hangs`, async () => {
      const { command, url } = await start('--fault', 'microblog/users-lookup=hang');
      const hanging = get(`${url}/microblog/2/users/me`).catch(() => 'closed');
      await command.shows(/users lookup +GET +no response fault: hang\n/);
      expect(await command.kill(signal)).to.include({ code: 0, errors: '' });
      expect(await hanging).to.equal('closed');
    });
  }

  it('prints options to paste for each network and version', async () => {
    const { command, url } = await start();
    const titles = NETWORKS.flatMap(({ clients }) => clients.map(({ title }) => `// ${title}`));
    expect(command.output.match(/^\/\/ .+$/gm)).to.deep.equal(titles);
    expect(command.output).to.include(`passport.use(new ShortVideoStrategy(
  {
    clientID: 'sbawsandboxkey0001',
    clientSecret: 'short-video-sandbox-client-secret',
    authorizationURL: '${url}/short-video/v2/auth/authorize/',
    tokenURL: '${url}/short-video/v2/oauth/token/',
    profileURL: '${url}/short-video/v2/user/info/',
    revocationURL: '${url}/short-video/v2/oauth/revoke/',
    baseURL: 'http://127.0.0.1:3000', // where browsers reach your application
  },
  async (accessToken, refreshToken, profile) => profile,
));`);
    const stores = [...command.output.matchAll(/^\/\/ (.+)(?:\n.+)*?\n {4}(store: .+),$/gm)];
    expect(stores.map(([, title, line]) => [title, line])).to.deep.equal([
      ['microblog, OAuth 2.0, public client', 'store: cookieLogins({ secrets: process.env.LOGIN_SECRET })'],
    ]);
    expect(command.output).to.include(
      'People: alice, anna, hanako, ned, max, boris, hubert, layla, dora, maxine, nora, alison\n',
    );
  });

  const DOUBTFUL =
    '/microblog/i/oauth2/authorize?client_id=c2FuZGJveC1wdWJsaWM6MTpuYQ&response_type=code&scope=users.read' +
    `&redirect_uri=http://localhost:3000/&code_challenge_method=s256&code_challenge=${'A'.repeat(43)}`;

  it('lists requests as they arrive, with the reasons for errors and doubts, and stops quietly if nobody reads', async () => {
    const { command, url } = await start();
    await get(`${url}/short-video/v2/user/info/`);
    const reason = 'the bearer token is missing, or not one that this sandbox gave out';
    const [refused] = await command.shows(/^\d\d:\d\d:\d\d short-video .*$/m);
    expect(refused.slice(9)).to.equal(`short-video    profile            GET  401 refused: ${reason}`);
    await get(`${url}${DOUBTFUL}`);
    const [noted] = await command.shows(/^\d\d:\d\d:\d\d microblog .*$/m);
    const doubt = 'the network may refuse this: code_challenge_method is "s256", not "S256"';
    expect(noted.slice(9)).to.equal(`microblog      authorization      GET  200 ${doubt}`);
    // As with a pipe into head.
    command.closeOutput();
    await get(`${url}/microblog/2/users/me`);
    expect(await command.ended()).to.include({ code: 0, errors: '' });
  });

  function settingsOf(...args: readonly string[]) {
    const task = readTask(args);
    if (task.kind !== 'sandbox') throw new Error(`${args.join(' ')} starts no sandbox`);
    return task;
  }

  it('E1: prints nothing that a terminal acts on, whatever an application answers', () => {
    const raw = '\u001b[31m\u009b\u202e\u{e0041}name';
    const check = { name: 'login', passed: false, found: raw, remedy: raw };
    expect(checkLines(check))
      .to.match(/\?\[31m\?\?\?name/)
      .and.to.not.match(/[^\P{C}\n]/u);
    expect(jsonOf(check))
      .to.include('\\udb40\\udc41')
      .and.to.not.match(/[^\P{C}\n]/u);
    expect(JSON.parse(jsonOf(check))).to.deep.equal(check);
  });

  it('ends quietly in a pipe whose reader ends, and a rehearsal with the status of what it found', async () => {
    const app = close(await serve((_req, res) => res.writeHead(500).end()));
    const rehearsals = ['rehearse', ...Array(20).fill(`${app.url}/`)];
    for (const [args, status] of [
      [['--help'], 0],
      [rehearsals, 1],
    ] as const) {
      const pipe = '"$0" "$@" | head -n 1; exit $PIPESTATUS';
      const shell = spawn('bash', ['-c', pipe, process.execPath, ...commandOf(args)], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const [output, errors, [code]] = await Promise.all([
        textOf(shell.stdout),
        textOf(shell.stderr),
        once(shell, 'close'),
      ]);
      expect([code, errors]).to.deep.equal([status, '']);
      expect(output).to.match(/^[^\n]+\n$/);
    }
  });

  it('names the checks that are essential and were not tried, where a rehearsal exits with 2', async () => {
    const optional = {
      name: 'linking',
      passed: undefined,
      found: 'name the URL that starts a link with --link URL',
    };
    const needed = {
      name: 'two accounts',
      passed: undefined,
      found:
        'the page does not tell who is signed in: mend what failed, or name another page with --page URL',
    };
    const result = { url: 'http://127.0.0.1/', passed: true, checks: [optional, needed] };
    expect(summary([{ ...result, complete: true }])).to.equal('0 passed, 0 failed, 2 not tried\n');
    expect(summary([{ ...result, complete: false }])).to.equal(
      '0 passed, 0 failed, 2 not tried\nExit status 2, because a check that is essential was not tried: two accounts.\n',
    );
  });

  it('accepts faults, with version, value and times', () => {
    const faults = [
      '--fault',
      'social-network@2.1/token=answer:503x1',
      '--fault',
      'short-video/token=huge:30',
    ];
    return withSandbox(settingsOf(...faults).settings, async ({ url }) => {
      const status = async (path: string) => (await post(`${url}${path}`, {})).status;
      expect(await status('/social-network/access_token')).to.equal(401);
      expect(await status('/vk-id/oauth2/auth')).to.equal(503);
      expect(await status('/vk-id/oauth2/auth')).to.equal(200);
      const huge = await post(`${url}/short-video/v2/oauth/token/`, {});
      expect(huge.text).to.equal(`{"padding":"${'x'.repeat(16)}"}`);
    });
  });

  it('reads people from a file', () => {
    const people = PEOPLE.slice(0, 1).map((person) => ({ ...person, id: 'zoe' }));
    const file = join(folder, 'people.json');
    writeFileSync(file, JSON.stringify(people));
    expect(settingsOf('--people', file).settings.people).to.deep.equal(people);
  });

  it('warns when other machines can reach it, and prints a URL of this machine', async () => {
    const { command, url } = await start('--host', '0.0.0.0');
    expect(url).to.match(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(command.errors).to.match(/^WARNING: other machines can reach this sandbox .*\n$/);
  });

  it('prints the version of the package on --version', async () => {
    const { version } = require('../../sandbox/package.json') as { version: string };
    expect(await run('--version')).to.deep.equal({ code: 0, output: `${version}\n`, errors: '' });
  });

  it('prints its options on --help, also as npm ci links it in a clone, before there is a build', async () => {
    const { code, output, errors } = await run('--help');
    expect([code, errors]).to.deep.equal([0, '']);
    const options = 'port host strict people fault allow-production version help'.split(' ');
    for (const option of options) expect(output).to.include(`  --${option} `);
    const { bin } = require('../../sandbox/package.json') as { bin: Record<string, string> };
    const file = bin['passport-social-networks-sandbox'] ?? '';
    const folder = join(__dirname, '../../sandbox');
    expect(file).not.to.include('dist/');
    expect(readFileSync(join(folder, file), 'utf8')).to.match(/^#!\/usr\/bin\/env node\n/);
    const linked = spawnSync(process.execPath, [join(folder, file), '--help'], { encoding: 'utf8' });
    expect([linked.status, linked.stdout]).to.deep.equal([0, output]);
  });

  it('does not run in production without --allow-production', async () => {
    const rejected = await new Command(['--port', '0'], { NODE_ENV: 'production' }).ended();
    expect(rejected).to.deep.equal({
      code: 1,
      output: '',
      errors:
        'passport-social-networks-sandbox: NODE_ENV is production, and the sandbox lets anyone log in as anyone: unset NODE_ENV, or add --allow-production\n',
    });
    const args = ['--port', '0', '--allow-production'];
    const allowed = close(new Command(args, { NODE_ENV: 'production' }));
    await allowed.shows(/Ctrl\+C/);
    expect(allowed.errors).to.include('[SANDBOX_IN_PRODUCTION] SandboxWarning: The sandbox was started with');
  });
});

describe('The command, used incorrectly,', function () {
  this.timeout(30_000);
  const folder = temporaryFolder();

  it('says in one line that its port is in use, and what to do', async () => {
    const busy = await serve(() => {});
    const { port } = busy;
    expect(await run('--port', String(port))).to.deep.equal({
      code: 1,
      output: '',
      errors: `passport-social-networks-sandbox: port ${port} is in use: stop the program that listens on it, or choose another, such as --port ${port === 65_535 ? 1_024 : port + 1}\n`,
    });
    await busy.close();
  });

  const HELP = 'npx passport-social-networks-sandbox --help';
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

  for (const [given = '', message] of rows(`
    sandbox       | "sandbox" is no option: see ${HELP}
    --prot 1      | Unknown option '--prot': see ${HELP}
    --port        | Option '--port <value>' argument missing: see ${HELP}
    --port 65536  | --port must be a number from 0 to 65535, not "65536"
    --port x      | --port must be a number from 0 to 65535, not "x"
    --port=1 --port=2 | --port can be given once: see ${HELP}
    --host a b    | --host must be an address such as 127.0.0.1, not "a b"
    --fault token | --fault token: a fault has the form network/endpoint=kind[:value][xTIMES], such as microblog/token=answer:503x2
    --fault short-video/token=delay:soon | --fault: milliseconds of "delay" must be an integer from 0 to 2147483647
    --people /nowhere/people.json | /nowhere/people.json cannot be read (ENOENT): check the path after --people
    --config /nowhere.yaml | /nowhere.yaml cannot be read (ENOENT): check the path after --config`)) {
    it(`says in one line what is wrong with: ${given}`, async () => {
      const [option = '', ...values] = given.split(' ');
      const args = values.length > 0 ? [option, values.join(' ')] : [option];
      expect(await mistakeIn(...args)).to.equal(message);
    });
  }

  it('says in one line what is wrong with the people file', async () => {
    const path = join(folder, 'people.json');
    const mistake = (content: string) => {
      writeFileSync(path, content);
      return mistakeIn('--people', path);
    };
    expect(await mistake('[{')).to.equal(
      `${path} is not JSON: it must be a list of people, [{ "id": "zoe", ... }]`,
    );
    expect(await mistake('{}')).to.equal(`${path}: people must be a list of people`);
  });
});

describe('A configuration file', function () {
  this.timeout(30_000);
  const folder = temporaryFolder();
  const file = join(folder, 'sandbox.yaml');

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

  for (const [text = '', expected = ''] of rows(String.raw`
    - port                              | 1: the file must be a mapping of settings
    port: 1\nstrickt: true | 2: unknown setting "strickt": did you mean strict?
    other: 1                            | 1: unknown setting "other" (known: port, host, strict, https, vkIdCallback, applications, people, faults)
    host: 1                             | 1: host must be an address such as 127.0.0.1
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
      '4: a fault must be an object',
      '5: a fault must be an object',
    ]);
  });

  it('is written by init, once', async () => {
    const own = join(folder, 'own.yaml');
    expect((await run('init', own)).output).to.equal(
      `${own} is written. Change it, and start the sandbox with --config ${own}\n`,
    );
    expect(readFileSync(own, 'utf8')).to.equal(CONFIG_TEMPLATE);
    expect(await run('init', own)).to.include({
      code: 1,
      errors: `passport-social-networks-sandbox: ${own} exists already: remove it, or name another file\n`,
    });
  });

  it('gives way to the options of the command', () => {
    writeFileSync(file, 'strict: false\nport: 1\nvkIdCallback: payload\n');
    const task = readTask(['--config', file, '--port', '0', '--strict']);
    expect(task).to.have.property('port', 0);
    expect(task).to.have.deep.property('settings', { strict: true, vkIdCallback: 'payload', faults: [] });
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
        for (const { path } of TRIALS.filter(({ isOneTap }) => !isOneTap)) {
          const start = await get(`${sandbox.url}${path}`);
          const consent = await get(`${start.headers.location}&auto=allow`);
          const { text } = await get(consent.headers.location ?? '');
          expect(text, path).to.include('What the application gets');
        }
        const own = { clientID: '8', serviceToken: 'token' };
        expect(sandbox.options('social-network', VK_ID)).to.include(own);
      },
    ));
});
