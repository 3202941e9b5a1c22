import { isLoopback } from './addresses.js';
import type { LoginRequest } from './pending-login.js';

/** What a network demands of callback addresses. */
export interface CallbackDemand {
  /** A sentence for the warning. */
  readonly text: string;
  /** Whether the network takes plain http on this machine like any other address. */
  readonly loopback: boolean;
  /** Where the person is sent: a sandbox on this machine demands nothing. */
  readonly authorizationURL: string;
}

/** A function that warns once of a callback address which the network refuses or a browser reaches without TLS. */
export function callbackWarning(
  strategy: string,
  demand: CallbackDemand,
): (callbackURL: string, req?: LoginRequest) => void {
  const isSandbox = isLoopback(new URL(demand.authorizationURL));
  let warned = false;
  let fine: string | undefined;
  return (callbackURL, req) => {
    if (warned || isSandbox || callbackURL === fine || !URL.canParse(callbackURL)) return;
    const url = new URL(callbackURL);
    const isFine = isLoopback(url) ? demand.loopback : url.protocol === 'https:';
    if (isFine) {
      fine = callbackURL;
      return;
    }
    warned = true;
    const { origin, pathname } = url;
    process.emitWarning(
      `${strategy}: option callbackURL is ${origin}${pathname}. ${demand.text}${proxyRemedy(req)}`,
    );
  };
}

/** A relative address begins with http although the browser came with https when a proxy in between is not trusted. */
function proxyRemedy(req: LoginRequest | undefined): string {
  if (!String(req?.headers?.['x-forwarded-proto'] ?? '').startsWith('https')) return '';
  return ' A proxy says that the browser came with https: tell your framework to trust it (trust proxy in Express and NestJS, trustProxy in Fastify, app.proxy in Koa), or give an absolute callbackURL.';
}
