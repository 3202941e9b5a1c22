import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type SandboxPerson, startSandbox } from '../../sandbox/lib/index.js';
import { protocolOf, subjects } from '../contract/strategies.js';
import { allExchanges } from '../exchanges/exchange.js';
import { EXCHANGE_NETWORKS, type ExchangeNetwork, logIn, optionsOf, replay } from '../exchanges/play.js';
import { Browser } from '../support/browser.js';
import { closesAfterEach, temporaryFolder } from '../support/cleanup.js';
import { Program } from '../support/process.js';

const ROOT = join(__dirname, '../..');

/** Nobody else has any of these values. */
const CANARY: SandboxPerson = {
  id: 'canary',
  displayName: 'Zwitscher Gelbvogel',
  givenName: 'Zwitscherine',
  familyName: 'Gelbvogelsdottir',
  handle: 'gelbvogel_77',
  openId: '-Zw1tScH3rG3lbV0g3l-openid_9f8e7d6c5b4a',
  unionId: '9f8e7d6c-5b4a-4321-8765-0fedcba98765',
  microblogId: '1987654321987654321',
  socialNetworkId: 987654321,
  email: 'gelbvogel@canary.test',
  phone: '79997654321',
  picture: 'large',
  description: 'Lives in Voliere 7, reachable at 203.0.113.77. #gelbvogel',
  location: 'Vogelsheim',
  website: 'https://gelbvogel.canary.test/my-nest',
  sex: 'male',
  birthday: { day: 23, month: 11, year: 1987 },
  verified: true,
};
const PRIVATE =
  /zwitscher|gelbvogel|9f8e7d6c|voliere|203\.0\.113|vogelsheim|canary|my-nest|98765|1987|7999765/i;

/** What the sandbox is asked for by a login with a refresh and a revocation, where the network has them. */
const STEPS: Readonly<Record<string, string>> = {
  'short-video': 'profile refresh revoke token',
  microblog: 'profile refresh revoke token',
  'microblog 1.0': 'access-token profile request-token revoke',
  'social-network': 'profile token',
  'social-network 2.1': 'lookup profile refresh revoke token',
};
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  'short-video': ['profileFields=open_id,display_name,avatar_large_url,union_id'],
  microblog: ['scope=tweet.read users.read users.email offline.access', 'includeEmail=true'],
  'microblog 1.0': ['includeEmail=true'],
  'social-network': ['includeEmail=true', 'profileFields=bdate,city,screen_name,site,photo_max'],
  'social-network 2.1': ['includeEmail=true', 'profileFields=bdate,screen_name,photo_max'],
};

