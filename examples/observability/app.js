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

const port = Number(process.env.PORT ?? 3000);
const baseURL = process.env.BASE_URL || `http://127.0.0.1:${port}`;
const sandbox = await startSandbox();
passport.use(
  new MicroblogStrategy(
    { ...sandbox.options('microblog'), baseURL },
    async (_token, _refreshToken, { id, displayName }) => ({ id, displayName }),
  ),
);

const app = express();
app.get('/', passport.authenticate('microblog', { session: false }));
app.get(
  '/api/auth/callback/microblog',
  passport.authenticate('microblog', { session: false }),
  (req, res) => void res.json(req.user),
);
/** @type {import('express').ErrorRequestHandler} */
const showError = ({ status = 500 }, _req, res, _next) => res.status(status).send('Please try again.');
app.use(showError);
app.listen(port, '127.0.0.1', (error) => {
  if (error) throw error;
  console.log(`Log in at http://127.0.0.1:${port}`);
});
