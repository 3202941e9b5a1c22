import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { TestingModule } from '@nestjs/testing';
import { useFastifySessions, usePassport } from '../src/fastify.js';
import { testLogins } from './logins.js';

function create(module: TestingModule): NestFastifyApplication {
  return module.createNestApplication<NestFastifyApplication>(new FastifyAdapter(), { logger: false });
}

testLogins('Fastify', {
  async withSessions(module) {
    const app = create(module);
    await useFastifySessions(app);
    return app;
  },
  withTokens(module) {
    const app = create(module);
    usePassport(app);
    return app;
  },
});
