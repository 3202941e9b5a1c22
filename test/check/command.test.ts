import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { runCommandLine as run } from '../../check/lib/command.js';
import { textOf } from '../guides/pages.js';
import { restoresMode, temporaryFolder } from '../support/cleanup.js';
import { realSockets } from '../support/real-sockets.js';
import { oneSandbox } from '../support/sandbox.js';
import { serve } from '../support/server.js';
import { credentialsOf, findingOn, parsed, verdictsOf } from './subjects.js';

describe('the command line of the check', () => {
  const close = realSockets();
  restoresMode();
  const folder = temporaryFolder();
  const sandbox = oneSandbox();
  const right = () => credentialsOf(sandbox);
  beforeEach(() => sandbox.reset());

  const sandboxed = (...args: string[]) => ['--sandbox', `${sandbox.url}/`, ...args];

  it('checks every strategy of the examples that has credentials, at the paths of the sandbox', async () => {
    const { status, output, errors } = await run(sandboxed('--json'), right());
    expect([status, errors]).to.deep.equal([0, '']);
    const { verdict, reports } = parsed(output);
    expect(verdict).to.equal('unknown');
    expect(reports.map(({ provider, network }) => [provider, network])).to.deep.equal([
      ['short-video', 'TikTok'],
      ['microblog', 'X, OAuth 2.0'],
      ['microblog-1-0', 'X, OAuth 1.0a'],
      ['social-network', 'VK, classic protocol'],
      ['social-network-vk-id', 'VK ID'],
    ]);
    for (const report of reports) {
      expect(verdictsOf(report)).to.include({ callbackURL: 'passed', credentials: 'passed' });
      expect(findingOn(report, 'callbackURL').message).to.include(
        `https://app.example/api/auth/callback/${report.provider}: `,
      );
    }
    const endpoints = new Set(sandbox.requests().map(({ network, endpoint }) => `${network} ${endpoint}`));
    expect([...endpoints].sort()).to.deep.equal([
      'microblog request token',
      'microblog token',
      'short-video token',
      'social-network token',
    ]);
  });

  for (const [title, name, change, says] of [
    [
      'quotation marks around the secret',
      'short-video',
      { SHORT_VIDEO_CLIENT_SECRET: "'a-secret'" },
      /✗ SHORT_VIDEO_CLIENT_SECRET +stands in quotation marks: remove them\./,
    ],
    [
      'a line end in the service key',
      'social-network-vk-id',
      { SOCIAL_NETWORK_VK_ID_SERVICE_TOKEN: 'a-key\r' },
      /✗ SOCIAL_NETWORK_VK_ID_SERVICE_TOKEN +contains white space\. Copy it from the network again/,
    ],
    [
      'no secret',
      'short-video',
      { SHORT_VIDEO_CLIENT_SECRET: '' },
      /✗ SHORT_VIDEO_CLIENT_SECRET +is not set Copy the client key and client secret from developers\.tiktok\.com, and set this variable in the environment or in the file of --env-file\. See docs\/deploying\.md#check-before-the-first-login in the repository/,
    ],
    [
      'no ID of a client that needs no secret',
      'microblog',
      { MICROBLOG_CLIENT_ID: '' },
      /✗ MICROBLOG_CLIENT_ID +is not set Copy the client ID from console\.x\.com/,
    ],
  ] as const) {
    it(`${title} is told from the output alone: ${name}`, async () => {
      const { status, output, errors } = await run(sandboxed(name), { ...right(), ...change });
      expect([status, errors]).to.deep.equal([1, '']);
      expect(output.replace(/\s*\n\s+/g, ' ')).to.match(says);
    });
  }

  it('C43: in production takes the sandbox of --sandbox alone, not one that variables name', async () => {
    process.env.NODE_ENV = 'production';
    expect((await run(sandboxed('short-video'), right())).output).to.match(/✓ credentials /);
    const variables = { ...right(), SHORT_VIDEO_TOKEN_URL: `${sandbox.url}/short-video/v2/oauth/token/` };
    const { status, output } = await run(['short-video'], variables);
    expect(status).to.equal(1);
    expect(output).to.match(
      /✗ SHORT_VIDEO_\w+ +is (on this machine|the sandbox's), and NODE_ENV is production/,
    );
  });

  it('prints what docs/deploying.md shows, and its own README in part', async () => {
    const { status, output, errors } = await run(sandboxed(), {
      BASE_URL: 'https://your.domain',
      SHORT_VIDEO_CLIENT_ID: right().SHORT_VIDEO_CLIENT_ID ?? '',
      SHORT_VIDEO_CLIENT_SECRET: 'WRONG-SECRET',
    });
    expect([status, errors]).to.deep.equal([1, '']);
    const [, shown = ''] = /^```text\n( {2}✓ Node .*?)^```/ms.exec(textOf('docs/deploying.md')) ?? [];
    const compared = (text: string) =>
      text.split('\n').filter((line) => !/✓ (Node|\S+ +reached|clock) /.test(line));
    expect(compared(shown)).to.deep.equal(compared(output));
    expect(shown.split('\n')).to.have.length(output.split('\n').length);
    const [, part = ''] =
      /^```text\n(short-video \(TikTok\)\n.*?)^```/ms.exec(textOf('check/README.md')) ?? [];
    const lines = part.split('\n').filter((line) => line !== '...');
    expect(lines).to.have.length.above(2);
    expect(output.split('\n').filter((line) => line !== '' && lines.includes(line))).to.deep.equal(
      lines.filter((line) => line !== ''),
    );
  });

  it('reads a file of variables; those that are set already win', async () => {
    const file = join(folder, 'production.env');
    const lines = Object.entries(right()).map(([name, value]) => `${name}="${value}" # a comment`);
    writeFileSync(file, `${lines.join('\n')}\nSHORT_VIDEO_CLIENT_SECRET=WRONG-SECRET\n`);
    const { SHORT_VIDEO_CLIENT_SECRET = '' } = right();
    const args = sandboxed('--json', '--env-file', file, 'short-video');
    expect((await run(args, {})).status).to.equal(1);
    expect((await run(args, { SHORT_VIDEO_CLIENT_SECRET })).status).to.equal(0);
  });

  it('takes addresses, callback URLs and a timeout', async () => {
    const hanging = close(await serve(() => {}));
    const { status, output } = await run(['--json', '--timeout', '200'], {
      SHORT_VIDEO_CLIENT_ID: 'awkey',
      SHORT_VIDEO_CLIENT_SECRET: 'the-secret',
      SHORT_VIDEO_TOKEN_URL: `${hanging.url}/token/`,
      SHORT_VIDEO_PROFILE_URL: `${hanging.url}/profile/`,
      SHORT_VIDEO_CALLBACK_URL: 'http://app.example/callback',
      BASE_URL: 'https://app.example',
    });
    expect(status).to.equal(1);
    const [report] = parsed(output).reports;
    expect(report && verdictsOf(report)).to.include({
      [new URL(hanging.url).host]: 'failed',
      callbackURL: 'failed',
      credentials: 'unknown',
    });
  });

  it('takes SOCIAL_NETWORK without a secret for VK ID, and MICROBLOG without one for a public client', async () => {
    const { output } = await run(sandboxed('--json'), {
      SOCIAL_NETWORK_CLIENT_ID: right().SOCIAL_NETWORK_VK_ID_CLIENT_ID ?? '',
      MICROBLOG_CLIENT_ID: sandbox.options('microblog', { client: 'public' }).clientID,
      MICROBLOG_CLIENT_SECRET: '',
    });
    const [microblog, socialNetwork] = parsed(output).reports;
    expect(socialNetwork).to.include({ provider: 'social-network', network: 'VK ID' });
    expect(socialNetwork && findingOn(socialNetwork, 'credentials').verdict).to.equal('passed');
    expect(microblog && findingOn(microblog, 'credentials').message).to.equal(
      'X accepts the client ID: wrong ones get another response',
    );
  });

  for (const [prefix, name] of [
    ['SHORT_VIDEO', 'TOKEN_URL'],
    ['MICROBLOG_1_0', 'ACCESS_TOKEN_URL'],
  ] as const) {
    it(`an address that is no URL is a finding that names its variable, ${prefix}_${name}, and repeats nothing`, async () => {
      const { status, output } = await run([], {
        [`${prefix}_CLIENT_ID`]: 'a',
        [`${prefix}_CLIENT_SECRET`]: 'b',
        [`${prefix}_${name}`]: 'canary-7f3a9c',
        BASE_URL: 'https://your.domain',
      });
      expect(status).to.equal(1);
      expect(output).to.include(`✗ ${prefix}_${name}  must be an absolute URL`).and.not.include('canary');
    });
  }

  for (const [name, meant, names = ''] of [
    ['MICROBLOG_CLIENT_SECERT', 'MICROBLOG_CLIENT_SECRET'],
    ['SOCIAL_NETWROK_CLIENT_SECRET', 'SOCIAL_NETWORK_CLIENT_SECRET'],
    ['MICROBLOG_CALBACK_URL', 'MICROBLOG_CALLBACK_URL', 'microblog'],
    ['SHORT_VIDEO_CLIENT_KEY', 'SHORT_VIDEO_CLIENT_ID'],
    ['BASE_URI', 'BASE_URL'],
    ['MICROBLOG_CLIENTID', ''], // It is set.
    ['SHORTVIDEO_CLIENT_ID', '', 'microblog'],
    ['HTTP_PROXY', ''],
    ['FACEBOOK_CLIENT_ID', ''],
  ] as const) {
    it(`${meant || 'nothing'} is meant by ${name} beside MICROBLOG_CLIENT_ID, of ${names || 'all strategies'}`, async () => {
      const environment = { MICROBLOG_CLIENT_ID: 'a', [name]: 'canary-7f3a9c' };
      const { output } = await run(sandboxed(...names.split(' ').filter(Boolean)), environment);
      const [, said = ''] = output.replace(/\s+/g, ' ').split('environment (variables) ');
      expect(said.startsWith(`? ${name} is set. Did you mean ${meant}? See docs/`)).to.equal(meant !== '');
      expect(said === '').to.equal(meant === '');
      expect(output).to.not.include('canary');
    });
  }

  describe('what cannot be checked exits with 2', () => {
    const secret = 'canary-7f3a9c';
    const url = (name: string) => `${name} must be an absolute URL such as https://your.domain`;
    const names = 'short-video, microblog, microblog-1-0, social-network, social-network-vk-id';
    const variables = names.split(', ').map((name) => `${name.toUpperCase().replace(/\W/g, '_')}_CLIENT_ID`);
    const unset = `nothing to check. Set credentials, or name a file with --env-file: ${variables.join(', ')}.`;
    const address = { MICROBLOG_CALLBACK_URL: `/${secret}` };
    const option = 'unknown or incomplete option. See npx passport-social-networks-check --help';
    const unread = 'the file of --env-file cannot be read (ENOENT)';
    const sandboxURL = '--sandbox must be a URL such as http://127.0.0.1:4000';
    for (const [title, args, environment, message] of [
      ['another name', [secret], {}, `there is no strategy of that name. There are: ${names}`],
      ['a secret as an option', [`--client-secret=${secret}`], {}, option],
      ['no variables', [], {}, unset],
      [
        'no variables but a misspelt one',
        [],
        { MICROBLOG_CLIENTID: secret },
        `${unset} MICROBLOG_CLIENTID is set. Did you mean MICROBLOG_CLIENT_ID?`,
      ],
      ['a wrong timeout', ['--timeout', '0'], {}, '--timeout must be a number of milliseconds'],
      ['a wrong sandbox', ['--sandbox', secret], {}, sandboxURL],
      ['a wrong callback URL', [], address, url('MICROBLOG_CALLBACK_URL')],
      ['a wrong proxy', [], { HTTPS_PROXY: `user:${secret}@proxy` }, url('HTTPS_PROXY')],
      ['a file that does not exist', ['--env-file', join(folder, secret)], {}, unread],
    ] as const) {
      it(`${title}, and repeats nothing`, async () => {
        const known = title.startsWith('no variables') ? {} : { MICROBLOG_CLIENT_ID: 'a' };
        expect(await run(args, { ...known, ...environment })).to.deep.equal({
          status: 2,
          output: '',
          errors: `passport-social-networks-check: ${message}\n`,
        });
      });
    }
  });
});