describe('npm run step -- record', function () {
  this.timeout(60_000);
  const closing = closesAfterEach();
  const folder = temporaryFolder();
  beforeEach(() => {
    rmSync(folder, { recursive: true });
    cpSync(join(ROOT, 'test/exchanges'), folder, {
      recursive: true,
      filter: (file) => !file.endsWith('.ts'),
    });
  });

  async function record(protocol: string, { answer = 'yes', secret = '' } = {}) {
    const subject = subjects().find((candidate) => protocolOf(candidate) === protocol);
    if (!subject) throw new Error(`There is no ${protocol}.`);
    const sandbox = closing(await startSandbox({ people: [CANARY] }));
    const { clientID, clientSecret, serviceToken, version, ...urls } = {
      ...subject.options(sandbox),
    } as unknown as Record<string, string>;
    const prefix = protocol.replace('2.1', 'VK_ID').toUpperCase().replaceAll(/\W/g, '_');
    const options = Object.entries(urls).map(([name, url]) => `${name}=${url}`);
    const words = [subject.provider, '--port=0', '--folder', folder]
      .concat(version === undefined ? [] : ['--version', version])
      .concat([...options, ...(OPTIONS[protocol] ?? [])].map((option) => `--option=${option}`));
    const tool = closing(
      new Program(
        ['--require', 'tsx/cjs', 'tools/record.ts', ...words],
        {
          PATH: process.env.PATH,
          [`${prefix}_CLIENT_ID`]: clientID,
          [`${prefix}_CLIENT_SECRET`]: secret || clientSecret,
          [`${prefix}_SERVICE_TOKEN`]: serviceToken,
        },
        ROOT,
      ),
    );
    const [, url = ''] = await tool.shows(/Open (\S+) in a browser/);
    const browser = new Browser();
    const start = await browser.get(url);
    const consent = await browser.get(`${start.location}&auto=allow&person=canary`);
    const callback = new URL(consent.location);
    // Another site's image and forged callbacks end nothing.
    const image = { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'cross-site' };
    await browser.get(url, image);
    for (const query of ['', '?error=x', '?code=x&state=y', '?oauth_token=x&oauth_verifier=y'])
      expect((await browser.get(`${callback.href.split('?')[0]}${query}`, image)).status).to.equal(403);
    await browser.get(callback.href);
    await tool.shows(/Type yes to write/);
    tool.input.end(`${answer}\n`);
    const { code } = await tool.ended();
    expect(code, tool.text).to.equal(0);
    const written = allExchanges([folder]).filter(({ name }) => name.includes('.recorded-'));
    // Scopes are public.
    callback.searchParams.delete('scopes');
    return {
      output: tool.text,
      written,
      secrets: [clientSecret, serviceToken, ...callback.searchParams.values()],
    };
  }

  it('is tried with every protocol', () => {
    expect(Object.keys(STEPS)).to.have.members(subjects().map(protocolOf));
  });

  for (const [protocol, steps] of Object.entries(STEPS)) {
    it(`K1: records a login through ${protocol}, without anything private, whatever other sites request, and the tests can play it`, async () => {
      const { output, written, secrets } = await record(protocol);
      expect(written.map(({ step }) => step).sort()).to.deep.equal(steps.split(' '));
      for (const text of [output.slice(output.indexOf('---')), JSON.stringify(written)]) {
        expect(PRIVATE.exec(text.replaceAll(folder, ''))?.[0]).to.equal(undefined);
        for (const secret of secrets) if (secret && secret.length > 7) expect(text).to.not.include(secret);
      }
      for (const { source } of written) expect(source).to.match(/^recorded: .* at https:/);
      const [{ folder: home } = { folder: '' }] = written;
      const network = EXCHANGE_NETWORKS.get(home) as ExchangeNetwork;
      replay(
        written.filter(({ step }) => !['refresh', 'revoke'].includes(step)),
        network,
      );
      const { verifications, error } = await logIn(network, optionsOf(written));
      expect(error, String((error as Error | undefined)?.message)).to.equal(undefined);
      const ids = [CANARY.openId, CANARY.microblogId, String(CANARY.socialNetworkId)].map(shape);
      const [{ profile } = { profile: {} }] = verifications;
      expect(ids).to.include((profile as { id: string }).id);
    });
  }

  it('records the error response of a login that failed, with its codes and words', async () => {
    const secret = 'ANOTHER-SECRET-0123456789';
    const refused = await record('microblog', { secret });
    expect(refused.output).to.include('The login failed: ').and.to.not.include(secret);
    expect(refused.written.map(({ step, status }) => [step, status])).to.deep.equal([['token', 401]]);
    expect(refused.written[0]?.response).to.deep.equal({
      error: 'unauthorized_client',
      error_description: 'Missing valid authorization header',
    });
  });

  it('writes nothing if the answer is no', async () => {
    const { output, written } = await record('microblog', { answer: 'no' });
    expect(output).to.include('Nothing was written.');
    expect(written).to.deep.equal([]);
  });
});

/** A known ID with its digits and letters replaced. */
const shape = (id: string) => id.replace(/\d/g, '1').replace(/[a-z]/g, 'x').replace(/[A-Z]/g, 'X');
