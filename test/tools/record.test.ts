import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type SandboxPerson, startSandbox, type VkIdCallback } from '../../sandbox/lib/index.js';
import { readSettings } from '../../tools/record/main.js';
import { Redactor } from '../../tools/record/redact.js';
import { passOn } from '../contract/eavesdropper.js';
import { protocolOf, type Subject, subjects } from '../contract/strategies.js';
import { allExchanges } from '../exchanges/exchange.js';
import { NOW, playExchange } from '../exchanges/play.js';
import { Browser } from '../support/browser.js';
import { closesAfterEach } from '../support/cleanup.js';
import { type Reply, type SeenRequest, network as startNetwork } from '../support/server.js';

import nock = require('nock');

const ROOT = join(__dirname, '..', '..');

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
  pinnedPost: { id: '1876543218765432187', text: 'Zwitscher was here.' },
};

/** Headers of every response that must not be written, and the values in them. */
const HEADERS = {
  'set-cookie': 'guest_id=COOKIE-CANARY; Path=/',
  'x-request-id': 'CANARY-REQUEST-4711',
  'x-client-ip': '198.51.100.23',
  'x-tt-logid': '20261122LOGIDCANARY0123456789',
};

/** Values that may be in the files as the network sent them. */
const HARMLESS = new Set([
  ...'large authorization_code refresh_token bearer Bearer true ok blue 3600 7200 43200 15552000'.split(' '),
  'user.info.basic',
  'user.info.basic,user.info.profile,user.info.stats',
  'tweet.read users.read offline.access users.email',
  'vkid.personal_info email',
  // The website of the network's documented sample, which the sandbox sends too.
  'https://t.co/3ZX3TNiZCY',
]);

/** A recording at a server that can change the responses of the sandbox. */
interface Run {
  /** @default microblog */
  readonly protocol?: string;
  readonly options?: object;
  readonly change?: (reply: Reply, request: SeenRequest) => Reply;
  readonly vkIdCallback?: VkIdCallback;
  /** More arguments. */
  readonly words?: readonly string[];
  /** The answer to the question; `undefined` closes the terminal. @default yes */
  readonly answer?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the credentials are in a file instead of the environment. */
  readonly hasEnvFile?: boolean;
  /** What the user does at the sandbox. @default logs in */
  readonly decision?: string;
  /** More parameters of the redirect. */
  readonly extra?: string;
  /** The exit status. @default 0 */
  readonly status?: number;
}

interface Row extends Omit<Run, 'change'> {
  /** Absent for the usual login, with as many personal values as there are. */
  readonly title?: string;
  readonly protocol: string;
  /** @param isFirst - Whether it is the first request to its path. */
  readonly change?: (reply: Reply, request: SeenRequest, isFirst: boolean) => Reply;
  /** The exchanges; the second one of a step has the number 2. */
  readonly steps: string;
}

const FORBIDDEN = {
  status: 403,
  body: { title: 'Forbidden', detail: 'Forbidden', type: 'about:blank', status: 403 },
};

const USUAL = {
  change: (reply: Reply) => ({ ...reply, headers: { ...reply.headers, ...HEADERS } }),
  words: ['--revoke'],
};

