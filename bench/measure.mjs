// The process that measures one part; it trusts the stub's certificate because NODE_EXTRA_CA_CERTS names it, which Node reads
// when a process begins.
import { measureFlight } from './flight/flight.mjs';
import { measureTabs } from './flight/tabs.mjs';
import { measureLatency } from './logins/latency.mjs';
import { measureSpeed } from './logins/speed.mjs';
import { failureText } from './rounds.mjs';

const [part = '', sizes = '{}'] = process.argv.slice(2);
const addresses = JSON.parse(process.env.BENCH_NETWORK ?? '{}');
const size = JSON.parse(sizes);
/** @type {Record<string, () => Promise<unknown>>} */
const parts = {
  speed: () => measureSpeed(addresses, size),
  latency: () => measureLatency(addresses, size),
  flight: () => measureFlight(addresses, size),
  tabs: () => measureTabs(),
};

try {
  process.send?.({ result: await parts[part]?.() });
} catch (error) {
  process.send?.({ failure: failureText(error) });
}
process.disconnect?.();
// Connections that are kept open would keep the process.
process.exit();
