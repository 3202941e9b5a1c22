import { expect } from 'chai';
import { absoluteCallback, callbackFindings } from '../../lib/check/callback.js';
import { microblogOAuth1, microblogOAuth2 } from '../../lib/check/microblog.js';
import type { NetworkKnowledge } from '../../lib/check/network-knowledge.js';
import { shortVideo } from '../../lib/check/short-video.js';
import { classic, vkId } from '../../lib/check/social-network.js';
import { findingOn } from './findings.js';

/** The findings on a callback URL of a network. */
function judge(knowledge: NetworkKnowledge, callbackURL: string) {
  const callback = absoluteCallback(callbackURL, undefined);
  return { findings: callbackFindings(callback, callbackURL, knowledge, undefined) };
}

describe('check: the rules of the networks for callback URLs', () => {
  const long = `https://app.example/${'a'.repeat(512 - 'https://app.example/'.length)}`;

  for (const [title, knowledge, cases] of [
    [
      'TikTok',
      shortVideo,
      [
        ['https://app.example/callback', 'passed', 'TikTok accepts such URLs as a Web redirect URI'],
        ['https://app.example:8443/callback/', 'passed', 'TikTok accepts such URLs as a Web redirect URI'],
        [
          'http://127.0.0.1:3000/callback',
          'passed',
          'TikTok accepts such URLs as a Desktop redirect URI, not a Web one',
        ],
        [
          'http://localhost:80/callback',
          'passed',
          'TikTok accepts such URLs as a Desktop redirect URI, not a Web one',
        ],
        [
          'https://localhost:3000',
          'passed',
          'TikTok accepts such URLs as a Desktop redirect URI, not a Web one',
        ],
        ['http://localhost/callback', 'failed', 'TikTok accepts no redirect URI that names no port'],
        ['https://127.0.0.1/callback:80', 'failed', 'TikTok accepts no redirect URI that names no port'],
        [
          'http://[::1]:3000/callback',
          'failed',
          'TikTok accepts no redirect URI that is neither at localhost nor at 127.0.0.1',
        ],
        [
          'http://app.localhost:3000/',
          'failed',
          'TikTok accepts no redirect URI that is neither at localhost nor at 127.0.0.1',
        ],
        ['http://app.example/callback', 'failed', 'TikTok accepts no redirect URI that is plain http'],
        [long.slice(0, -1), 'passed', 'TikTok accepts such URLs as a Web redirect URI'],
        [long, 'failed', 'TikTok accepts no redirect URI that has 512 characters or more'],
      ],
    ],
    ...([microblogOAuth1, microblogOAuth2].map((knowledge) => [
      knowledge.title,
      knowledge,
      [
        ['https://app.example/callback?next=1', 'passed', 'X accepts such URLs'],
        ['http://127.0.0.1:3000/callback', 'passed', 'X accepts such URLs'],
        ['http://localhost:3000/callback', 'failed', "X's documentation rules out localhost"],
        [
          'http://app.example/callback',
          'failed',
          "X's documentation asks for https, and a browser would send the code in the clear",
        ],
      ],
    ]) as [string, NetworkKnowledge, [string, string, string][]][]),
    ...([classic, vkId].map((knowledge) => [
      knowledge.title,
      knowledge,
      [
        ['https://app.example/callback', 'passed', 'VK accepts such URLs'],
        [
          'http://localhost/callback',
          'passed',
          'VK accepts localhost at the ports 80 and 443, as several report',
        ],
        [
          'http://localhost:80/callback',
          'passed',
          'VK accepts localhost at the ports 80 and 443, as several report',
        ],
        [
          'https://localhost:443/',
          'passed',
          'VK accepts localhost at the ports 80 and 443, as several report',
        ],
        ['http://localhost:3000/callback', 'unknown', "VK's documents do not say."],
        ['http://127.0.0.1/callback', 'unknown', "VK's documents do not say."],
        [
          'http://app.example/callback',
          'failed',
          'a browser would send the code in the clear, because this is plain http',
        ],
      ],
    ]) as [string, NetworkKnowledge, [string, string, string][]][]),
  ] as const) {
    for (const [url, verdict, message] of cases) {
      const shown = url.length > 100 ? `a URL of ${url.length} characters` : url;
      it(`${title}: ${shown} has ${verdict}`, () => {
        const finding = findingOn(judge(knowledge, url), 'callbackURL');
        expect(finding.verdict).to.equal(verdict);
        expect(finding.message).to.include(message);
        expect(finding.remedy === undefined).to.equal(verdict === 'passed');
        expect(finding.guide === undefined).to.equal(verdict === 'passed');
      });
    }
  }

  it('TikTok accepts no query, and what it may hold is not shown', () => {
    const url = 'https://user:PASSWORD@app.example/callback?key=CONFIDENTIAL';
    const finding = findingOn(judge(shortVideo, url), 'callbackURL');
    expect(finding).to.include({
      verdict: 'failed',
      message: 'https://app.example/callback?...: TikTok accepts no redirect URI that has a query',
    });
  });

  it('a fragment is not shown, nor are control characters', () => {
    for (const [url, shown] of [
      ['https://app.example/callback#CONFIDENTIAL', 'https://app.example/callback'],
      ['https://app.example/\u001b[31mcallback\u0007', 'https://app.example/[31mcallback'],
    ] as const) {
      const { message } = findingOn(judge(shortVideo, url), 'callbackURL');
      expect(message).to.match(new RegExp(`^${shown.replaceAll(/[[.]/g, '\\$&')}(:|$)`));
    }
  });

  it('a path is no URL yet, and the finding says how to give one', () => {
    expect(findingOn(judge(vkId, '/api/auth/callback/social-network'), 'callbackURL')).to.deep.equal({
      subject: 'callbackURL',
      verdict: 'unknown',
      message: '/api/auth/callback/social-network becomes a URL with the host of each request',
      remedy:
        'Give the address that browsers use, and it is checked: BASE_URL=https://your.domain for the command, { callbackURL } for check().',
      guide: 'docs/proxies.md#behind-a-proxy-https-and-the-callback-url',
    });
  });

  it('only a login shows whether the application has the URL, so the finding names it as it is sent', () => {
    const findings = judge(classic, 'https://app.example:443/callback');
    expect(findingOn(findings, 'registration')).to.include({
      verdict: 'unknown',
      remedy: 'Register https://app.example:443/callback at id.vk.ru, character for character.',
    });
    expect(findingOn(judge(classic, '/callback'), 'registration').remedy).to.equal(
      'Register the callback URL at id.vk.ru, character for character.',
    );
  });
});
