// @ts-check
// Loaded before a program of the documentation: the networks' default addresses lead to a sandbox, and whatever port the
// program wants to listen on, it gets a free one and tells which.
const { Server } = require('node:net');
const path = require('node:path');

/** @type {Record<string, Record<string, string>>} */
const addresses = JSON.parse(process.env.NETWORK_ADDRESSES ?? '{}');
for (const [network, names] of Object.entries(addresses)) {
  Object.assign(require(path.join(__dirname, '../../dist', network, 'endpoints.js')), names);
}

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
