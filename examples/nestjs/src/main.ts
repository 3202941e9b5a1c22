import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { useSessions } from './sessions.js';
import { readSettings } from './settings.js';

async function bootstrap(): Promise<void> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.register(await readSettings()));
  useSessions(app);
  await app.listen(process.env.PORT ?? 3000, '127.0.0.1');
  console.log(`Log in at ${await app.getUrl()}`);
}

void bootstrap();
