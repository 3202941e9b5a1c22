import { expect } from 'chai';
import { Browser } from '../../support/browser.js';
import { opened } from '../../support/stand-in.js';
import { programsOf } from '../programs.js';

const CALLBACK = '/api/auth/callback/microblog';
const STATE = 'x'.repeat(43);
const PREVIEW = 'https://pr-12.preview.shop.example';
const REFUSAL = 'This login belongs to no preview. Start it again at the preview.';

/** What a callback's `state` says of its preview. */
const stateFor = (preview: string, state = STATE) => state + Buffer.from(preview).toString('base64url');

/** Hosts in the clothing of one that is listed, and others. */
const FOREIGN = [
  'https://pr-12.preview.shop.example.evil.example',
  'https://pr-12.preview.shop.example@evil.example',
  'https://pr-12.preview.shop.example:8443',
  'https://pr-12.preview.shop.example/',
  'https://pr-12.preview.shop.example\n.evil.example',
  ' https://pr-12.preview.shop.example',
  'https://evil.example#https://pr-12.preview.shop.example',
  'https://evil.example\\.preview.shop.example',
  'https://pr-12xpreview.shop.example',
  'https://evilpr-12.preview.shop.example',
  'https://pr-12.preview.shop.example.',
  'https://PR-12.preview.shop.example',
  'https://pr-１２.preview.shop.example',
  'https://pr-.preview.shop.example',
  'http://pr-12.preview.shop.example',
  'javascript:alert(1)//https://pr-12.preview.shop.example',
  '//pr-12.preview.shop.example',
  'https:pr-12.preview.shop.example',
  '',
];

describe('The guide to previews has a relay, which', function () {
  this.timeout(30_000);
  const { start } = programsOf('docs/deploying.md');
  const relay = opened(() => start('relay.mjs'));

  const open = (path: string, query: Record<string, string> | [string, string][]) =>
    new Browser().get(`${relay.url}${path}?${String(new URLSearchParams(query))}`);

  const START = {
    to: PREVIEW,
    client_id: 'CLIENT',
    redirect_uri: `https://auth.shop.example${CALLBACK}`,
    response_type: 'code',
    state: STATE,
    code_challenge: 'CHALLENGE',
    code_challenge_method: 'S256',
  };

  it('C49: hands a start on to the network, and the response to the preview that is in the state', async () => {
    const begun = await open('/authorize/microblog', START);
    expect(begun.status).to.equal(302);
    const { searchParams } = new URL(begun.location);
    const { to: _to, ...sent } = START;
    expect(Object.fromEntries(searchParams)).to.deep.equal({ ...sent, state: stateFor(PREVIEW) });
    const response = { code: 'CODE', state: searchParams.get('state') ?? '', device_id: 'DEVICE' };
    const finished = await open(CALLBACK, response);
    const back = new URL(finished.location);
    expect(`${back.origin}${back.pathname}`).to.equal(`${PREVIEW}${CALLBACK}`);
    expect(Object.fromEntries(back.searchParams)).to.deep.equal({ ...response, state: STATE });
    for (const { headers } of [begun, finished]) {
      expect(headers).to.include({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
      expect(headers).not.to.have.property('set-cookie');
    }
  });

  it("C49: takes VK ID's payload apart, and what is in it counts", async () => {
    const payload = JSON.stringify({
      code: 'CODE',
      state: stateFor(PREVIEW),
      device_id: 'D',
      n: 7,
      o: { a: 1 },
    });
    const { location } = await open('/api/auth/callback/social-network', {
      payload,
      state: stateFor('https://evil.example'),
    });
    expect(location).to.equal(
      `${PREVIEW}/api/auth/callback/social-network?code=CODE&device_id=D&state=${STATE}`,
    );
  });

  it('C22, C49: redirects to no host outside its list, whatever stands for it', async () => {
    for (const preview of FOREIGN) {
      const started = await open('/authorize/microblog', { ...START, to: preview });
      const finished = await open(CALLBACK, { code: 'CODE', state: stateFor(preview) });
      const payload = JSON.stringify({ code: 'CODE', state: stateFor(preview) });
      const packed = await open('/api/auth/callback/social-network', { payload });
      for (const { status, location, text } of [started, finished, packed])
        expect([status, location, text], JSON.stringify(preview)).to.deep.equal([403, '', REFUSAL]);
    }
    // Given twice, the one that is checked is the one that counts.
    const twice = await open('/authorize/microblog', [
      ...Object.entries(START),
      ['to', 'https://evil.example'],
    ]);
    expect(twice.status).to.equal(403);
  });

  it('C15, C49: sends a start to the network alone, with its own callback URL and with PKCE', async () => {
    for (const changes of [
      { redirect_uri: 'https://evil.example/' },
      { redirect_uri: `https://auth.shop.example${CALLBACK}/..` },
      { redirect_uri: 'https://auth.shop.example/api/auth/callback/short-video' },
      { code_challenge: '' },
      { code_challenge_method: '' },
      { code_challenge_method: 'plain' },
      { state: 'short' },
      { state: stateFor(PREVIEW) },
    ]) {
      const { status, text } = await open('/authorize/microblog', { ...START, ...changes });
      expect([status, text], JSON.stringify(changes)).to.deep.equal([403, REFUSAL]);
    }
    const second = [...Object.entries(START), ['redirect_uri', 'https://evil.example/']] as [
      string,
      string,
    ][];
    expect((await open('/authorize/microblog', second)).status).to.equal(403);
    for (const network of ['constructor', '__proto__', 'social-network-classic', '..%2Fx'])
      expect((await open(`/authorize/${network}`, START)).status, network).to.equal(403);
  });

  it('C11, C49: takes no response that names another issuer, is incomplete or unreadable', async () => {
    const state = stateFor(PREVIEW);
    for (const query of [
      { code: 'CODE', state, iss: 'https://evil.example' },
      { code: 'CODE' },
      { code: 'CODE', state: STATE },
      { payload: '{' },
      { payload: 'null' },
      { payload: JSON.stringify({ state: [state] }) },
    ]) {
      const { status, text } = await open(CALLBACK, query as Record<string, string>);
      expect([status, text], JSON.stringify(query)).to.deep.equal([403, REFUSAL]);
    }
    const { location } = await open(CALLBACK, {
      code: 'CODE',
      state,
      iss: new URL((await open('/authorize/microblog', START)).location).origin,
    });
    expect(location).to.include(`${PREVIEW}${CALLBACK}?code=CODE`);
  });
});
