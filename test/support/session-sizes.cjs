// Preloaded into an application: express-session's default store prints the size of each session that it stores.
const { MemoryStore } = require('express-session');

const set = Reflect.get(MemoryStore.prototype, 'set');
MemoryStore.prototype.set = function print(...args) {
  console.log(`stored a session of ${JSON.stringify(args[1]).length} bytes`);
  return Reflect.apply(set, this, args);
};
