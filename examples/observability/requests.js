// @ts-check
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { requestChannel } from 'passport-social-networks';

/** @typedef {import('passport-social-networks').RequestReport} RequestReport */

/**
 * Logs one line for each request to a network: `info` on success, `warn` otherwise.
 *
 * @param {Pick<import('pino').Logger, 'info' | 'warn'>} logger
 * @returns {() => void} Unsubscribes.
 */
export function logRequests(logger) {
  return onRequest(({ outcome, duration, ...report }) => {
    const line = { ...report, outcome, milliseconds: Math.round(duration) };
    const text = `${report.provider}: ${report.step} ${outcome}`;
    if (outcome === 'succeeded') logger.info(line, text);
    else logger.warn(line, text);
  });
}

/**
 * Records one span for each request to a network, as a child of the span that is active when the request is made.
 *
 * @param {import('@opentelemetry/api').Tracer} tracer
 * @returns {() => void} Unsubscribes.
 */
export function traceRequests(tracer) {
  return onRequest(({ provider, step, method, host, status, duration, outcome }) => {
    const end = Date.now();
    const span = tracer.startSpan(`${provider} ${step}`, {
      kind: SpanKind.CLIENT,
      startTime: end - duration,
      attributes: {
        'http.request.method': method,
        'server.address': host,
        ...(status !== undefined && { 'http.response.status_code': status }),
        ...(outcome !== 'succeeded' && { 'error.type': outcome }),
      },
    });
    if (outcome !== 'succeeded') span.setStatus({ code: SpanStatusCode.ERROR, message: outcome });
    span.end(end);
  });
}

/** @param {(report: RequestReport) => void} listener */
function onRequest(listener) {
  /** @param {unknown} message */
  const receive = (message) => listener(/** @type {RequestReport} */ (message));
  subscribe(requestChannel, receive);
  return () => void unsubscribe(requestChannel, receive);
}
