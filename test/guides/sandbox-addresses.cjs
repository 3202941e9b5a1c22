// @ts-check
// Loaded before a program of the documentation: the networks' default addresses lead to a sandbox, and whatever port the
// program wants to listen on, it gets a free one and tells which.
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
        new RegExp(`^(const ${name} = )"[^"]*"`, 'm'),
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
  // Port 0 is what a sandbox in the program itself asks for.
  if (port === 0) return listen.apply(this, given);
  const done = given.findLast((value) => typeof value === 'function');
  this.once('listening', () => {
    const address = this.address();
    if (address !== null && typeof address === 'object') process.send?.({ port: address.port });
  });
  return listen.call(this, 0, '127.0.0.1', done);
};
