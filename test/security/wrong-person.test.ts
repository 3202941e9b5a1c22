import { deepStrictEqual } from 'node:assert';
import { Agent } from 'node:http';
import { inspect } from 'node:util';
import { AssertionError, expect } from 'chai';
import type { LoginRequest } from '../../lib/core/login/index.js';
import { cookieLogins, isLoginResponse } from '../../lib/index.js';
import { passOn } from '../contract/eavesdropper.js';
import {
  backendRequests,
  type Done,
  describeEach,
  isOAuth1,
  isOAuth2,
  personOf,
  tappedBy,
  verifyPerson,
} from '../contract/harness.js';
import { classOf, protocolOf, subjects, titleOf } from '../contract/strategies.js';
import { tableAfter } from '../guides/pages.js';
import { Browser } from '../support/browser.js';
import { restoresMode } from '../support/cleanup.js';
import { allow, callbackOf, logIn, start } from '../support/journey.js';
import { network, type SeenRequest, serve } from '../support/server.js';
import { changedJSON, hostileScene } from './hostile-network.js';

import express = require('express');
import passport = require('passport');

/** A parameter of each protocol's response, and of each network's. */
const RESPONSES = ['code=x&state=y', 'error=x', 'oauth_token=x', 'denied=x', 'payload=%7B%7D', 'device_id=x'];

/** The networks' own options of `authenticate`. */
const AUTHENTICATE_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  'short-video': ['disableAutoAuth'],
  'microblog 1.0': ['forceLogin', 'screenName', 'accessType'],
  'social-network': ['display', 'revoke'],
  'social-network 2.1': ['prompt', 'provider', 'langId', 'scheme'],
};

/** The protocols as the guide to security calls them. */
const IN_GUIDE: Readonly<Record<string, string>> = {
  'short-video': 'TikTok',
  microblog: 'X, OAuth 2.0',
  'microblog 1.0': 'X, OAuth 1.0a',
  'social-network': 'VK, classic',
  'social-network 2.1': 'VK ID',
};

