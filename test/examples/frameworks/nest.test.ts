import { expect } from 'chai';
import type express from 'express';
import { ShortVideoStrategy } from 'passport-social-networks';
import { Browser } from '../../support/browser.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { allow } from '../../support/journey.js';
import { oneSandbox } from '../../support/sandbox.js';
import { serve } from '../../support/server.js';
import { collectsWarnings } from '../../support/warnings.js';
import { begin, NEST, type NestGuard, nestPassport } from './harness.js';

import createExpress = require('express');
import session = require('express-session');

type Request = express.Request & { identity?: unknown };

// What the guide to NestJS says about `PassportStrategy` and `AuthGuard`.
for (const [title, folder] of Object.entries(NEST)) {
  describe(`PassportStrategy and AuthGuard of ${title}`, () => {
    const opened = closesAfterEach();
    collectsWarnings();
    const sandbox = oneSandbox();
    let nest: Awaited<ReturnType<typeof nestPassport>>;

    before(async () => {
      nest = await nestPassport(folder);
    });

    function guardOf(name: string, options?: object): NestGuard {
      class Guard extends nest.AuthGuard(name) {
        override getAuthenticateOptions(): object | undefined {
          return options;
        }
      }
      return new Guard();
    }

    /** Calls a guard as NestJS does, then responds with what the request has. */
    function guarded(guard: NestGuard): express.RequestHandler {
      return (req: Request, res, next) => {
        const context = { switchToHttp: () => ({ getRequest: () => req, getResponse: () => res }) };
        guard.canActivate(context).then(() => res.json({ user: req.user, identity: req.identity }), next);
      };
    }

    /** An application with routes under the strategy's name, and with others. */
    async function start(name: string, routes: Readonly<Record<string, NestGuard>> = {}) {
      const app = createExpress();
      // NestJS has one Passport in a process, whose serializers are those of the example. This one signs users in by itself.
      app.use(
        session({ secret: 'session-secret', resave: false, saveUninitialized: false }),
        (req, _res, next) => {
          const { user } = req.session as { user?: Express.User };
          if (user) req.user = user;
          next();
        },
      );
      app.get(`/api/auth/signin/${name}`, guarded(guardOf(name)));
      app.get(`/api/auth/callback/${name}`, guarded(guardOf(name)));
      for (const [path, guard] of Object.entries(routes)) app.get(path, guarded(guard));
      app.get('/enter', (req, res) => {
        Object.assign(req.session, { user: { id: 'somebody' } });
        res.end();
      });
      const onError: express.ErrorRequestHandler = (error, _req, res, _next) => {
        res.status(error.status ?? 500).json({ name: error.constructor.name, message: error.message });
      };
      app.use(onError);
      return opened(await serve(app));
    }

    /** What a strategy whose `validate` declares `params` gets for them and for the profile. */
    async function parametersOf(options: object, arity?: true) {
      class Strategy extends nest.PassportStrategy(ShortVideoStrategy, undefined, arity) {
        async validate(
          _token: string,
          _refresh: string,
          params: { scope?: string },
          profile: { id: string },
        ) {
          return { scope: params.scope, id: profile.id };
        }
      }
      new Strategy({ ...sandbox.options('short-video'), ...options });
      const app = await start('short-video');
      const browser = new Browser();
      return (await browser.get(await allow(browser, await begin(browser, app, 'short-video')))).json;
    }

    it('validate gets params with passParamsToCallback, and with the third argument', async () => {
      const [byOption, byArity] = [
        await parametersOf({ passParamsToCallback: true }),
        await parametersOf({}, true),
      ];
      expect(byOption.user.scope).to.equal('user.info.basic');
      expect(byOption.user.id).to.have.length.above(1);
      expect(byArity).to.deep.equal(byOption);
    });

    it('the guard turns a failure into a bare 401', async () => {
      await parametersOf({ passParamsToCallback: true });
      const app = await start('short-video');
      const page = await new Browser().get(`${app.url}/api/auth/callback/short-video?code=a&state=b`);
      expect(page.status).to.equal(401);
      expect(page.json).to.deep.equal({ name: 'UnauthorizedException', message: 'Unauthorized' });
    });

    it('C25: with assignProperty only a login that the logged-in user began is finished, and the user stays logged in', async () => {
      const linksTo = ({ user }: Request) => (user as { id: string } | undefined)?.id;
      await parametersOf({ passParamsToCallback: true, linksTo });
      const link = { assignProperty: 'identity', property: 'identity' };
      const app = await start('short-video', {
        '/link': guardOf('short-video', { ...link, callbackURL: '/linked' }),
        '/linked': guardOf('short-video', link),
      });
      const linking = async (browser: Browser) => {
        const { location } = await browser.get(`${app.url}/link`);
        return allow(browser, location);
      };
      const stranger = new Browser();
      expect((await stranger.get(await linking(stranger))).status).to.equal(401);
      const browser = new Browser();
      await browser.get(`${app.url}/enter`);
      const { json } = await browser.get(await linking(browser));
      expect(json.user).to.deep.equal({ id: 'somebody' });
      expect(json.identity.id).to.have.length.above(1);
    });
  });
}
