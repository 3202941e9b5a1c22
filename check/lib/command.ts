import { runCommandLine } from './command-line.js';

// Nobody reads the output any more: it was piped into a program that has ended.
process.stdout.on('error', () => {});

void runCommandLine(process.argv.slice(2), process.env).then(({ status, output, errors }) => {
  process.stdout.write(output);
  process.stderr.write(errors);
  process.exitCode = status;
});
