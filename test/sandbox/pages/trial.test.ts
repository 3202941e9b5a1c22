import { expect } from 'chai';
import { TRIALS } from '../../../sandbox/lib/console/console-page.js';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { expectPage } from '../../support/page.js';
import { get } from '../requests.js';

describe('A login that is tried from the console', () => {
  let sandbox: Sandbox;

  beforeEach(async () => {
    sandbox = await startSandbox({ strict: true });
  });

  afterEach(() => sandbox.close());

  /** Begins a login, and lets the consent page answer itself. @returns Where the network redirects to. */
  async function consent(path: string, query: string): Promise<string> {
    const start = await get(`${sandbox.url}${path}`);
    const page = await get(`${start.headers.get('location')}&${query}`);
    return page.headers.get('location') ?? '';
  }

  for (const { path, client } of TRIALS) {
    it(`shows the profile that an application gets: ${client.title}`, async () => {
      const { status, text } = await get(await consent(path, 'auto=allow&person=anna'));
      expect(status).to.equal(200);
      expectPage(text).toHave('What the application gets', /Анна|anna_primerova/);
      expect(sandbox.requests().filter(({ refused }) => refused !== undefined)).to.deep.equal([]);
    });
  }

  it('works with the payload form of VK ID', async () => {
    await sandbox.close();
    sandbox = await startSandbox({ vkIdCallback: 'payload' });
    const { text } = await get(await consent('/try/social-network/2', 'auto=allow&person=alice'));
    expectPage(text).toHave('&#34;user_id&#34;: &#34;1000000001&#34;');
  });

  it('works after the clock has moved, also with OAuth 1.0a', async () => {
    sandbox.advance(3_600_000);
    const { text } = await get(await consent('/try/microblog/3', 'auto=allow&person=alice'));
    expectPage(text).toHave('What the application gets');
  });

  for (const path of ['/try/short-video/1', '/try/microblog/3', '/try/social-network/1']) {
    it(`is calm when the person declines at ${path}`, async () => {
      const { status, text } = await get(await consent(path, 'auto=deny'));
      expect(status).to.equal(200);
      expectPage(text).toHave('Login declined', 'Back to the console');
    });
  }

  it('finishes once', async () => {
    const location = await consent('/try/microblog/1', 'auto=allow');
    await get(location);
    const { status, text } = await get(location);
    expect(status).to.equal(502);
    expectPage(text).toHave('The login is unknown');
  });

  for (const [fault, happened] of [
    [{ kind: 'hang' }, 'no response'],
    [{ kind: 'answer', status: 503 }, 'status 503'],
    [{ kind: 'malformed' }, 'status 200'],
  ] as const) {
    it(`says which request got ${happened} when the token endpoint has the fault ${fault.kind}`, async () => {
      sandbox.fault({ network: 'microblog', endpoint: 'token', fault });
      const { status, text } = await get(await consent('/try/microblog/1', 'auto=allow'));
      expect(status).to.equal(502);
      expectPage(text).toHave(`The token request got ${happened}. The console says why.`);
    });
  }

  it('does not exist for a client that no network has', async () => {
    expect((await get(`${sandbox.url}/try/microblog/9`)).status).to.equal(404);
  });
});
