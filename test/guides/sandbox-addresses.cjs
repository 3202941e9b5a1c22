// @ts-check
// Preloaded into the documentation's programs. Replaces the networks' default endpoints with a sandbox's, and makes the program
// listen on PORT of the environment, or a free port, which it reports to the parent process.
const Module = require('node:module');
const { Server } = require('node:net');
const path = require('node:path');

/** @type {Record<string, Record<string, string>>} */
const addresses = JSON.parse(process.env.NETWORK_ADDRESSES ?? '{}');
const built = path.join(__dirname, '../../dist');
/** @type {any} */
const modules = Module.prototype;
const { _compile } = modules;
/**
 * @this {unknown}
 * @param {string} code
 * @param {string} file
 * @param {unknown[]} more
 */
modules._compile = function compileForSandbox(code, file, ...more) {
  const names = Object.entries(addresses[path.relative(built, path.dirname(file))] ?? {});
  const changed = names.reduce(
    (text, [name, address]) =>
      text.replace(
        new RegExp(`^(\\s*${name}: )"[^"]*"`, 'm'),
        (_line, begin) => begin + JSON.stringify(address),
      ),
    code,
  );
  return _compile.call(this, changed, file, ...more);
};

/** @type {any} */
const prototype = Server.prototype;
const { listen } = prototype;
/**
 * @this {Server}
 * @param {any[]} given
 */
prototype.listen = function listenAnywhere(...given) {
  const [port] = given;
  // A sandbox inside the program requests port 0.
  if (port === 0) return listen.apply(this, given);
  const done = given.findLast((value) => typeof value === 'function');
  this.once('listening', () => {
    const address = this.address();
    if (address !== null && typeof address === 'object') process.send?.({ port: address.port });
  });
  return listen.call(this, Number(process.env.PORT ?? 0), '127.0.0.1', done);
};
