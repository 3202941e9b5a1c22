import { expect } from 'chai';
import { TRIALS } from '../../../sandbox/lib/server/console-page.js';
import { expectPage } from '../../support/page.js';
import { ClassicClient, OAuth1Client, OAuth2Client, VkIdClient } from '../clients.js';
import {
  bearer,
  eachSandbox,
  type Fields,
  get,
  post,
  REDIRECT_URI,
  reasonOf,
  VERIFIER,
  withSandbox,
} from '../requests.js';

describe("The sandbox's console", () => {
  const sandbox = eachSandbox();

  const read = async (path = '/') => (await get(`${sandbox.url}${path}`)).text;
  /** The lines of the list, without times. */
  const requestsIn = (text: string) =>
    [
      ...text.matchAll(
        /<summary><time datetime="[^"]+">\d\d:\d\d:\d\d<\/time><span>(.*)<\/span><span class="badge (.*)<\/span><\/summary>/g,
      ),
    ].map(([, request, status]) => `${request} ${status}`);

  it('leads with the requests, and says that there are none yet', async () => {
    const text = await read();
    expectPage(text).toHave('No request yet.', '<span class="badge">not strict</span>');
    expectPage(text).toLack('Active faults');
    const headings = [...text.matchAll(/<h2[^>]*>([^<]+)<\/h2>/g)].map(([, heading]) => heading);
    expect(headings.join()).to.equal('Requests,Try a login,Make something fail,Credentials,People');
    await withSandbox({ strict: true }, async ({ url }) => {
      expectPage((await get(url)).text).toHave('<span class="badge">strict</span>');
    });
  });

  it('lists the latest requests, newest first, with the reasons for error responses', async () => {
    await get(`${sandbox.url}/short-video/v2/auth/authorize/`);
    sandbox.fault({ endpoint: 'users lookup', fault: { kind: 'redirect' } });
    await get(`${sandbox.url}/microblog/2/users/me`);
    await get(`${sandbox.url}/microblog/nothing`);
    expect(requestsIn(await read())).to.deep.equal([
      'X, unknown <code>GET</code><small>refused: no endpoint has this path</small> refused">404',
      'X, users lookup <code>GET</code><small>fault: redirect</small> refused">302',
      'TikTok, authorization <code>GET</code><small>refused: client_key is missing</small> refused">400',
    ]);
  });

  it('shows why the network may refuse a request, and the rule in the guide', async () => {
    await get(new VkIdClient(sandbox).authorization({ state: 'short' }));
    expectPage(await read()).toHave(
      'the network may refuse this: state has fewer than 32 characters, or others than letters, digits, &#34;_&#34; and &#34;-&#34;',
      /badge noted">noted<\/span> <a href="\/guide#rule-[0-9a-f]{12}">VK ID: state has at least 32 letters/,
    );
  });

  it('lists 25 requests, folds all but 8, and counts the others', async () => {
    for (let index = 0; index < 27; index += 1) await get(`${sandbox.url}/microblog/2/users/me`);
    const text = await read();
    expect(requestsIn(text)).to.have.length(25);
    const [unfolded = ''] = text.split('<details id="earlier"><summary>Earlier requests');
    expect(requestsIn(unfolded)).to.have.length(8);
    expectPage(text).toHave('And 2 more.');
  });

  it('lists the active faults, and how many requests are left to each', async () => {
    sandbox.fault({ network: 'social-network', version: '2.1', endpoint: 'token', fault: { kind: 'hang' } });
    sandbox.fault({ endpoint: 'users lookup', fault: { kind: 'malformed' }, times: 2 });
    await get(`${sandbox.url}/microblog/2/users/me`);
    expectPage(await read()).toHave(
      '<span>every network, users lookup: <code>malformed</code>, 1 more</span>',
      '<span>VK 2.1, token: <code>hang</code>, until removed</span>',
    );
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

  it('has the requests of a login together, under application and person, each with what was sent, checked and answered', async () => {
    const { accessToken } = await new OAuth2Client(sandbox).tokens({ person: 'anna' });
    await get(`${sandbox.url}/microblog/2/users/me`, bearer(accessToken));
    await get(new ClassicClient(sandbox).authorization({ auto: 'deny' }));
    await get(`${sandbox.url}/microblog/2/users/me`, bearer('another-network-token'));
    const text = await read();
    const [, declined = '', login = ''] = text.split('<li class="login">');
    expectPage(declined).toHave('<p><strong>Sandbox application</strong>, <bdi>declined</bdi></p>');
    expectPage(login).toHave('<p><strong>Sandbox application</strong>, <bdi>Анна Примерова</bdi></p>');
    const names = [...login.matchAll(/<span>X, ([a-z ]+) </g)].map(([, name]) => name);
    expect(names).to.deep.equal(['authorization', 'token', 'users lookup']);
    expectPage(login).toHave(
      'Authorization: Basic ***',
      'code: ***',
      `redirect_uri: ${REDIRECT_URI}`,
      `curl -i -X POST &#39;${sandbox.url}/microblog/2/oauth2/token&#39;`,
      '--data-urlencode &#39;code_verifier=***&#39;',
      '&#34;access_token&#34;:&#34;***&#34;',
      /<span class="badge good">kept<\/span> <a href="\/guide#rule-[0-9a-f]{12}">A code belongs to one client/,
      'Location: http://127.0.0.1:3000/callback?state=xyz&#38;code=***',
    );
    expectPage(text).toLack(accessToken, 'another-network-token', VERIFIER);
    expectPage(text).toHave(/badge refused">refused<\/span> <a [^>]+>The users lookup needs a valid/);
  });

  it('masks a secret wherever it is sent, and lets no control character into the log', async () => {
    const { clientSecret } = sandbox.options('microblog');
    await get(new OAuth2Client(sandbox).authorization({ redirect_uri: `\u001b[2J ${clientSecret}` }));
    expect(reasonOf(sandbox)).to.equal('redirect_uri is no absolute http or https address: �[2J ***');
    const oauth1 = new OAuth1Client(sandbox);
    const { token, tokenSecret } = await oauth1.accessToken();
    await oauth1.verifyCredentials({ token, tokenSecret });
    const vkId = new VkIdClient(sandbox);
    const tokens = await vkId.tokens();
    await vkId.userInfo({ access_token: tokens.access_token });
    await get(sandbox.options('microblog').profileURL, { Authorization: 'another-secret' });
    const [requests = ''] = (await read()).split('<section id="try"');
    expectPage(requests).toHave('X, verify credentials', 'VK, profile', 'oauth_token=***');
    expectPage(requests).toLack(clientSecret, token, tokenSecret, ...Object.values(tokens), 'another-secret');
  });

  describe('adds and removes faults by a form', () => {
    const rule = { endpoint: 'microblog@2.0/token', kind: 'hang', value: '503', times: '2' };
    const own = { 'Sec-Fetch-Site': 'same-origin' };
    const send = (fields: Fields, headers: Fields) => post(`${sandbox.url}/faults`, fields, headers);

    it('of its own', async () => {
      expect((await send(rule, own)).status).to.equal(303);
      expect((await send(rule, { Origin: sandbox.url })).status).to.equal(303);
      expectPage(await read()).toHave('X 2.0, token: <code>hang</code>, 2 more', 'name="remove" value="1"');
      for (const remove of ['1', '2']) await send({ remove }, own);
      expectPage(await read()).toLack('Active faults');
    });

    it('that says what is wrong with it', async () => {
      const { status, text } = await send({ ...rule, kind: 'delay', value: '<b>' }, own);
      expect(status).to.equal(400);
      expectPage(text).toHave('milliseconds of &#34;delay&#34; must be an integer');
    });

    for (const headers of [
      {},
      { Origin: 'http://evil.example' },
      { Origin: 'null' },
      { Origin: 'http://127.0.0.1:3000', 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'none' },
    ]) {
      it(`but not for another page: ${JSON.stringify(headers)}`, async () => {
        expect((await send(rule, headers)).status).to.equal(403);
        expectPage(await read()).toLack('Active faults');
      });
    }
  });

  it('without JavaScript reloads only when asked to, and offers to stop', async () => {
    const still = await read();
    expectPage(still).toLack('http-equiv');
    expectPage(still).toHave(
      '<a href="/">Reload</a> or <a href="/?live=1">reload every 2 seconds</a></noscript>',
    );
    expectPage(await read('/?live=1')).toHave(
      '<noscript><meta http-equiv="refresh" content="2"></noscript>',
      'Reloads every 2 seconds. <a href="/">Stop</a>',
    );
  });

  it('allows its own script and requests, and no inline script', async () => {
    const { headers, text } = await get(sandbox.url);
    expect(headers['content-security-policy']).to.match(
      /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; img-src 'self'; form-action http: https:; base-uri 'none'; frame-ancestors 'none'; script-src 'self'; connect-src 'self'$/,
    );
    expect(text.match(/<script[^>]*>/g)).to.deep.equal(['<script src="/console.js" defer>']);
    const script = await get(`${sandbox.url}/console.js`);
    expect(script.headers['content-type']).to.equal('text/javascript; charset=utf-8');
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
    const page = await get(`${start.headers.location}&${query}`);
    return page.headers.location ?? '';
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
