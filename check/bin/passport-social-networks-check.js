#!/usr/bin/env node
// npm links a command only if its file exists, and a clone of the repository is installed before it is built.
void require('../dist/command.js').main();
