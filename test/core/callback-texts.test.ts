import { inspect } from 'node:util';
import { expect } from 'chai';
import type { Request } from 'express';
import type { RefusedError } from '../../lib/core/errors.js';
import { attempt, fakeRequest } from '../support/attempt.js';
import { closesAfterEach } from '../support/cleanup.js';
import { ExampleOAuth1Strategy, exampleOAuth1Answers } from '../support/example-oauth1.js';
import { ExampleStrategy, exampleAnswers } from '../support/example-oauth2.js';
import { playLogin } from '../support/oauth2-login.js';
import { realSockets } from '../support/real-sockets.js';
import { network } from '../support/server.js';

import express = require('express');
import session = require('express-session');
import passport = require('passport');

import { Browser } from '../support/browser.js';
import { serve } from '../support/server.js';

type Done = (error: unknown, user: object, info?: unknown) => void;
type Verify = (token: string, refresh: unknown, profile: unknown, done: Done) => void;

const admit: Verify = (_token, _refresh, _profile, done) => done(null, { id: 1 });

describe('the texts of a callback', () => {
  realSockets();
  const close = closesAfterEach();

  async function refusal(parameters: Record<string, string>): Promise<RefusedError> {
    const { url } = close(await network(exampleAnswers()));
    const { ending } = await playLogin(new ExampleStrategy(url, admit), parameters);
    expect(ending.error).to.include({ name: 'RefusedError', step: 'authorization', status: 502 });
    return ending.error as RefusedError;
  }

  it('C8: error and error_description are members of the error, cleaned, and no part of its message', async () => {
    const error = await refusal({
      error: 'call\r\n+1-555-0100\u202e now',
      error_description: '<b>Your\u0000 account</b>\nis \u200blocked',
    });
    expect(error.networkCode).to.equal('call  +1-555-0100 now');
    expect(error.networkMessage).to.equal('<b>Your account</b> is locked');
    expect(error.message).to.equal('example, authorization: the network refused without a reason.');
    expect(error.stack?.split('\n    at ')[0]).to.equal(
      'RefusedError: example, authorization: the network refused without a reason.',
    );
  });

  it('C8: a code that the documentation explains is named, its description is not', async () => {
    const error = await refusal({ error: 'server_error', error_description: 'Call +1-555-0100.' });
    expect(error).to.include({ networkCode: 'server_error', networkMessage: 'Call +1-555-0100.' });
    expect(error.message).to.equal(
      'example, authorization: the network refused: server_error. Try again later.',
    );
  });

  it('C8: a code that is a member of every object is unknown', async () => {
    for (const code of ['constructor', '__proto__', 'toString']) {
      const error = await refusal({ error: code });
      expect(error.networkCode).to.equal(code);
      expect(error.message).to.equal('example, authorization: the network refused without a reason.');
    }
  });

  it('C8: texts are cut to three hundred characters', async () => {
    const { networkCode, networkMessage } = await refusal({
      error: 'e'.repeat(301),
      error_description: 'd'.repeat(8_000),
    });
    expect(networkCode).to.equal(`${'e'.repeat(299)}…`);
    expect(networkMessage).to.equal(`${'d'.repeat(299)}…`);
  });

  it('S1: the code beside an error is in none of them', async () => {
    const error = await refusal({
      error: 'x',
      error_description: 'not the-code-0123456789',
      code: 'the-code-0123456789',
    });
    expect(error.networkMessage).to.equal('not [redacted]');
    expect(inspect(error, { depth: 9, showHidden: true })).to.not.include('the-code-0123456789');
  });
});

describe('the info of a login', () => {
  realSockets();
  const close = closesAfterEach();

  for (const [info, expected] of [
    ['Welcome back', { message: 'Welcome back' }],
    [{ message: 'Welcome' }, { message: 'Welcome' }],
    [undefined, {}],
  ] as const) {
    it(`${JSON.stringify(info) ?? 'nothing'} given to done is ${JSON.stringify(expected)}`, async () => {
      const { url } = close(await network(exampleAnswers()));
      const verify: Verify = (_token, _refresh, _profile, done) => done(null, { id: 1 }, info);
      const { ending } = await playLogin(new ExampleStrategy(url, verify));
      expect(ending).to.deep.equal({ user: { id: 1 }, info: expected });
    });
  }

  it('a text given to done stands beside the application’s state', async () => {
    const { url } = close(await network(exampleAnswers()));
    const verify: Verify = (_token, _refresh, _profile, done) => done(null, { id: 1 }, 'Welcome back');
    const { ending } = await playLogin(new ExampleStrategy(url, verify), undefined, { state: '/cart' });
    expect(ending.info).to.deep.equal({ message: 'Welcome back', state: '/cart' });
  });
});

describe('a callback in Express without a query parser', () => {
  realSockets();
  const close = closesAfterEach();

  const PROTOCOLS = {
    'OAuth 2': { Strategy: ExampleStrategy, answers: exampleAnswers(), query: 'code=c&state=' },
    'OAuth 1.0a': {
      Strategy: ExampleOAuth1Strategy,
      answers: exampleOAuth1Answers(),
      query: 'oauth_verifier=v&oauth_token=',
    },
  };
  for (const [protocol, { Strategy, answers, query }] of Object.entries(PROTOCOLS)) {
    for (const parser of [false, 'simple', 'extended']) {
      it(`C12: finishes its login, or is refused, and starts none: ${String(parser)}, ${protocol}`, async () => {
        const { url } = close(await network(answers));
        const authenticator = new passport.Passport();
        authenticator.use(new Strategy(url, admit));
        const app = express();
        app.set('query parser', parser);
        app.use(
          session({ secret: 's', resave: false, saveUninitialized: false, store: new session.MemoryStore() }),
        );
        app.get('/', authenticator.authenticate('example', { session: false }), (req: Request, res) => {
          res.json({ user: req.user });
        });
        const server = close(await serve(app));
        const browser = new Browser();
        const { searchParams } = new URL((await browser.get(`${server.url}/`)).location);
        const key = searchParams.get('state') ?? searchParams.get('oauth_token') ?? '';
        const forged = await browser.get(`${server.url}/?${query}forged`);
        expect([forged.status, forged.location]).to.deep.equal([403, '']);
        const twice = await browser.get(`${server.url}/?${query}${key}&${query}${key}`);
        expect([twice.status, twice.location]).to.deep.equal([400, '']);
        const page = await browser.get(`${server.url}/?${query}${key}`);
        expect([page.status, page.json]).to.deep.equal([200, { user: { id: 1 } }]);
      });
    }
  }

  it('C12: a request with neither query nor parser starts a login', async () => {
    const { url } = close(await network(exampleAnswers()));
    const request = Object.assign(fakeRequest('/login?next=/cart'), { query: {} });
    const { redirect } = await attempt(new ExampleStrategy(url, admit), request);
    expect(redirect?.split('?')[0]).to.equal(`${url}/authorize`);
  });
});
