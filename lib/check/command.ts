#!/usr/bin/env node
import { runCommandLine } from './command-line.js';

void runCommandLine(process.argv.slice(2), process.env).then(({ status, output, errors }) => {
  process.stdout.write(output);
  process.stderr.write(errors);
  process.exitCode = status;
});
