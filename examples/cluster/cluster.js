// @ts-check
import { hasNginx } from './balancer.js';
import { describeEndurance, endure } from './endurance.js';
import { Infrastructure } from './infrastructure.js';
import { describeMeasurements, measure } from './measurement.js';
import { hasServers } from './servers.js';
import { readSettings, StartError } from './settings.js';
import { BARE, VARIANTS } from './variants.js';

process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));

try {
  await main();
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
}

async function main() {
  const settings = readSettings(process.env);
  if (!hasNginx || !hasServers) {
    throw new StartError(
      'This example needs nginx, PostgreSQL and Redis: apt-get install nginx-light postgresql redis-server.',
    );
  }
  const infrastructure = await Infrastructure.start();
  try {
    if (settings.mode === 'measure') await runMeasurements(infrastructure, settings);
    else await runEndurance(infrastructure, settings);
  } finally {
    await infrastructure.stop();
  }
}

/** @param {Infrastructure} infrastructure @param {import('./settings.js').Settings} settings */
async function runEndurance(infrastructure, settings) {
  console.log(`${settings.instances} instances behind nginx, ${settings.visitors} users at a time`);
  for (const variant of VARIANTS) {
    const result = await endure(infrastructure, variant, settings);
    console.log(describeEndurance(result));
    if (result.lost + result.wrongUser > 0) process.exitCode = 1;
  }
}

/** @param {Infrastructure} infrastructure @param {import('./settings.js').Settings} settings */
async function runMeasurements(infrastructure, settings) {
  const measurements = [];
  for (const variant of [...VARIANTS, BARE]) {
    measurements.push(...(await measure(infrastructure, variant, settings)));
  }
  console.log(describeMeasurements(measurements));
}