describeEach('a stranger', (contract) => {
  const { subject, sandbox, strategy, app, warnings } = contract;
  const { provider } = subject;
  restoresMode();

  it('C29: in production, the first start without baseURL warns of the Host header, once', async () => {
    const world = await sandbox();
    const secrets = 'a secret of at least 32 characters';
    process.env.NODE_ENV = 'production';
    const options = { store: cookieLogins({ secrets }), allowSandbox: true };
    const server = await app(strategy(world, options));
    for (let login = 0; login < 2; login += 1) await start(new Browser(), server, provider);
    const based = await app(strategy(world, { ...options, baseURL: 'https://shop.example' }));
    await start(new Browser(), based, provider);
    const texts = (await warnings()).filter((text) => text.includes('baseURL'));
    expect(texts).to.have.length(1);
    expect(texts[0])
      .to.include('option baseURL is missing')
      .and.include("set baseURL: 'https://your.domain'");
  });

  it('C29: an empty callbackURL given to authenticate is left out, and one that is none is a TypeError', async () => {
    const world = await sandbox();
    const own = 'https://shop.example/cb';
    for (const callbackURL of ['', null, 'javascript:alert(1)', 7]) {
      const server = await app(strategy(world, { callbackURL: own }), { start: { callbackURL } });
      const page = await new Browser().get(`${server.url}/login/${provider}`, { host: 'evil.example' });
      const isLeftOut = !callbackURL;
      expect([page.status, page.json?.error], String(callbackURL)).to.deep.equal(
        isLeftOut ? [302, undefined] : [500, 'TypeError'],
      );
      const sent = new URL(page.location || own).searchParams.get('redirect_uri');
      expect(sent ?? own).to.equal(own);
    }
  });

  for (const method of ['authenticate', 'authorize'] as const)
    for (const isPerCall of [false, true])
      it(`C42: without baseURL, ${method} finishes a login neither at another callbackURL, ${isPerCall ? 'given to it' : 'of a strategy with its name and client'}, nor at another port`, async () => {
        const world = await sandbox();
        const serverOf = async (routes: Readonly<Record<string, string>>) => {
          const server = express();
          for (const [route, callbackURL] of Object.entries(routes)) {
            const linksTo = () => 'the user of a token';
            const options = isPerCall ? { linksTo } : { linksTo, callbackURL };
            const authenticator = new passport.Passport().use(strategy(world, options));
            const given = { session: false, ...(isPerCall && { callbackURL }) };
            const handler = authenticator[method](provider, given) as express.RequestHandler;
            server.get([`/login/${route}`, callbackURL], handler, (_req, res) => void res.end());
          }
          return contract.closing(await serve(server));
        };
        const app = await serverOf({ users: '/users/callback', staff: '/staff/callback' });
        const other = await serverOf({ users: '/users/callback' });
        const browser = new Browser();
        const callback = await callbackOf(browser, app, 'users');
        // Browsers send a cookie to every port of its host.
        const headers = { cookie: browser.cookieHeader(callback) };
        for (const elsewhere of [
          callback.replace('/users/', '/staff/'),
          callback.replace(app.url, other.url),
          callback.replace(app.url, other.url).replace('/users/', '/staff/'),
        ])
          expect((await new Browser().get(elsewhere, headers)).status, elsewhere).to.be.within(403, 404);
        expect(
          backendRequests(world).filter((endpoint) => !/request token|authorization/.test(endpoint)),
        ).to.deep.equal([]);
        // Only a cookie of its own login is removed by another strategy, so the copy still works.
        expect((await new Browser().get(callback, headers)).status).to.equal(200);
      });

  it('C30: one callback for strategies of all protocols finishes the login with the strategy that began it', async () => {
    const world = await sandbox();
    const callbackURL = '/callback';
    const names = subjects().map(titleOf);
    for (const order of [names, names.toReversed()]) {
      const authenticator = new passport.Passport();
      for (const one of subjects()) {
        const options = { ...one.options(world), name: titleOf(one), callbackURL };
        authenticator.use(new (classOf(one))(options, verifyPerson));
      }
      const server = express();
      const session = false;
      server.get(`/login/${provider}`, authenticator.authenticate(titleOf(subject), { session }));
      server.get(callbackURL, authenticator.authenticate(order, { session }), ({ user }, res) => {
        res.json(user);
      });
      const page = await logIn(contract.closing(await serve(server)), provider);
      expect([page.status, page.json?.id], page.text).to.deep.equal([
        200,
        personOf(subject, world, 'alice').id,
      ]);
    }
  });

  it('C31: a claim that answers anything but a boolean fails the login, before the code is sent', async () => {
    const world = await sandbox();
    for (const answer of [1, 'OK', null, undefined, { rowCount: 0 }]) {
      const store = cookieLogins({
        secrets: 'a secret of at least 32 characters',
        claim: (() => answer) as unknown as () => boolean,
      });
      const page = await logIn(await app(strategy(world, { store })), provider);
      expect([page.status, page.json.error]).to.deep.equal([500, 'TypeError']);
      expect(page.json.message).to.include('claim must return true or false').and.not.include('docs/');
    }
    expect(world.requests().filter(({ endpoint }) => endpoint === 'token')).to.deep.equal([]);
  });

  it('S13: nothing that prints, copies, freezes or compares a profile trips over what only the _json of other packages has', async () => {
    const verify = (_t: string, _s: string, profile: { _json: object }, done: Done) => {
      const copies = [inspect(profile, { showHidden: true }), structuredClone(profile), { ...profile._json }];
      for (const name of Reflect.ownKeys(profile._json)) Object.freeze(Reflect.get(profile._json, name));
      const copy: unknown = JSON.parse(JSON.stringify(profile._json));
      deepStrictEqual({ ...profile._json }, copy);
      expect(profile._json).to.deep.equal(copy);
      expect(() => expect(profile._json).to.deep.equal({})).to.throw(AssertionError);
      done(null, { text: JSON.stringify([profile, copies]), names: Object.keys(profile._json) });
    };
    const page = await logIn(await app(strategy(await sandbox(), {}, verify)), provider);
    expect(page.json.user.names).to.include.oneOf(['data', 'user', 'first_name']);
  });

  it('S13: params read as the profile fail the login, with the order that applies', async () => {
    const verify = (_t: string, _r: unknown, profile: { id: string }, _params: object, done: Done) =>
      done(null, { id: profile.id });
    const withRequest = (_req: object, ...args: Parameters<typeof verify>) => verify(...args);
    const options = { passReqToCallback: true, passParamsToCallback: true };
    for (const [made, order] of [
      [strategy(await sandbox(), {}, verify), '(accessToken, refreshToken, params, profile, done)'],
      [
        strategy(await sandbox(), options, withRequest),
        '(req, accessToken, refreshToken, params, profile, done)',
      ],
    ] as const) {
      const page = await logIn(await app(made), provider);
      expect([page.status, page.json.error]).to.deep.equal([500, 'TypeError']);
      expect(page.json.message).to.equal(
        `verify read id of params, as if they were the profile. The order is ${order}.`,
      );
    }
  });

  it('S13: info that is params can be read as anything by a callback, which is not verify', async () => {
    const verify = (_t: string, _r: unknown, params: object, profile: { id: string }, done: Done) =>
      done(null, { id: profile.id }, params);
    const server = await app(strategy(await sandbox(), {}, verify));
    expect((await logIn(server, provider)).status).to.equal(200);
    const info = server.endings.at(-1)?.info as { id?: string; provider?: string };
    expect([info.id, info.provider]).to.deep.equal([undefined, undefined]);
  });

  it('T19: a response nested deeper than 64 levels is unreadable, and one of 64 levels is not', async () => {
    const scene = await hostileScene(contract);
    for (const [levels, status] of [
      [63, 200],
      [64, 502],
      [4_000, 502],
    ] as const) {
      let deep: unknown = [];
      for (let level = 1; level < levels; level += 1) deep = [deep];
      for (const endpoint of isOAuth2(subject) ? scene.endpoints : (['profileURL'] as const)) {
        scene.meddle(endpoint, changedJSON({ deep }));
        expect((await scene.attempt()).status, `${endpoint}, ${levels} levels`).to.equal(status);
      }
    }
  });

  it('a misspelt option of authenticate is reported once, with the right name', async () => {
    const options = AUTHENTICATE_OPTIONS[protocolOf(subject)] ?? [];
    const misspelt = Object.fromEntries(options.map((name) => [`${name}s`, '1']));
    const server = await app(strategy(await sandbox()), {
      start: { sucessRedirect: '/', callbackUrl: '/x', own: 1, ...misspelt },
    });
    for (let login = 0; login < 2; login += 1) await callbackOf(new Browser(), server, provider);
    const texts = (await warnings()).filter((text) => text.includes('authenticate has no option'));
    expect(texts.map((text) => text.replace(/.*Did you mean /, ''))).to.deep.equal([
      'successRedirect?',
      'callbackURL?',
      ...options.map((name) => `${name}?`),
    ]);
  });
});

