import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { login } from 'passport-social-networks-sandbox';

describe('the built application', () => {
  let child: ChildProcess;

  afterAll(async () => {
    const exit = once(child, 'exit');
    child.kill();
    await exit;
  });

  it('starts with the sandbox, without credentials, and logs in', async () => {
    const env = { PATH: process.env.PATH, PORT: '0' }; // without BASE_URL, which Vitest sets
    child = spawn(process.execPath, ['dist/main.js'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const url = await new Promise<string>((resolve, reject) => {
      let output = '';
      child.once('exit', () => reject(new Error(output)));
      child.stdout?.on('data', (chunk) => {
        output += String(chunk);
        const [, port] = /^Log in at http:\/\/.*:(\d+)$/m.exec(output) ?? [];
        if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
      });
    });
    const { response } = await login(`${url}/api/auth/signin/microblog`, { person: 'anna' });
    expect(await response.text()).toMatch('Анна Примерова');
    console.log(`${process.version} logged in: microblog (the built application)`);
  });
});
