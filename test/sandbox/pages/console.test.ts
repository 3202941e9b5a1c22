import { expect } from 'chai';
import { TRIALS } from '../../../sandbox/lib/server/console-page.js';
import { expectPage } from '../../support/page.js';
import { VkIdClient } from '../clients.js';
import { eachSandbox, get, withSandbox } from '../requests.js';

describe("The sandbox's console", () => {
  const sandbox = eachSandbox();

  const read = async (path = '/') => (await get(`${sandbox.url}${path}`)).text;
  /** The lines of the list, without times. */
  const requestsIn = (text: string) =>
    [
      ...text.matchAll(
        /<li><time datetime="[^"]+">\d\d:\d\d:\d\d<\/time><span>(.*)<\/span><span class="badge (.*)<\/span><\/li>/g,
      ),
    ].map(([, request, status]) => `${request} ${status}`);
  const RULE =
    /<div><dt>How we know<\/dt><dd>(\w+): <a href="\/guide#rule-[0-9a-f]{12}">the rule in the guide<\/a>/;

  it('leads with the requests, and says that there are none yet', async () => {
    const text = await read();
    expectPage(text).toHave('No request yet.');
    expectPage(text).toLack('faults');
    const headings = [...text.matchAll(/<h2[^>]*>([^<]+)<\/h2>/g)].map(([, heading]) => heading);
    expect(headings).to.deep.equal(['Requests', 'Try a login', 'Credentials', 'People']);
  });

  it('lists the latest requests, newest first, with the reasons for error responses', async () => {
    await get(`${sandbox.url}/short-video/v2/auth/authorize/`);
    sandbox.fault({ endpoint: 'users lookup', fault: { kind: 'redirect' } });
    await get(`${sandbox.url}/microblog/2/users/me`);
    expect(requestsIn(await read())).to.deep.equal([
      'X, users lookup <code>GET</code><small>fault: redirect</small> refused">302',
      'TikTok, authorization <code>GET</code><small>refused: client_key is missing</small> refused">400',
    ]);
  });

  it('shows a rejected request before all others, with what was received and expected, and the rule in the guide', async () => {
    await get(`${sandbox.url}/short-video/v2/auth/authorize/`);
    await get(new VkIdClient(sandbox).authorization());
    const [before = '', after = ''] = (await read()).split('Latest, newest first');
    expectPage(before).toHave(
      '<span class="badge refused">refused</span> <h3 class="grow">TikTok, authorization</h3>',
      '<dt>Received</dt><dd>client_key is missing</dd>',
      '<dt>Expected</dt><dd>client_key is required, and names an application.',
      RULE,
    );
    expect(requestsIn(after)).to.have.length(2);
  });

  it('shows why the network may refuse a request', async () => {
    await get(new VkIdClient(sandbox).authorization({ state: 'short' }));
    const text = await read();
    expectPage(text).toHave(
      '<span class="badge noted">noted</span> <h3 class="grow">VK, authorization</h3>',
      '<dt>Received</dt><dd>state has fewer than 32 characters, or others than letters, digits, &#34;_&#34; and &#34;-&#34;</dd>',
      '<dt>Expected</dt><dd>VK ID: state has at least 32 letters',
    );
    expect(RULE.exec(text)?.[1]).to.equal('supposed');
  });

  it('shows a path that no endpoint has as rejected, without a rule', async () => {
    await get(`${sandbox.url}/microblog/nothing`);
    const text = await read();
    expectPage(text).toHave('<dt>Received</dt><dd>no endpoint has this path</dd>');
    expectPage(text).toLack(RULE);
  });

  it('lists 25 requests, folds all but 8, and counts the others', async () => {
    for (let index = 0; index < 27; index += 1) await get(`${sandbox.url}/microblog/2/users/me`);
    const text = await read();
    expect(requestsIn(text)).to.have.length(25);
    const [unfolded = ''] = text.split('<details><summary>Earlier requests');
    expect(requestsIn(unfolded)).to.have.length(8);
    expectPage(text).toHave('And 2 more.');
  });

  it('lists the active faults, and how many requests are left to each', async () => {
    sandbox.fault({ network: 'social-network', version: '2.1', endpoint: 'token', fault: { kind: 'hang' } });
    sandbox.fault({ endpoint: 'users lookup', fault: { kind: 'malformed' }, times: 2 });
    await get(`${sandbox.url}/microblog/2/users/me`);
    const text = await read();
    expectPage(text).toHave('<li>every network, users lookup: <code>malformed</code>, 1 more</li>');
    expectPage(text).toHave('<li>VK 2.1, token: <code>hang</code>, until removed</li>');
  });

  it('has credentials with copy buttons, people with pictures, and folded addresses', async () => {
    const text = await read();
    expectPage(text).toHave(
      '<code>sbawsandboxkey0001</code>',
      'data-copy="short-video-sandbox-client-secret"',
      'data-copy="vk-id-sandbox-service-token"',
      'data-copy="vkIdSandboxProtected"',
      '<dt>to add</dt><dd><code>store: cookieLogins({ secrets: process.env.LOGIN_SECRET })</code></dd>',
      '<code>51000002</code>',
      '<img class="picture" src="/pictures/anna.svg" alt="" width="40" height="40"><div><bdi>Анна Примерова</bdi>',
      '>banned at VK</span>',
    );
    const [, folded = ''] = text.split('<summary>Addresses</summary>');
    expectPage(folded).toHave(`<code>${sandbox.url}/microblog/2/users/me</code>`);
  });

  it('says whether the sandbox is strict', async () => {
    expectPage(await read()).toHave('<span class="badge">not strict</span>');
    await withSandbox({ strict: true }, async ({ url }) => {
      expectPage((await get(url)).text).toHave('<span class="badge">strict</span>');
    });
  });

  it('without JavaScript reloads only when asked to, and offers to stop', async () => {
    expectPage(await read()).toLack('http-equiv');
    expectPage(await read()).toHave(
      '<noscript><a href="/">Reload</a> or <a href="/?live=1">reload every 2 seconds</a></noscript>',
    );
    const live = await read('/?live=1');
    expectPage(live).toHave('<noscript><meta http-equiv="refresh" content="2"></noscript>');
    expectPage(live).toHave('Reloads every 2 seconds. <a href="/">Stop</a>');
  });

  it('allows its own script and requests, and no inline script', async () => {
    const { headers, text } = await get(sandbox.url);
    expect(headers.get('content-security-policy')).to.match(
      /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; img-src 'self'; form-action http: https:; base-uri 'none'; frame-ancestors 'none'; script-src 'self'; connect-src 'self'$/,
    );
    expect(text.match(/<script[^>]*>/g)).to.deep.equal(['<script src="/console.js" defer>']);
    const script = await get(`${sandbox.url}/console.js`);
    expect(script.headers.get('content-type')).to.equal('text/javascript; charset=utf-8');
  });

  it('escapes what people and requests are called', async () => {
    const [alice] = sandbox.people;
    if (!alice) throw new Error('There is no first person');
    const people = [{ ...alice, displayName: '<i>', description: '<u>' }];
    await withSandbox({ people }, async ({ url }) => {
      await get(`${url}/microblog/<b>`);
      expectPage((await get(url)).text).toLack('<i>', '<u>', '<b>');
    });
  });
});

describe('A login that is tried from the console', () => {
  const sandbox = eachSandbox({ strict: true });

  /** Begins a login, and lets the consent page answer itself. @returns Where the network redirects to. */
  async function consent(path: string, query: string, url = sandbox.url): Promise<string> {
    const start = await get(`${url}${path}`);
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

  it('works with the payload form of VK ID', () =>
    withSandbox({ vkIdCallback: 'payload' }, async ({ url }) => {
      const { text } = await get(await consent('/try/social-network/2', 'auto=allow&person=alice', url));
      expectPage(text).toHave('&#34;user_id&#34;: &#34;1000000001&#34;');
    }));

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
