import { createApp } from './app.js';
import { readSettings } from './settings.js';

async function main(): Promise<void> {
  const app = await createApp(await readSettings());
  await app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
  console.log(`Log in at ${await app.getUrl()}`);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
