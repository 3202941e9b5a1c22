/** What the process under question is given in the place of the real world, and how values are printed in it. */
import dns from 'node:dns';
import { inspect } from 'node:util';

/** Names below `.test` mean this machine, so that a plain address of "another" host can be watched. */
export function resolveTestHosts() {
  const real = dns.lookup;
  const lookup = (/** @type {string} */ host, /** @type {unknown[]} */ ...rest) =>
    Reflect.apply(real, dns, [host.endsWith('.test') ? '127.0.0.1' : host, ...rest]);
  dns.lookup = /** @type {typeof dns.lookup} */ (Object.assign(lookup, real));
}

/** Lets `Date` run ahead. @param {number} milliseconds */
export function advanceClock(milliseconds) {
  const Real = Date;
  globalThis.Date = new Proxy(Real, {
    construct: (target, given) =>
      Reflect.construct(target, given.length === 0 ? [Real.now() + milliseconds] : given),
    get: (target, name) =>
      name === 'now' ? () => Real.now() + milliseconds : Reflect.get(target, name, target),
  });
}

/** Every way in which a value shows itself. @param {unknown} value @returns {string} */
export function printed(value) {
  const ways = [
    () => inspect(value, { depth: 12, maxStringLength: null }),
    () => JSON.stringify(value),
    () => String(value),
  ];
  return ways.map(attempt).join('\n');
}

/** Every way in which an error shows itself, its hidden members included. @param {unknown} error @returns {string} */
export function printedError(error) {
  const hidden = attempt(() => inspect(error, { depth: 12, showHidden: true, maxStringLength: null }));
  return [printed(error), hidden, attempt(() => /** @type {Error} */ (error)?.stack)].join('\n');
}

/** @param {() => unknown} make */
function attempt(make) {
  try {
    return String(make());
  } catch (error) {
    return String(error);
  }
}
