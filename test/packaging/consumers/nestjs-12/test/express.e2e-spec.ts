import type { NestExpressApplication } from '@nestjs/platform-express';
import { useSessions } from '../src/sessions.js';
import { testLogins } from './logins.js';

testLogins('Express', {
  withSessions(module) {
    const app = module.createNestApplication<NestExpressApplication>({ logger: false });
    useSessions(app);
    return app;
  },
  withTokens: (module) => module.createNestApplication({ logger: false }),
});