describeEach('a network that answers twice', (contract) => {
  const { subject, sandbox, strategy, app, closing } = contract;

  /** Logs people in one after the other. On each connection of each endpoint, a response comes once more, before the next one. */
  async function logins(count: number, agent?: Agent) {
    const world = await sandbox();
    const late = new WeakMap<object, string>();
    const twice = async (seen: SeenRequest) => {
      const { status, headers, body } = await passOn(world.url, seen);
      const again = late.get(seen.socket);
      if (again !== undefined) seen.socket.write(again);
      const type = headers['content-type'];
      late.set(
        seen.socket,
        `HTTP/1.1 ${status} OK\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
      return { status, headers: { 'content-type': type }, body };
    };
    const urls: Record<string, string> = {};
    for (const [name, url] of Object.entries(tappedBy(world, subject, world)) as [string, string][])
      urls[name] = url.replace(world.url, closing(await network(twice)).url);
    const server = await app(strategy(world, { ...urls, ...(agent && { agent }) }));
    const begun = new Set<string>();
    let [right, wrong] = [0, 0];
    for (let login = 0; login < count; login += 1) {
      const person = login % 2 === 0 ? 'alice' : 'anna';
      const browser = new Browser();
      const authorization = await start(browser, server, subject.provider);
      // OAuth 1.0a: the request token of another browser.
      const isOwn = !begun.has(authorization);
      begun.add(authorization);
      if (isOwn) {
        const { status, json } = await browser.get(await allow(browser, authorization, person));
        if (status !== 200) continue;
        if (json.user.id === personOf(subject, world, person).id) right += 1;
        else wrong += 1;
      } else wrong += 1;
    }
    return { right, wrong };
  }

  it('T16: logs in nobody as somebody else if the option agent keeps no connections', async () => {
    expect(await logins(6, new Agent())).to.deep.equal({ right: 6, wrong: 0 });
  });

  it('T16: exposes the users of exactly the networks that the guide names, if the agent keeps connections', async () => {
    const { wrong } = await logins(6);
    const rows = tableAfter('docs/security.md', '## Connections that logins share');
    const [, taken = ''] = rows.find(([title]) => title === IN_GUIDE[protocolOf(subject)]) ?? [];
    expect(taken).to.match(wrong > 0 ? /^(?!nothing)./ : /^nothing:/);
  });
});

describe('isLoginResponse', () => {
  it('E1: tells the responses of all networks from other requests', () => {
    for (const query of RESPONSES)
      expect(isLoginResponse({ url: `/callback?${query}` }), query).to.equal(true);
    const requests: LoginRequest[] = [{}, { url: '/?returnTo=x&type=popup' }, { query: { page: '1' } }];
    for (const request of requests) expect(isLoginResponse(request)).to.equal(false);
    expect(isLoginResponse({ query: { 'code[]': ['x'] } })).to.equal(true);
    // Parsers stop at 1,000 parameters.
    const many = Array.from({ length: 1_000 }, (_, index): [string, string] => [`a${index}`, '']);
    const url = `/callback?${new URLSearchParams(many).toString()}&code=x&state=y`;
    expect(isLoginResponse({ url, query: Object.fromEntries(many) })).to.equal(true);
    const alike = `/callback?${'a&'.repeat(1_000)}code=x&state=y`;
    expect(isLoginResponse({ url: alike, query: { a: [] } })).to.equal(true);
  });
});

describeEach(
  'a form of OAuth 1.0a',
  (contract) => {
    it('T20: without a length it may have been cut short, and is refused', async () => {
      for (const [endpoint, header] of [
        ['requestTokenURL', ''],
        ['accessTokenURL', ''],
        ['accessTokenURL', 'Transfer-Encoding: identity\r\n'],
      ] as const) {
        const scene = await hostileScene(contract);
        scene.meddle(endpoint, async (honest, { socket }) => {
          socket.end(`HTTP/1.1 200 OK\r\n${header}\r\n${(await honest()).body.toString()}`);
          return {};
        });
        const page = await scene.attempt().catch(() => undefined);
        const { error } = scene.app.endings.at(-1) ?? {};
        expect((error as Error).message, page?.text).to.include('expected a form with its length');
      }
    });
  },
  isOAuth1,
);
