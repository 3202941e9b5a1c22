// app.e2e-spec.ts
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { type Sandbox, startSandbox } from 'passport-social-networks-sandbox';
import request from 'supertest';
import { AppModule } from '../src/app.module.js';
import { Networks } from '../src/networks.js';
import { useSessions } from '../src/sessions.js';

describe('AppController (e2e)', () => {
  let sandbox: Sandbox;
  let app: INestApplication;

  beforeAll(async () => {
    process.env.SESSION_SECRET = 'any text of at least 32 characters';
    sandbox = await startSandbox();
    const networks = new Networks(sandbox.options('short-video'), sandbox.options('microblog'));
    const testing = Test.createTestingModule({ imports: [AppModule] });
    const module = await testing.overrideProvider(Networks).useValue(networks).compile();
    app = module.createNestApplication();
    useSessions(app);
    await app.listen(0);
  });

  afterAll(async () => {
    await app.close();
    await sandbox.close();
  });

  it('logs in with the microblog network', async () => {
    const agent = request.agent(app.getHttpServer()); // keeps the cookies
    const start = await agent.get('/api/auth/signin/microblog').expect(302);
    const consent = await fetch(`${start.headers.location}&auto=allow&person=alice`, { redirect: 'manual' });
    const { pathname, search } = new URL(consent.headers.get('location') ?? '');
    await agent.get(pathname + search).expect(302);
    const page = await agent.get('/').expect(200);
    expect(page.text).toContain('Alice Example');
  });
});
