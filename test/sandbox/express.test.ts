import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';

/** Starts a sandbox in a separate process, in which loading express fails with the given code. */
const SCRIPT = `
const Module = require('node:module');
const load = Module._load;
Module._load = (name, ...rest) => {
  if (name !== 'express') return load(name, ...rest);
  throw Object.assign(new Error('no express'), { code: process.env.CODE });
};
const { startSandbox } = require(process.env.SANDBOX);
startSandbox().then(
  () => console.log('started'),
  (error) => console.log(error.message),
);
`;

describe('The sandbox without express', () => {
  async function outcome(code: string): Promise<string> {
    const env = { ...process.env, CODE: code, SANDBOX: require.resolve('../../lib/sandbox/index.js') };
    const { stdout } = await promisify(execFile)(process.execPath, ['-r', 'tsx/cjs', '-e', SCRIPT], { env });
    return stdout.trim();
  }

  it('says how to install it', async () => {
    expect(await outcome('MODULE_NOT_FOUND')).to.equal(
      'The sandbox needs express, which is not installed: npm install express',
    );
  });

  it('passes on any other error from loading it', async () => {
    expect(await outcome('ERR_OTHER')).to.equal('no express');
  });
});
