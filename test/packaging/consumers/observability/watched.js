// Makes a callback request under a tool that watches requests, reads what the tool sends, and logs in. `with` the setting of docs/deploying.md
// that has neither code nor cookie, and without it the code.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';

const [tool, setting] = process.argv.slice(2);
const isSet = setting === 'with';
const require = createRequire(import.meta.url);
/** Not beside the server's code, which Sentry sends. */
const COOKIE = 'COOKIE_OF_A_LOGIN';
const sent = [];
let watch = () => {};

/** Each starts a tool, whose data end up in `sent`. */
const TOOLS = {
  async opentelemetry() {
    const { SimpleSpanProcessor, TracerProvider } = await import('@opentelemetry/sdk-trace');
    const { HttpInstrumentation } = await import('@opentelemetry/instrumentation-http');
    const redactedQueryParamsServer = 'code state device_id payload oauth_token oauth_verifier'.split(' ');
    const exporter = { export: ([{ attributes }]) => sent.push(JSON.stringify(attributes)) };
    const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
    new HttpInstrumentation(isSet ? { redactedQueryParamsServer } : {}).setTracerProvider(provider);
  },
  async 'pino-http'() {
    const settings = {
      serializers: { req: ({ query: _query, ...req }) => ({ ...req, url: req.url.split('?', 1)[0] }) },
      redact: ['req.headers.cookie', 'res.headers["set-cookie"]', 'res.headers.location'],
    };
    const { pinoHttp } = await import('pino-http');
    watch = pinoHttp(isSet ? settings : {}, { write: (line) => sent.push(line) });
  },
  async sentry() {
    const { captureMessage, createTransport, init } = await import('@sentry/node');
    const keep = async ({ body }) => sent.push(String(body)) && { statusCode: 200 };
    const transport = (options) => createTransport(options, keep);
    const settings = isSet ? { dataCollection: { urlQueryParams: false, cookies: false } } : {};
    init({ dsn: 'http://key@127.0.0.1/1', tracesSampleRate: 1, transport, ...settings });
    watch = () => captureMessage('message');
  },
  async 'dd-trace'() {
    const agent = require('node:http').createServer(async (req, res) => {
      sent.push(await textOf(req));
      res.end('{}');
    });
    await once(agent.listen(0, '127.0.0.1').unref(), 'listening');
    if (isSet) process.env.DD_TRACE_OBFUSCATION_QUERY_STRING_REGEXP = '.*';
    const { default: tracer } = await import('dd-trace');
    tracer.init({ url: `http://127.0.0.1:${agent.address().port}`, flushInterval: 0, startupLogs: false });
  },
};
await TOOLS[tool]();
const server = require('node:http').createServer((req, res) => {
  watch(req, res);
  res.setHeader('set-cookie', `login.b=${COOKIE}`).end();
});
await once(server.listen(0, '127.0.0.1'), 'listening');
// Not with `fetch`, which some tools watch.
const browser = connect(server.address().port, '127.0.0.1');
browser.write(`GET /callback?code=CODE_IN_URL&oauth_verifier=CODE_IN_URL HTTP/1.1\r\nHost: a\r\n`);
browser.write(`Connection: close\r\nCookie: login.a=${COOKIE}\r\n\r\n`);
await textOf(browser);
server.close();
while (!sent.join().includes('/callback')) await new Promise((resolve) => setTimeout(resolve, 100));
assert.equal(sent.join().includes('CODE_IN_URL'), !isSet, sent.join());
if (isSet) assert.equal(sent.join().includes(COOKIE), false, sent.join());
const { log } = console;
// The line of the logins is the last. Without `exit`, dd-trace keeps its connection.
console.log = (line) => process.exit(log(line));
await import('./program.js');
