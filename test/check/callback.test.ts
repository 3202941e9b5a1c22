import { expect } from 'chai';
import { absoluteCallback, callbackFindings } from '../../check/lib/callback.js';
import { microblogOAuth1, microblogOAuth2 } from '../../check/lib/microblog.js';
import type { NetworkKnowledge } from '../../check/lib/network-knowledge.js';
import { GUIDES } from '../../check/lib/report.js';
import { shortVideo } from '../../check/lib/short-video.js';
import { classic, vkId } from '../../check/lib/social-network.js';
import { findingOn, textOfPage } from './subjects.js';

function judge(knowledge: NetworkKnowledge, callbackURL: string) {
  const callback = absoluteCallback(callbackURL, undefined);
  return { findings: callbackFindings(callback, callbackURL, knowledge, undefined) };
}

type Case = readonly [url: string, verdict: 'passed' | 'failed' | 'unknown', says: string];

const LONG = `https://app.example/${'a'.repeat(512 - 'https://app.example/'.length)}`;
const WEB = 'TikTok accepts such URLs as a Web redirect URI';
const DESKTOP = 'TikTok accepts such URLs as a Desktop redirect URI, not a Web one';
const NO = 'TikTok accepts no redirect URI that';
const NO_PORT = `${NO} names no port A URL on your own machine needs one: http://127.0.0.1:3000/...`;
const ELSEWHERE = `${NO} is neither at localhost nor at 127.0.0.1 Use http://127.0.0.1 with a port.`;
const LOCALHOST = 'VK accepts localhost at the ports 80 and 443, as several report';
const PLAIN = 'a browser would send the code in the clear';

const TIKTOK: readonly Case[] = [
  ['https://app.example/callback', 'passed', WEB],
  ['https://app.example:8443/callback/', 'passed', WEB],
  ['http://127.0.0.1:3000/callback', 'passed', DESKTOP],
  ['http://localhost:80/callback', 'passed', DESKTOP],
  ['https://localhost:3000', 'passed', DESKTOP],
  ['http://localhost/callback', 'failed', NO_PORT],
  ['https://127.0.0.1/callback:80', 'failed', NO_PORT],
  ['http://[::1]:3000/callback', 'failed', ELSEWHERE],
  ['http://app.localhost:3000/', 'failed', ELSEWHERE],
  ['http://app.example/callback', 'failed', `${NO} is plain http Use https. On your own machine use`],
  [LONG.slice(0, -1), 'passed', WEB],
  [LONG, 'failed', `${NO} has 512 characters or more Use a shorter URL.`],
];
const X: readonly Case[] = [
  ['https://app.example/callback?next=1', 'passed', 'https://app.example/callback?...: X accepts such URLs'],
  ['http://127.0.0.1:3000/callback', 'passed', 'X accepts such URLs'],
  [
    'http://localhost:3000/callback',
    'failed',
    "X's documentation rules out localhost Use http://127.0.0.1 with the same port, at X,",
  ],
  [
    'http://app.example/callback',
    'failed',
    `X's documentation asks for https, and ${PLAIN} Use https. On your own machine use http://127.0.0.1.`,
  ],
];
const VK: readonly Case[] = [
  ['https://app.example/callback', 'passed', 'VK accepts such URLs'],
  ['http://localhost/callback', 'passed', LOCALHOST],
  ['http://localhost:80/callback', 'passed', LOCALHOST],
  ['https://localhost:443/', 'passed', LOCALHOST],
  ['http://localhost:3000/callback', 'unknown', "VK's documents do not say."],
  ['http://127.0.0.1/callback', 'unknown', "VK's documents do not say."],
  ['http://app.example/callback', 'failed', `${PLAIN}, because this is plain http Use https.`],
];

describe('check: what is known about the networks', () => {
  for (const [knowledge, cases] of [
    [shortVideo, TIKTOK],
    [microblogOAuth1, X],
    [microblogOAuth2, X],
    [classic, VK],
    [vkId, VK],
  ] as const) {
    const { title, responses } = knowledge;
    for (const [url, verdict, says] of cases) {
      const shown = url.length > 100 ? `a URL of ${url.length} characters` : url;
      it(`${title}: ${shown} has ${verdict}`, () => {
        const { message, remedy, guide, ...found } = findingOn(judge(knowledge, url), 'callbackURL');
        expect(found.verdict).to.equal(verdict);
        expect(`${message} ${remedy}`).to.include(says);
        expect([remedy === undefined, guide === undefined]).to.deep.equal(
          Array(2).fill(verdict === 'passed'),
        );
      });
    }

    it(`${title}: each response names where its meaning is known from, and why it fails logins`, () => {
      for (const { evidence } of responses) expect(evidence).to.match(/^(documented|observed): \S/);
      const failing = responses.filter(({ means }) => means !== 'code refused' && means !== 'try later');
      expect(failing).to.have.length.above(0);
      for (const { says } of failing) expect(says).to.match(/^[a-z]/);
    });

    it(`${title}: no response is hidden behind another one`, () => {
      const hidden = responses.filter(({ code, message = '' }, index) =>
        responses
          .slice(0, index)
          .some((earlier) => earlier.code === code && message.startsWith(earlier.message ?? '')),
      );
      expect(hidden).to.deep.equal([]);
    });
  }

  for (const [url, shown] of [
    [
      'https://user:PASSWORD@app.example/callback?key=CONFIDENTIAL',
      `https://app.example/callback?...: ${NO}`,
    ],
    ['https://app.example/callback#CONFIDENTIAL', `https://app.example/callback: ${WEB}`],
    ['https://app.example/\u001b[31mcallback\u0007', `https://app.example/[31mcallback: ${WEB}`],
  ] as const) {
    it(`what a URL may hold is not shown, nor are control characters: ${JSON.stringify(url)}`, () => {
      expect(findingOn(judge(shortVideo, url), 'callbackURL').message.startsWith(shown)).to.equal(true);
    });
  }

  it('C29: a path without baseURL follows the Host header, and the finding says how to give one', () => {
    expect(findingOn(judge(vkId, '/api/auth/callback/social-network'), 'callbackURL')).to.deep.equal({
      subject: 'callbackURL',
      verdict: 'failed',
      message:
        '/api/auth/callback/social-network becomes a URL with the Host header of each request, which anyone can send',
      remedy:
        "Set the option baseURL: 'https://your.domain', or an absolute callbackURL. For the command, BASE_URL=https://your.domain stands for it.",
      guide: 'docs/deploying.md#behind-a-proxy-https-and-the-callback-url',
    });
  });

  it('only a login shows whether the application has the URL, so the finding names it as it is sent', () => {
    for (const [url, named] of [
      ['https://app.example:443/callback', 'https://app.example:443/callback'],
      ['/callback', 'the callback URL'],
    ] as const) {
      const { verdict, remedy } = findingOn(judge(classic, url), 'registration');
      const register = `Register ${named} at id.vk.ru, character for character.`;
      expect([verdict, remedy]).to.deep.equal(['unknown', register]);
    }
  });

  it('each guide is a heading of a page', () => {
    for (const guide of Object.values(GUIDES)) {
      const [page = '', anchor] = guide.split('#');
      const headings = Array.from(textOfPage(page).matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
        heading
          .toLowerCase()
          .replace(/[^\w\s-]/g, '')
          .replace(/\s/g, '-'),
      );
      expect(headings, guide).to.include(anchor);
    }
  });
});
