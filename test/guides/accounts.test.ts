import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { expect } from 'chai';

import express = require('express');

import { closesAfterEach } from '../support/cleanup.js';
import { serve } from '../support/server.js';
import { programsOf, Visitor } from './programs.js';

const PAGE = 'docs/accounts.md';

describe('The program that asks for a further permission', function () {
  this.timeout(30_000);
  const { start } = programsOf(PAGE);
  const newVisitor = async () => new Visitor((await start('posting.mjs')).url);

  /** Logs alice in, and lets a person agree to the further permission in her browser. */
  async function agreeAs(person: string) {
    const visitor = await newVisitor();
    const { json: user } = await visitor.logIn('/api/auth/signin/microblog', 'auto=allow&person=alice');
    const consent = await visitor.start('/posting/allow');
    const callback = await visitor.consent(consent, `auto=allow&person=${person}`);
    const page = await visitor.follow(await visitor.open(callback));
    return { user, consent, page, home: (await visitor.open('/')).json };
  }

  it('keeps the token of the user who is logged in', async () => {
    const { user, consent, page } = await agreeAs('alice');
    expect(new URL(consent).searchParams.get('scope')).to.include('tweet.write');
    expect(user.mayPost).to.equal(false);
    expect(page.json).to.deep.equal({ ...user, mayPost: true });
  });

  it('refuses another account at the network, and leaves the user logged in', async () => {
    const { user, page, home } = await agreeAs('anna');
    expect(page.status).to.equal(403);
    expect(page.text).to.equal('You are another user at X. Log in there as yourself.');
    expect(home.login).to.equal(user.login);
  });

  it('leaves a user who declines logged in, without the permission', async () => {
    const visitor = await newVisitor();
    await visitor.logIn('/api/auth/signin/microblog', 'auto=allow&person=max');
    const page = await visitor.open(
      await visitor.consent(await visitor.start('/posting/allow'), 'auto=deny'),
    );
    expect(page.status).to.equal(401);
    const { json } = await visitor.open('/');
    expect(json.login).to.be.a('string');
    expect(json.mayPost).to.equal(false);
  });

  it('E1: keeps who is logged in when a login that began before finishes', async () => {
    const [page, later] = await (await newVisitor()).logInTwice('/api/auth/signin/microblog');
    expect(later.json).to.deep.equal(page.json);
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
