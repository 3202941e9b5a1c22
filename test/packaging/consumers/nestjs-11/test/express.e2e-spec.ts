import { useSessions } from '../src/sessions';
import { testLogins } from './logins';

testLogins('Express', {
  withSessions(module) {
    const app = module.createNestApplication({ logger: false });
    useSessions(app);
    return app;
  },
  withTokens: (module) => module.createNestApplication({ logger: false }),
});
