// @ts-check
// Logs a user in through the sandbox and writes a log line and a span for each request to the network.
import { BasicTracerProvider, ConsoleSpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import express from 'express';
import passport from 'passport';
import { MicroblogStrategy } from 'passport-social-networks';
import { startSandbox } from 'passport-social-networks-sandbox';
import { pino } from 'pino';
import { logRequests, traceRequests } from './requests.js';

logRequests(pino());
const provider = new BasicTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(new ConsoleSpanExporter())],
});
traceRequests(provider.getTracer('logins'));

const sandbox = await startSandbox();
passport.use(
  new MicroblogStrategy(sandbox.options('microblog'), async (_token, _refreshToken, { id, displayName }) => ({
    id,
    displayName,
  })),
);

const app = express();
app.get('/', passport.authenticate('microblog', { session: false }));
app.get(
  '/api/auth/callback/microblog',
  passport.authenticate('microblog', { session: false }),
  (req, res) => void res.json(req.user),
);
const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  console.log(`Log in at http://127.0.0.1:${address.port}`);
});
