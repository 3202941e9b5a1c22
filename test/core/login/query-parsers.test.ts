import { expect } from 'chai';
import type { Request } from 'express';
import { attempt, fakeRequest } from '../../support/attempt.js';
import { Browser } from '../../support/browser.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { ExampleOAuth1Strategy, exampleOAuth1Answers } from '../../support/example-oauth1.js';
import { ExampleStrategy, exampleAnswers } from '../../support/example-oauth2.js';
import { realSockets } from '../../support/real-sockets.js';
import { network, serve } from '../../support/server.js';

import express = require('express');
import session = require('express-session');
import passport = require('passport');

type Done = (error: unknown, user: object) => void;

const admit = (_token: string, _secret: unknown, _profile: unknown, done: Done) => done(null, { id: 1 });

describe('authorization responses and query parsers', () => {
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
      it(`C12: a response finishes its login or is rejected, and starts no login: ${String(parser)}, ${protocol}`, async () => {
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

  it('C12: a request without a response starts a login', async () => {
    const { url } = close(await network(exampleAnswers()));
    const request = Object.assign(fakeRequest('/login?next=/cart'), { query: {} });
    const { redirect } = await attempt(new ExampleStrategy(url, admit), request);
    expect(redirect?.split('?')[0]).to.equal(`${url}/authorize`);
  });
});
