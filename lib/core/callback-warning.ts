import { isLoopback } from './addresses.js';

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
export function callbackWarning(strategy: string, demand: CallbackDemand): (callbackURL: string) => void {
  const isSandbox = isLoopback(new URL(demand.authorizationURL));
  let warned = false;
  return (callbackURL) => {
    if (warned || isSandbox || !URL.canParse(callbackURL)) return;
    const url = new URL(callbackURL);
    const isFine = isLoopback(url) ? demand.loopback : url.protocol === 'https:';
    if (isFine) return;
    warned = true;
    const { origin, pathname } = url;
    process.emitWarning(`${strategy}: option callbackURL is ${origin}${pathname}. ${demand.text}`);
  };
}
