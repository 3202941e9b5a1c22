// Nothing is installed but the packages: the sandbox brings its own server, and the strategy runs on bare node:http.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { exposeResponse, ShortVideoStrategy } from 'passport-social-networks';
import { login } from 'passport-social-networks-sandbox';

const command = spawn('npx', ['--no-install', 'passport-social-networks-sandbox', '--port', '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
  // A group of its own, so that the command ends with npx.
  detached: true,
});
process.once('exit', () => process.kill(-Number(command.pid)));
let printed = '';
command.stdout.setEncoding('utf8').on('data', (text) => {
  printed += text;
});
while (!printed.includes('Ctrl+C')) await once(command.stdout, 'data');

/** The options to paste that the command prints for short-video. */
const [, block = ''] = /new ShortVideoStrategy\(([\s\S]*?)async/.exec(printed) ?? [];
const pasted = Object.fromEntries(
  [...block.matchAll(/(\w+): '(.*)'/g)].map(([, name, value]) => [name, value]),
);
// It has port 3000, and the server below a free one.
delete pasted.baseURL;
const options = /** @type {{ clientID: string, clientSecret: string }} */ (pasted);
const [, sandbox = ''] = /at (http:\/\/\S+?)\/ /.exec(printed) ?? [];
// Exits with an error if the check finds one.
await promisify(execFile)('npx', ['--no-install', 'passport-social-networks-check', '--sandbox', sandbox], {
  env: {
    ...process.env,
    SHORT_VIDEO_CLIENT_ID: options.clientID,
    SHORT_VIDEO_CLIENT_SECRET: options.clientSecret,
  },
});
const shortVideo = new ShortVideoStrategy(options, (_token, _refreshToken, profile, done) =>
  done(null, profile),
);

/** Does what passport.authenticate does. */
const server = createServer((request, response) => {
  const strategy = Object.assign(Object.create(shortVideo), {
    redirect: (/** @type {string} */ location) => response.writeHead(302, { location }).end(),
    success: (/** @type {object} */ user) => response.end(JSON.stringify(user)),
    fail: (/** @type {{ message: string }} */ { message }) =>
      response.end(JSON.stringify({ displayName: message })),
    error: (/** @type {Error} */ { message }) => response.end(JSON.stringify({ displayName: message })),
  });
  exposeResponse(request, response, () => strategy.authenticate(request));
});
await once(server.listen(0, '127.0.0.1'), 'listening');
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());

const { response } = await login(`http://127.0.0.1:${port}/`, { person: 'alice' });
const { displayName } = /** @type {{ displayName: string }} */ (await response.json());
console.log(displayName === 'Alice Example' ? `${process.version} logged in: short-video` : displayName);
server.close();
server.closeAllConnections();
process.exit();