/** Each protocol, and logins that take more requests than usual, or unusual responses. */
const ROWS: readonly Row[] = [
  {
    ...USUAL,
    protocol: 'short-video',
    options: {
      profileFields: 'open_id,display_name,avatar_large_url,union_id,username,bio_description,follower_count',
    },
    steps: 'profile refresh revoke token',
  },
  {
    ...USUAL,
    protocol: 'microblog',
    options: {
      scope: 'tweet.read users.read offline.access',
      includeEmail: true,
      expansions: 'pinned_tweet_id',
    },
    steps: 'profile refresh revoke token',
  },
  {
    ...USUAL,
    protocol: 'microblog 1.0',
    options: { includeEmail: true },
    steps: 'access-token profile request-token revoke',
  },
  {
    ...USUAL,
    protocol: 'social-network',
    options: {
      includeEmail: true,
      profileFields: 'bdate,city,home_town,photo_max,screen_name,sex,site,status',
    },
    steps: 'profile token',
  },
  {
    ...USUAL,
    protocol: 'social-network 2.1',
    options: { includeEmail: true, profileFields: 'bdate,screen_name,photo_max' },
    steps: 'lookup profile refresh revoke token',
  },
  {
    title: 'a login in which the network refuses the e-mail field, with compressed responses',
    protocol: 'microblog',
    options: { includeEmail: true },
    change: (reply, { url }) => {
      if (url.includes('confirmed_email')) return FORBIDDEN;
      const headers = { ...reply.headers, 'content-encoding': 'gzip' };
      return { ...reply, headers, body: gzipSync(contentOf(reply)) };
    },
    steps: 'profile profile-2 token',
  },
  {
    title: 'a login in which the users lookup takes the place of a forbidden profile',
    protocol: 'microblog 1.0',
    change: (reply, { path }) => (path.includes('verify_credentials') ? FORBIDDEN : reply),
    steps: 'access-token lookup profile request-token',
  },
  {
    title: 'a login in which the token response takes the place of two forbidden profiles',
    protocol: 'microblog 1.0',
    change: (reply, { path }) => (/verify_credentials|users\/me/.test(path) ? FORBIDDEN : reply),
    steps: 'access-token lookup profile request-token',
  },
  {
    title: 'a login with a request that is repeated',
    protocol: 'social-network',
    change: (reply, { path }, isFirst) =>
      path.includes('users.get') && isFirst ? { status: 502, body: 'Bad Gateway' } : reply,
    steps: 'profile token',
  },
  {
    title: 'a login with a packed authorization response, a forbidden lookup and a refresh that fails',
    protocol: 'social-network 2.1',
    options: { profileFields: 'bdate' },
    change: (reply, { path, form }) => {
      const refusal = { error: 'invalid_grant', error_description: 'refresh_token is invalid' };
      if (form.get('grant_type') === 'refresh_token') return { ...reply, status: 400, body: refusal };
      const error = { error_code: 15, error_msg: 'Access denied' };
      return path.includes('users.get') ? { ...reply, body: { error } } : reply;
    },
    vkIdCallback: 'payload',
    steps: 'lookup profile refresh token',
  },
];

