// main.ts
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';
import { useSessions } from './sessions';

async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  useSessions(app);
  await app.listen(process.env.PORT ?? 3000);
  console.log(`Open ${await app.getUrl()}`);
}
void bootstrap();
