// Whole logins through applications as they are deployed: the CPU of the application's process alone, and the commands that Redis executes.
import { passportSetups } from '../clients/strategies.mjs';
import { inRounds, logInRepeatedly } from '../rounds.mjs';

/** Milliseconds after which a slow client starts no more logins. */
const LONGEST = { warming: 15_000, measuring: 5_000 };

/** @param {import('../run.mjs').Context} context @param {{ rounds: number, logins: number, warming: number }} size */
export function measureDeployed({ deployment, addresses }, { rounds, logins, warming }) {
  const warmed = new Set();
  const subjects = passportSetups(addresses).map((setup) => ({ ...setup, subject: [setup.network] }));
  return inRounds(subjects, rounds, async (setup) => {
    const application = await deployment.application(setup);
    // The code is compiled once for all rounds, because no other client runs in that process.
    if (!warmed.has(setup)) await logInRepeatedly(application, warming, LONGEST.warming);
    warmed.add(setup);
    const before = { cpu: await application.cpu(), commands: await deployment.commands() };
    const { length: done } = await logInRepeatedly(application, logins, LONGEST.measuring);
    const [cpu, commands] = [await application.cpu(), await deployment.commands()];
    /** @type {Record<string, number>} */
    const counts = { get: 0, set: 0, expire: 0, del: 0 };
    for (const [name, count] of Object.entries(commands)) {
      counts[name] = (count - (before.commands[name] ?? 0)) / done;
    }
    const sum = Object.values(counts).reduce((total, count) => total + count, 0);
    return { ...counts, commands: sum, cpu: (cpu - before.cpu) / done };
  });
}
