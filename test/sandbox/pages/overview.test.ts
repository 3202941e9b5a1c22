import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { expectPage } from '../../support/page.js';
import { get } from '../requests.js';
import { VkIdClient } from '../social-network/vk-id-client.js';

describe("The sandbox's root page", () => {
  let sandbox: Sandbox;

  beforeEach(async () => {
    sandbox = await startSandbox();
  });

  afterEach(() => sandbox.close());

  const read = async (path = '/') => (await get(`${sandbox.url}${path}`)).text;
  const requestsIn = (text: string) =>
    [...text.matchAll(/<li><time datetime="[^"]+">\d\d:\d\d:\d\d<\/time> (.*)<\/li>/g)].map(
      ([, request]) => request,
    );

  it('says that there are no requests yet', async () => {
    const text = await read();
    expectPage(text).toHave('<h2>Latest requests</h2>', '<p>None yet.</p>');
    expectPage(text).toLack('faults');
  });

  it('lists the latest requests, newest first, with the reasons for error responses', async () => {
    await get(`${sandbox.url}/short-video/v2/auth/authorize/`);
    sandbox.fault({ endpoint: 'users lookup', fault: { kind: 'redirect' } });
    await get(`${sandbox.url}/microblog/2/users/me`);
    expect(requestsIn(await read())).to.deep.equal([
      'microblog, users lookup: <code>GET</code> 302<strong>fault: redirect</strong>',
      'short-video, authorization: <code>GET</code> 400<strong>refused: client_key is missing</strong>',
    ]);
  });

  it('lists why the network may refuse a request', async () => {
    await get(new VkIdClient(sandbox).authorization({ state: 'short' }));
    expect(requestsIn(await read())).to.deep.equal([
      'social-network, authorization: <code>GET</code> 200<small>the network may refuse this: state has fewer than 32 ' +
        'characters, or others than letters, digits, &#34;_&#34; and &#34;-&#34;</small>',
    ]);
  });

  it('lists 25 requests and counts the others', async () => {
    for (let index = 0; index < 27; index += 1) await get(`${sandbox.url}/microblog/2/users/me`);
    const text = await read();
    expect(requestsIn(text)).to.have.length(25);
    expectPage(text).toHave('<p>And 2 earlier.</p>');
  });

  it('lists the active faults, and how many requests are left to each', async () => {
    sandbox.fault({ network: 'social-network', version: '2.1', endpoint: 'token', fault: { kind: 'hang' } });
    sandbox.fault({ endpoint: 'users lookup', fault: { kind: 'malformed' }, times: 2 });
    await get(`${sandbox.url}/microblog/2/users/me`);
    const text = await read();
    expectPage(text).toHave('<li>every network, users lookup: <code>malformed</code>, 1 more</li>');
    expectPage(text).toHave('<li>social-network 2.1, token: <code>hang</code>, until removed</li>');
  });

  it('refreshes itself only when asked to, and offers to stop', async () => {
    expectPage(await read()).toLack('http-equiv');
    expectPage(await read()).toHave('<a href="/">Refresh</a> <a href="/?live=1">Refresh every 2 seconds</a>');
    const live = await read('/?live=1');
    expectPage(live).toHave('<meta http-equiv="refresh" content="2">');
    expectPage(live).toHave('Refreshes every 2 seconds. <a href="/">Stop</a>');
  });
});
