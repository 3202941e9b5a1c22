import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { expect } from 'chai';

import express = require('express');

import { closesAfterEach } from '../support/cleanup.js';
import { serve } from '../support/server.js';
import { programsOf, Visitor, withSessions } from './programs.js';

const PAGE = 'docs/accounts.md';

describe('The program that asks for a further permission', function () {
  this.timeout(30_000);
  const { start } = programsOf(PAGE);
  /** The application also shows whom it has a token for. */
  const change = (code: string) =>
    `${withSessions('{ id, accessToken }')(code)}routes.get('/tokens', (req, res) => res.json([...postingTokens.keys()]));`;
  const newVisitor = async () => new Visitor((await start('posting.mjs', { change, isNew: true })).url);

  /** Logs alice in, and lets a person answer the further permission in her browser. */
  async function answer(choices: string) {
    const visitor = await newVisitor();
    const { json } = await visitor.logIn('/api/auth/signin/microblog');
    const consent = await visitor.start('/posting/allow');
    const page = await visitor.follow(await visitor.open(await visitor.consent(consent, choices)));
    const [home, tokens] = [await visitor.open('/'), await visitor.open('/tokens')];
    expect(home.json).to.deep.equal(json);
    return { id: json.user.id, consent, page, tokens: tokens.json };
  }

  it('keeps the token of the user who is logged in', async () => {
    const { id, consent, page, tokens } = await answer('auto=allow&person=alice');
    expect(new URL(consent).searchParams.get('scope')).to.include('tweet.write');
    expect([page.status, tokens]).to.deep.equal([200, [id]]);
  });

  it('refuses another account at the network, and leaves the user logged in', async () => {
    const { page, tokens } = await answer('auto=allow&person=anna');
    expect(page.status).to.equal(403);
    expect(page.text).to.equal('You are another user at X. Log in there as yourself.');
    expect(tokens).to.deep.equal([]);
  });

  it('leaves a user who declines logged in, without the permission', async () => {
    const { page, tokens } = await answer('auto=deny');
    expect([page.status, tokens]).to.deep.equal([401, []]);
  });

  it('asks nobody who is not logged in', async () => {
    const { location } = await (await newVisitor()).open('/posting/allow');
    expect(new URL(location).pathname).to.equal('/api/auth/signin/microblog');
  });
});

type Forget = (openID: string, removedAt: Date) => Promise<void>;
type Notifying = { shortVideoWebhook: (clientSecret: string, forget: Forget) => express.Router };

describe('The webhook of the short-video network', () => {
  const { write } = programsOf(PAGE);
  const closing = closesAfterEach();
  const SECRET = 'CLIENT-SECRET';
  const notice = JSON.stringify({
    client_key: 'CLIENT-KEY',
    event: 'authorization.removed',
    create_time: 1615338610,
    user_openid: 'OPEN-ID',
    content: '{"reason": 1 }',
  });
  let forgotten: [string, Date][];
  let url: string;

  beforeEach(async () => {
    forgotten = [];
    const { shortVideoWebhook } = require(write('short-video-webhook.ts')) as Notifying;
    const forget = async (openID: string, removedAt: Date) => void forgotten.push([openID, removedAt]);
    const app = express().use(shortVideoWebhook(SECRET, forget));
    url = `${closing(await serve(app)).url}/webhooks/short-video`;
  });

  const sign = (body: string, secret = SECRET, seconds = '1633174587') =>
    `t=${seconds},s=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;

  async function send(body: string, signature?: string): Promise<number> {
    const headers = {
      'Content-Type': 'application/json',
      ...(signature !== undefined && { 'TikTok-Signature': signature }),
    };
    return (await fetch(url, { method: 'POST', headers, body })).status;
  }

  it('forgets the user of a signed notice', async () => {
    expect(await send(notice, sign(notice))).to.equal(200);
    expect(forgotten).to.deep.equal([['OPEN-ID', new Date(1615338610_000)]]);
  });

  it('accepts other events, and does nothing', async () => {
    const other = notice.replace('authorization.removed', 'video.publish.completed');
    expect(await send(other, sign(other))).to.equal(200);
    expect(forgotten).to.deep.equal([]);
  });

  it('rejects a notice without a signature, with that of another secret or body, and with half of one', async () => {
    const signature = sign(notice);
    for (const wrong of [undefined, '', sign(notice, 'another'), sign(`${notice} `), signature.slice(0, -2)])
      expect(await send(notice, wrong)).to.equal(403);
    expect(forgotten).to.deep.equal([]);
  });

  it('rejects a request without a body', async () => {
    // Without both Content-Length and Transfer-Encoding, which fetch always sends.
    const { hostname, port, pathname } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.write(`POST ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`);
    const response = (await socket.setEncoding('utf8').toArray()).join('');
    expect(response).to.match(/^HTTP\/1\.1 403 /);
  });
});