describe('npm run step -- record', function () {
  this.timeout(90_000);
  const closing = closesAfterEach();
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'record-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Records a login of the canary, until the program has ended. */
  async function record({ protocol = 'microblog', ...run }: Run = {}) {
    const subject = subjects().find((candidate) => protocolOf(candidate) === protocol) as Subject;
    const { change = (reply) => reply, vkIdCallback = 'flat', words = [] } = run;
    const sandbox = closing(await startSandbox({ people: [CANARY], vkIdCallback }));
    const replies: Reply[] = [];
    const front = closing(
      await startNetwork(async (request) => {
        const answer = await passOn(sandbox.url, request);
        const reply = change({ ...answer, body: answer.body.toString() }, request);
        replies.push(reply);
        return reply;
      }),
    );
    const { clientID, clientSecret, serviceToken, version, ...urls } = {
      ...subject.options(sandbox),
    } as Record<string, unknown>;
    const prefix = protocol.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');
    const credentials = { CLIENT_ID: clientID, CLIENT_SECRET: clientSecret, SERVICE_TOKEN: serviceToken };
    const variables = Object.entries(credentials).filter(([, value]) => value !== undefined);
    const env = {
      ...Object.fromEntries(variables.map(([name, value]) => [`${prefix}_${name}`, String(value)])),
      ...run.env,
    };
    const file = join(folder, '.env');
    const lines = Object.entries(env).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(file, lines.join(''));
    const atFront = Object.entries(urls).map(([name, url]) => [
      name,
      /authorization/i.test(name) ? url : String(url).replace(sandbox.url, front.url),
    ]);
    const options = Object.entries({ ...Object.fromEntries(atFront), ...run.options });
    const tool = new Tool(
      [
        subject.provider,
        ...(subject.version === undefined ? [] : ['--version', String(version)]),
        ...options.flatMap(([name, value]) => ['--option', `${name}=${String(value)}`]),
        '--folder',
        folder,
        ...words,
        ...(run.hasEnvFile ? ['--env-file', file] : []),
      ],
      run.hasEnvFile ? {} : env,
    );
    const callback = await tool.logIn(run.decision ?? 'auto=allow&person=canary', run.extra);
    // After a login that leaves nothing to write, there is no question.
    if (run.status === undefined) await tool.answer('answer' in run ? run.answer : 'yes');
    expect(await tool.ended(), tool.output + tool.errors).to.equal(run.status ?? 0);
    const values = [...Object.values(env), ...callback.searchParams.values()];
    return { tool, front, values: privateValues(front.requests, replies, values) };
  }

  it('is tried with every protocol', () => {
    const usual = ROWS.filter(({ title }) => title === undefined).map(({ protocol }) => protocol);
    expect(usual).to.have.members(subjects().map(protocolOf));
  });

  for (const { title, steps, protocol, change, ...run } of ROWS) {
    const what = title ?? `a login through ${protocol} without private values`;

    it(`K1: records ${what}, whatever images of other sites request meanwhile, and the suite plays it`, async () => {
      const seen = new Set<string>();
      const { tool, front, values } = await record({
        protocol,
        ...run,
        change: (reply, request) => {
          const isFirst = !seen.has(request.path);
          seen.add(request.path);
          return change ? change(reply, request, isFirst) : reply;
        },
      });
      const names = recordedIn(folder);
      expect(names.map((name) => name.split('/').at(-1)).join(' ')).to.equal(steps);
      expect(tool.output).to.include(`The suite plays them: ${names.length} passed, 0 failed.`);
      await playAll(folder);
      if (title !== undefined) return;
      const { provider, exchanges } = subjects().find((one) => protocolOf(one) === protocol) as Subject;
      const paths = steps.split(' ').map((step) => join(folder, provider, exchanges.folder, `${step}.json`));
      const written = paths.map((path) => readFileSync(path, 'utf8')).join('\n');
      expect(written).to.include(`"source": "recorded: ${protocol} at ${front.url}, ${today()}`);
      expect(values).to.have.length.above(25);
      for (const shown of [written, tool.output]) {
        expect(values.filter((value) => isIn(shown, value))).to.deep.equal([]);
      }
    });
  }

  for (const [what, answer] of [
    ['the answer is no', 'no'],
    ['the terminal is closed', undefined],
  ] as const) {
    it(`reads credentials from a file, and writes nothing if ${what}`, async () => {
      const { tool } = await record({ hasEnvFile: true, answer });
      // Warnings of the requests of another site.
      expect(tool.errors.replace(/^\(.*\n/gm, '')).to.equal('');
      if (answer) expect(tool.output).to.match(/Nothing was written\.\n$/);
      expect(recordedIn(folder)).to.deep.equal([]);
    });
  }

  it('writes the error response of a failed login, and of its message the known words', async () => {
    const problem = { title: 'Forbidden', type: 'about:blank', status: 403 };
    const detail = 'User gelbvogel_77 at 203.0.113.77 is not permitted to access this.';
    const { tool } = await record({
      change: (reply, { path }) => {
        if (!path.endsWith('/me')) return reply;
        const body = { ...problem, detail, account: '1987654321987654321' };
        return { status: 403, headers: { 'content-type': 'application/problem+json' }, body };
      },
    });
    expect(tool.output).to.include('The suite plays them: 1 passed, 0 failed.');
    expect(recordedIn(folder)).to.deep.equal(['microblog/2.0/profile']);
    const [{ response, after, expected } = {}] = allExchanges([folder]);
    expect(after).to.equal('token.success');
    expect(response).to.deep.equal({
      ...problem,
      detail: 'User WORD WORD 000.0.000.00 is not permitted to access this.',
      account: '1000000000000000001',
    });
    expect(tool.output).not.to.match(/gelbvogel|203\.0/);
    const error = { outcome: 'error', class: 'RefusedError', step: 'profile', networkCode: 'Forbidden' };
    expect(expected).to.include(error);
  });

  it('writes the error response to wrong credentials', async () => {
    const secret = 'SECRET-CANARY-0123456789';
    const { tool } = await record({ env: { MICROBLOG_CLIENT_SECRET: secret } });
    expect(tool.output).to.include('The suite plays them: 1 passed, 0 failed.');
    expect(recordedIn(folder)).to.deep.equal(['microblog/2.0/token']);
    expect(isIn(tool.output, secret)).to.equal(false);
  });

  it('K1: prints no control characters and nothing invisible, which a redirect or a response puts into names', async () => {
    const raw = '\u001b[31m\u009b\u202e\u200bNAME';
    const { tool } = await record({
      extra: `&${encodeURIComponent(raw)}=x`,
      change: (reply, { path }) => {
        if (!path.endsWith('/me')) return reply;
        return { ...reply, body: { ...JSON.parse(contentOf(reply)), [raw]: { [raw]: true } } };
      },
    });
    expect(tool.output).to.include('response: [31mNAME, code, state').and.include('passed, 0 failed');
    expect(tool.output + tool.errors).to.not.match(/[^\P{C}\n]/u);
  });

  it('writes nothing if the user declines', async () => {
    const { tool } = await record({ decision: 'auto=deny', status: 1 });
    expect(tool.output).to.include('The login failed: The user declined the login at the network.');
    expect(recordedIn(folder)).to.deep.equal([]);
  });

  it('says what to change, before a login, if it cannot record one', async () => {
    const env = { MICROBLOG_CLIENT_ID: 'CLIENT-ID', MICROBLOG_CLIENT_SECRET: 'CLIENT-SECRET' };
    const cases: [string[], RegExp][] = [
      [[], /^Name one network: short-video, microblog, social-network\./],
      [['short-video'], /^Set SHORT_VIDEO_CLIENT_ID and, if the client has one, SHORT_VIDEO_CLIENT_SECRET/],
      [['microblog', '--version', '3'], /^microblog has the versions 2\.0 and 1\.0\.$/],
      [['short-video', '--version', '1.0'], /^short-video has one protocol: leave out --version\.$/],
      [['microblog', '--option', 'clientSecret=a'], /clientSecret comes from the environment/],
      [
        ['microblog', '--option', 'tokenURL=https://elsewhere.example/'],
        /^tokenURL is not at x\.com\. .*--folder/,
      ],
      [['microblog', '--port', 'a'], /^--port is a number/],
    ];
    for (const [words, message] of cases) expect(() => readSettings(words, env)).to.throw(message);
    const tool = new Tool([], env);
    expect(await tool.ended(), tool.output).to.equal(1);
    expect(tool.errors).to.match(/^Name one network/);
  });
});

describe('a recording without private values', () => {
  const documented = allExchanges();
  const newRedactor = () => new Redactor(documented, 'microblog/2.0');

  /** What is left of a member of a record. */
  function left(name: string, value: unknown, isError = false): unknown {
    return Reflect.get(Object(newRedactor().response({ [name]: value }, 'profile', isError)), name);
  }

  for (const [name, value, expected] of [
    ['id', '2244994945', '1000000001'],
    ['id', 2244994945, 1000000001],
    ['id', '1987654321987654321', '1000000000000000001'],
    ['open_id', '-Ab3_xY9zQw8Er7Ty', '-xxxxxxxxxxxxxxx1'],
    ['union_id', 'c9c60f44-a68e-4f5d-84dd-ce22faeb0ba1', '00000000-0000-4000-8000-000000000001'],
    ['phone', '79991234567', '10000000001'],
    ['email', 'alice@example.org', 'person@example.com'],
    ['email', 'a***e@e***.org', 'x***x@x***.xx1'],
    ['name', 'Alice Example', 'DISPLAY-NAME'],
    ['home_town', 'Lisbon', 'HOME-TOWN'],
    ['bdate', '17.5.1990', '1.1.2000'],
    ['bdate', '17.5', '1.1'],
    ['birthday', '17.05.1990', '01.01.2000'],
    ['birthday', '1990-05-17', '2000-01-01'],
    ['created_at', '2013-12-14T04:35:55.000Z', '2000-01-01T00:00:00.000Z'],
    ['created_at', 'Sat Dec 14 04:35:55 +0000 2013', 'Sat Jan 01 00:00:00 +0000 2000'],
    ['screen_name', 'id2244994945', 'id1000000001'],
    ['ip', '203.0.113.77', 'IP'],
    ['latitude', 38.7223, 1.5],
    ['followers_count', 10625, 10000],
    ['utc_offset', -28800, -10000],
    ['sex', 2, 1],
    ['sex', 0, 0],
    ['protected', true, true],
    ['location', null, null],
    ['description', '', ''],
    ['verified_type', 'blue', 'blue'],
    ['verified_type', 'alice', 'VERIFIED-TYPE'],
    ['scope', 'tweet.read users.read', 'tweet.read users.read'],
    ['scope', 'Alice 1990', 'SCOPE'],
    ['session_key', 'abc', 'SESSION-KEY'],
    [
      'profile_image_url',
      'https://pbs.twimg.com/profile_images/1751506047/Alice_Example_normal.jpg?name=Alice',
      'https://pbs.twimg.com/profile_images/0000000000/xxxxx_xxxxxxx_normal.jpg?name=xxxxx',
    ],
    ['url', 'https://alice.example.org:8080/about#me', 'https://www.example.com/xxxxx#x'],
    ['url', 'http://203.0.113.77/', 'http://www.example.com/'],
  ] as const) {
    it(`has ${JSON.stringify(expected)} for ${JSON.stringify(value)} as ${name}`, () => {
      expect(left(name, value)).to.equal(expected);
    });
  }

  it('has the same value everywhere, and another one for another value', () => {
    const redactor = newRedactor();
    const record = { id: '5551', user_id: 5551, name: 'A', names: ['B', 'A'], friends: [{ name: 'C' }] };
    expect(redactor.response(record, 'profile', false)).to.deep.equal({
      id: '1001',
      user_id: 1001,
      name: 'DISPLAY-NAME',
      names: ['NAMES', 'DISPLAY-NAME'],
      friends: [{ name: 'DISPLAY-NAME-2' }],
    });
  });

  it('has no value as the name of a member', () => {
    const redactor = newRedactor();
    const record = { username: 'alice', friends: { alice: 1, '2244994945': 1, 'Alice Example': 1 } };
    redactor.response(record, 'profile', false);
    expect(redactor.response(record, 'profile', false)).to.deep.equal({
      username: 'username',
      friends: { username: 1, KEY: 1, 'KEY-2': 1 },
    });
  });

  it('has a fixed page for a page, and the known words of other text', () => {
    const redactor = newRedactor();
    const page = '<!DOCTYPE html><p>Your IP is 203.0.113.77</p>';
    expect(redactor.response(page, 'profile', true)).to.equal(
      '<!DOCTYPE html><html><body>PAGE</body></html>',
    );
    expect(redactor.response('Forbidden for gelbvogel_77', 'profile', true)).to.equal('Forbidden for WORD');
    expect(redactor.response('a'.repeat(2_000), 'profile', true)).to.equal('TEXT');
  });

  it('has error codes, and no other words in their place', () => {
    expect(left('error', 'some_new_code', true)).to.equal('some_new_code');
    expect(left('error', 'gelbvogel_77', true)).to.equal('WORD');
    expect(left('error', 'some_new_code')).to.equal('ERROR');
  });

  it('has only headers that say something about the network', () => {
    const sent = { 'content-type': 'text/html', date: 'now', 'x-rate-limit-reset': '1795377922' };
    const headers = { ...HEADERS, ...sent };
    expect(newRedactor().headers(headers, 'profile')).to.deep.equal({
      'content-type': 'text/html',
      'x-rate-limit-reset': '1762300800',
      'x-tt-logid': 'xxxxxxxxxxxxxxxxxxxxxxxxxxxx1',
    });
  });

  for (const [encoding, spelled] of [
    ['as it is', (text: string) => text],
    ['in JSON', (text: string) => JSON.stringify(text)],
    ['in a URL', encodeURIComponent],
    ['in base64', (text: string) => Buffer.from(text).toString('base64')],
    ['in base64 behind other text', (text: string) => Buffer.from(`id:${text}:x`).toString('base64')],
    ['in hexadecimal', (text: string) => Buffer.from(text).toString('hex')],
  ] as const) {
    it(`is not written if a value is left in it ${encoding}`, () => {
      const redactor = newRedactor();
      redactor.response({ location: 'Vogelsheim "Ö"' }, 'profile', false);
      expect(redactor.leaksIn(`... ${spelled('Vogelsheim "Ö"')} ...`)).to.deep.equal(['location']);
      expect(redactor.leaksIn('... LOCATION ...')).to.deep.equal([]);
    });
  }
});

/** `<network>/<version>/<step>` of what was recorded today, with a number from the second one of a step on. */
function recordedIn(folder: string): string[] {
  return allExchanges([folder]).map(({ name }) => name.replace(`.recorded-${today()}`, ''));
}

/** Plays what was written as the suite does. */
async function playAll(folder: string): Promise<void> {
  const written = allExchanges([folder]);
  const { now } = Date;
  Date.now = () => NOW;
  try {
    for (const exchange of written) await playExchange(exchange, [...allExchanges(), ...written]);
  } finally {
    Date.now = now;
    nock.cleanAll();
  }
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** `npm run step -- record`, and a browser for its application. */
class Tool {
  output = '';
  errors = '';
  private readonly process: ChildProcess;
  private readonly exit: Promise<unknown[]>;

  constructor(words: readonly string[], env: Readonly<Record<string, string>>) {
    const main = join(ROOT, 'tools', 'record', 'main.ts');
    const all = ['--throw-deprecation', '--require', 'tsx/cjs', main, '--port', '0', ...words];
    const settings = { cwd: ROOT, env: { PATH: process.env.PATH, NO_COLOR: '1', ...env } };
    this.process = spawn(process.execPath, all, settings);
    this.exit = once(this.process, 'close');
    this.process.stdout?.on('data', (text: Buffer) => {
      this.output += text;
    });
    this.process.stderr?.on('data', (text: Buffer) => {
      this.errors += text;
    });
  }

  /** Logs in, after images of another site have tried to end the recording (K1). @returns The URL to which the network sent the browser. */
  async logIn(decision: string, extra = ''): Promise<URL> {
    const [, url = ''] = await this.printed(/Open (\S+) in a browser/);
    const browser = new Browser();
    const start = await browser.get(url);
    const consent = await browser.get(`${start.location}&${decision}`);
    const callback = new URL(consent.location);
    const image = { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'cross-site' };
    for (const query of ['', '?error=x', '?error=x&state=y', '?denied=x', '?payload=x'])
      expect((await browser.get(callback.href.replace(/\?.*/, query), image)).status, query).to.equal(403);
    expect((await browser.get(url, image)).status).to.equal(403);
    await browser.get(`${callback.href}${extra}`);
    return callback;
  }

  /** Answers the question. @param text - `undefined` closes the terminal. */
  async answer(text: string | undefined): Promise<void> {
    await this.printed(/Type yes to write/);
    if (text === undefined) this.process.stdin?.end();
    else this.process.stdin?.write(`${text}\n`);
  }

  /** @returns The exit status. */
  async ended(): Promise<unknown> {
    const [status] = await this.exit;
    return status;
  }

  private async printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (let isOver = false; ; isOver = this.process.stdout?.readableEnded ?? true) {
      const match = pattern.exec(this.output);
      if (match) return match;
      if (isOver) throw new Error(`The tool did not print ${pattern}:\n${this.output}${this.errors}`);
      await Promise.race([once(this.process.stdout as NodeJS.ReadableStream, 'data'), this.exit]);
    }
  }
}

/** Everything that went over the wire or belongs to the user, but for what is harmless. */
function privateValues(
  requests: readonly SeenRequest[],
  replies: readonly Reply[],
  others: readonly string[],
): string[] {
  const sent = requests.flatMap(({ form, headers }) => [
    ...[...form]
      .filter(([name]) => !['fields', 'v', 'redirect_uri'].includes(name))
      .map(([, value]) => value),
    ...(headers.authorization?.split(' ').slice(1) ?? []),
  ]);
  const received = replies.map(contentOf).flatMap((content) => {
    return content.startsWith('{')
      ? leavesOf(JSON.parse(content))
      : [...new URLSearchParams(content).values()];
  });
  const all = [...sent, ...received, ...leavesOf(CANARY), ...Object.values(HEADERS), ...others];
  return [...new Set(all)].filter((value) => value.length > 4 && !HARMLESS.has(value));
}

function contentOf({ body }: Reply): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf);
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}

/** Whether a text has a value, or half of a long one, in any letter case and any of several encodings. */
function isIn(shown: string, value: string): boolean {
  const half = Math.ceil(value.length / 2);
  const isLong = value.length >= 16 && /^[^:]*\d[^:]*$/.test(value);
  const parts = isLong ? [value, value.slice(0, half), value.slice(half)] : [value];
  const lower = shown.toLowerCase();
  return parts.flatMap(spellingsOf).some((spelling) => lower.includes(spelling.toLowerCase()));
}

function spellingsOf(value: string): string[] {
  const base64 = [0, 1, 2]
    .map((offset) =>
      Buffer.from(`${'id:'.slice(0, offset)}${value}`)
        .toString('base64')
        .slice(offset === 0 ? 0 : 4)
        .replace(/.{0,2}=*$/, ''),
    )
    .filter((spelling) => spelling.length > 5);
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    new URLSearchParams({ value }).toString().slice('value='.length),
    Array.from(value).reverse().join(''),
    Buffer.from(value).toString('hex'),
    Buffer.from(value, 'utf16le').toString('hex'),
    ...base64,
    ...base64.map((spelling) => spelling.replaceAll('+', '-').replaceAll('/', '_')),
  ];
}
