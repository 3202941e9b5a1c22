import { extname, join } from 'node:path';
import { expect } from 'chai';
import { runCommandLine } from '../../check/lib/command.js';
import { Program } from '../support/process.js';
import { realSockets } from '../support/real-sockets.js';
import { oneSandbox } from '../support/sandbox.js';
import { connectProxy, NETWORK_NAMES, privateAuthority, tlsFront } from '../support/tls-front.js';
import { credentialsOf, type Environment, findingOn, parsed } from './subjects.js';

/** The compiled tests run the compiled command. */
const EXTENSION = extname(__filename);
const COMMAND = `void require(${JSON.stringify(join(__dirname, `../../check/lib/command${EXTENSION}`))}).main()`;
const LOADER = EXTENSION === '.ts' ? ['--require', 'tsx/cjs'] : [];

function start(args: readonly string[], environment: Environment = {}): Program {
  const { PATH, NODE_V8_COVERAGE } = process.env;
  const words = [...LOADER, '--eval', COMMAND, '--', 'command', ...args];
  return new Program(words, { PATH, NODE_V8_COVERAGE, ...environment });
}

const run = (...given: Parameters<typeof start>) => start(...given).ended();

describe('npx passport-social-networks-check', function () {
  const close = realSockets();
  this.timeout(30_000);
  const sandbox = oneSandbox();
  const right = () => credentialsOf(sandbox);

  const sandboxed = (...args: string[]) => ['--sandbox', sandbox.url, ...args];

  it('prints what it found and exits with 1 if something failed, or with 2 if nothing could be checked', async () => {
    const [failed, nothing] = await Promise.all([
      run(sandboxed(), { SHORT_VIDEO_CLIENT_ID: 'awkey', SHORT_VIDEO_CLIENT_SECRET: 'WRONG-SECRET' }),
      run([], { MICROBLOG_CLIENT_ID: 'a', BASE_URL: 'canary-7f3a9c' }),
    ]);
    expect([failed.code, failed.errors]).to.deep.equal([1, '']);
    expect(failed.output).to.include('✗ credentials');
    expect(nothing).to.deep.equal({
      code: 2,
      output: '',
      errors:
        'passport-social-networks-check: BASE_URL must be an absolute URL such as https://your.domain\n',
    });
  });

  it('ends quietly if nobody reads its output, as with a pipe into head', async () => {
    const command = start(['--help']);
    command.closeOutput();
    expect(await command.ended()).to.deep.equal({ code: 0, output: '', errors: '' });
  });

  it('goes through the proxy of the environment to the networks’ own hosts', async () => {
    const authority = privateAuthority(NETWORK_NAMES);
    close(authority);
    const front = close(await tlsFront(authority, sandbox.url));
    const proxy = close(await connectProxy(front.port, 'user:PROXY-PASSWORD'));
    const proxied = { ...right(), HTTPS_PROXY: `http://user:PROXY-PASSWORD@127.0.0.1:${proxy.port}` };
    // Not OAuth 1.0a: the sandbox sees other URLs than those that were signed.
    const names = ['short-video', 'microblog', 'social-network', 'social-network-vk-id'];
    const trusting = await run(['--json', ...names], {
      ...proxied,
      NODE_EXTRA_CA_CERTS: authority.file,
    });
    expect([trusting.code, trusting.errors], trusting.output).to.deep.equal([0, '']);
    for (const report of parsed(trusting.output).reports) {
      expect(findingOn(report, 'credentials').verdict).to.equal('passed');
      const hosts = report.findings.filter(({ subject }) => /\.(com|ru)$/.test(subject));
      for (const { message } of hosts) {
        expect(message).to.match(
          / through the proxy of HTTPS_PROXY, certificate signed by Private authority$/,
        );
      }
    }
    const reached = ['open.tiktokapis.com', 'api.x.com', 'oauth.vk.ru', 'api.vk.ru', 'id.vk.ru'];
    expect(new Set(proxy.targets)).to.deep.equal(new Set(reached.map((host) => `${host}:443`)));
    // In this process, which does not trust the authority.
    const other = await runCommandLine(['--json', 'microblog'], proxied);
    expect(other.status).to.equal(1);
    expect(other.output).to.include('is signed by Private authority, which Node does not trust');
    expect(trusting.output + other.output).to.not.include('PROXY-PASSWORD');
    // The sandbox is on this machine.
    const unreachable = { ...right(), HTTPS_PROXY: 'http://127.0.0.1:1' };
    expect((await runCommandLine(sandboxed('microblog'), unreachable)).status).to.equal(0);
  });
});
