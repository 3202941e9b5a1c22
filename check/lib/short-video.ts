import { isLoopback } from 'passport-social-networks/internal';
import { codeRefused, type NetworkKnowledge, tryLater } from './network-knowledge.js';

const ERRORS = 'https://developers.tiktok.com/doc/oauth-error-handling (read 2026-11)';

export const shortVideo: NetworkKnowledge = {
  brand: 'TikTok',
  title: 'TikTok',
  protocol: 'OAuth 2.0',
  portal: 'developers.tiktok.com',
  credentialNames: () => 'client key and client secret',
  responses: [
    {
      code: 'invalid_client',
      means: 'client refused',
      says: 'does not accept this pair of client key and client secret',
      evidence: `documented: ${ERRORS}; observed: ComposioHQ/composio#3980`,
    },
    codeRefused(`documented: ${ERRORS}`, 'invalid_grant'),
    codeRefused(
      'observed: in public reports, with HTTP 200 as in ComposioHQ/composio#3980',
      'invalid_request',
      'Code verifier or code challenge is invalid',
    ),
    codeRefused(`documented: ${ERRORS}`, 'invalid_request', 'Redirect_uri is not matched'),
    ...tryLater(`documented: ${ERRORS}`, 'server_error', 'temporarily_unavailable'),
  ],
  usualCauses: () => [
    'the two are swapped',
    'the secret was renewed',
    'one is from a sandbox of TikTok and the other from production, which have different pairs',
    'they are from the Business or Shop portal',
    'a character is missing or wrong',
  ],

  suspicion({ clientID, secret = '' }) {
    // Observed, not documented: every client key of a sandbox that was seen begins with these letters.
    const begins = "begins with sbaw, as client keys of TikTok's sandboxes do";
    if (clientID.startsWith('sbaw')) return `clientID ${begins}: it needs the secret of that sandbox.`;
    return secret.startsWith('sbaw') ? `clientSecret ${begins}: the two are probably swapped.` : undefined;
  },

  // `*`, a digit, `!`, four digits and a region end every code that was seen (SocialiteProviders/Providers#1198).
  code: (random) => `${random}*0!0000.va`,

  /**
   * @see https://developers.tiktok.com/doc/login-kit-web (read 2026-11)
   * @see https://developers.tiktok.com/doc/login-kit-desktop/ (read 2026-11)
   */
  judgeCallback(url, written) {
    if (written.includes('?')) {
      return refused('has a query', 'Register and use a URL without "?".');
    }
    if (written.length >= 512) return refused('has 512 characters or more', 'Use a shorter URL.');
    if (!isLoopback(url)) {
      if (url.protocol === 'https:') return accepted('a Web redirect URI');
      return refused('is plain http', 'Use https. On your own machine use http://127.0.0.1 with a port.');
    }
    if (!['localhost', '127.0.0.1'].includes(url.hostname)) {
      return refused('is neither at localhost nor at 127.0.0.1', 'Use http://127.0.0.1 with a port.');
    }
    if (!/^https?:\/\/[^/?#]+:\d+(?:[/?#]|$)/i.test(written)) {
      return refused('names no port', 'A URL on your own machine needs one: http://127.0.0.1:3000/...');
    }
    return accepted('a Desktop redirect URI, not a Web one');
  },
};

function accepted(kind: string): ReturnType<NetworkKnowledge['judgeCallback']> {
  return { verdict: 'passed', message: `TikTok accepts such URLs as ${kind}` };
}

function refused(problem: string, remedy: string): ReturnType<NetworkKnowledge['judgeCallback']> {
  return { verdict: 'failed', message: `TikTok accepts no redirect URI that ${problem}`, remedy };
}
