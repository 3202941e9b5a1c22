import { cleanLine, isLoopback } from 'passport-social-networks/internal';
import type { NetworkKnowledge } from './network-knowledge.js';
import { type Finding, GUIDES } from './report.js';

/** Where the network sends the browser; absent if nobody can tell without a request. */
export type Callback = AbsoluteCallback | undefined;

interface AbsoluteCallback {
  readonly url: URL;
  /** As it is sent. */
  readonly written: string;
}

/** @param given - Replaces the strategy's own, which may be relative. */
export function absoluteCallback(own: string, given: string | undefined): Callback {
  const written = given ?? own;
  return URL.canParse(written) ? { url: new URL(written), written } : undefined;
}

/** What the network itself said of the callback URL: it has it for the application, or what is wrong. */
export type CallbackProof = 'accepted' | Finding;

/** Whether the network accepts such URLs, and whether the application has this one. @param isLocal - Whether it is a sandbox. */
export function callbackFindings(
  callback: Callback,
  own: string,
  knowledge: NetworkKnowledge | undefined,
  proof: CallbackProof | undefined,
  isLocal = false,
): Finding[] {
  const subject = 'registration';
  const form = formFinding(callback, own, knowledge, proof === 'accepted', isLocal);
  if (proof === 'accepted') {
    const message = 'the application has the callback URL at the network';
    return [form, { subject, verdict: 'passed', message }];
  }
  if (proof !== undefined) return [form, proof];
  const url = callback ? shown(callback) : 'the callback URL';
  const remedy = `Register ${url}${knowledge ? ` at ${knowledge.portal}` : ''}, character for character.`;
  const message = 'only a login shows whether the application has the callback URL at the network';
  return [form, { subject, verdict: 'unknown', message, remedy }];
}

function formFinding(
  callback: Callback,
  own: string,
  knowledge: NetworkKnowledge | undefined,
  isAccepted: boolean,
  isLocal: boolean,
): Finding {
  const subject = 'callbackURL';
  if (!callback) {
    return {
      subject,
      verdict: isLocal ? 'unknown' : 'failed',
      message: `${cleanLine(own) ?? ''} becomes a URL with the Host header of each request, which anyone can send`,
      remedy:
        "Set the option baseURL: 'https://your.domain', or an absolute callbackURL. For the command, BASE_URL=https://your.domain stands for it.",
      guide: GUIDES.reverseProxy,
    };
  }
  const { url, written } = callback;
  const judged = isAccepted ? judgeAccepted(url, knowledge) : knowledge?.judgeCallback(url, written);
  const { verdict, message, remedy } = judged ?? judgeAnywhere(url);
  return {
    subject,
    verdict,
    message: `${shown(callback)}: ${message}`,
    ...(remedy !== undefined && { remedy }),
    ...(verdict !== 'passed' && { guide: GUIDES.errorPage }),
  };
}

type Judgement = Pick<Finding, 'verdict' | 'message' | 'remedy'>;

/** What the network accepts counts more than what it documents. */
function judgeAccepted(url: URL, knowledge: NetworkKnowledge | undefined): Judgement {
  const message = `${knowledge?.brand} accepts it`;
  if (isSafe(url)) return { verdict: 'passed', message };
  const but = `${message}, but a browser would send the verifier in the clear`;
  return { verdict: 'unknown', message: but, remedy: 'Use https.' };
}

function judgeAnywhere(url: URL): Judgement {
  if (isSafe(url))
    return { verdict: 'unknown', message: 'this check does not know what the network demands' };
  const message = 'a browser would send the code in the clear, because this is plain http';
  return { verdict: 'failed', message, remedy: 'Use https.' };
}

/** Whether nobody on the way can read what the browser sends. */
const isSafe = (url: URL) => url.protocol === 'https:' || isLoopback(url);

/** The URL without what may be confidential in it. */
export function shown({ url, written }: AbsoluteCallback): string {
  const { origin, pathname, search, hash, username, password } = url;
  const text = search || hash || username || password ? `${origin}${pathname}${search && '?...'}` : written;
  return cleanLine(text) ?? '';
}
