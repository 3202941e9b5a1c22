// main.fastify.ts
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { useFastifySessions } from './fastify.js';

async function bootstrap() {
  const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter());
  await useFastifySessions(app);
  await app.listen(process.env.PORT ?? 3000);
  console.log(`Open ${await app.getUrl()}`);
}
await bootstrap();
