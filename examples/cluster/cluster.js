// @ts-check
import { hasNginx } from './balancer.js';
import { describeEndurance, endure } from './endurance.js';
import { describeMeasurements, measure } from './measurement.js';
import { Surroundings } from './parts.js';
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
      'nginx, PostgreSQL and Redis are needed: apt-get install nginx-light postgresql redis-server.',
    );
  }
  const surroundings = await Surroundings.start();
  try {
    if (settings.mode === 'measure') await runMeasurements(surroundings, settings);
    else await runEndurance(surroundings, settings);
  } finally {
    await surroundings.stop();
  }
}

/** @param {Surroundings} surroundings @param {import('./settings.js').Settings} settings */
async function runEndurance(surroundings, settings) {
  console.log(`${settings.instances} instances behind nginx, ${settings.visitors} people at a time`);
  for (const variant of VARIANTS) {
    const result = await endure(surroundings, variant, settings);
    console.log(describeEndurance(result));
    if (result.lost + result.wrongPerson > 0) process.exitCode = 1;
  }
}

/** @param {Surroundings} surroundings @param {import('./settings.js').Settings} settings */
async function runMeasurements(surroundings, settings) {
  const measurements = [];
  for (const variant of [...VARIANTS, BARE]) {
    measurements.push(...(await measure(surroundings, variant, settings)));
  }
  console.log(describeMeasurements(measurements));
}
