import { expect } from 'chai';
import { startSandbox } from '../../sandbox/lib/index.js';
import { collectsWarnings } from '../support/warnings.js';

describe('The sandbox in production', () => {
  const warnings = collectsWarnings();
  const { NODE_ENV: mode } = process.env;

  afterEach(() => {
    if (mode === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = mode;
  });

  async function startAndClose(): Promise<void> {
    const sandbox = await startSandbox();
    await sandbox.close();
  }

  it('warns once, and only there', async () => {
    process.env.NODE_ENV = 'test';
    await startAndClose();
    expect(await warnings.texts()).to.deep.equal([]);
    process.env.NODE_ENV = 'production';
    await startAndClose();
    await startAndClose();
    expect(await warnings.texts()).to.deep.equal([
      'The sandbox was started with NODE_ENV=production. Anyone who can reach it can log in as anyone: use it for development and tests only.',
    ]);
  });
});
