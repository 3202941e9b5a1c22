import { expect } from 'chai';
import { callbackFindings, callbackOf } from '../../check/lib/credentials.js';
import { GUIDES } from '../../check/lib/report.js';
import { type CheckedStrategy, checkedOf } from '../../check/lib/subject.js';
import { anchorsOf } from '../guides/pages.js';
import { findingOn, KINDS, type Kind, strategyAt } from './subjects.js';

const NETWORK = 'https://network.example';

/** What is said of a callback URL before any request. */
function judge(kind: Kind, callbackURL: string, options: object = {}, isLocal = false) {
  const subject = checkedOf(strategyAt(kind, NETWORK, options)) as CheckedStrategy;
  return { findings: callbackFindings(subject, callbackOf(subject, callbackURL), undefined, isLocal) };
}

type Case = readonly [url: string, verdict: 'passed' | 'failed' | 'unknown', says: string];

const LONG = `https://app.example/${'a'.repeat(512 - 'https://app.example/'.length)}`;
const NO_PORT = 'names no port. Use http://127.0.0.1 with a port,';
const PLAIN =
  'takes plain http on this machine only, because a browser sends the code in the clear. Use https';

const TIKTOK: readonly Case[] = [
  ['https://app.example:8443/callback/', 'passed', 'Web redirect URIs'],
  ['http://127.0.0.1:3000/callback', 'passed', 'Desktop'],
  ['http://localhost:80/callback', 'passed', 'Desktop'],
  ['https://localhost:3000', 'passed', 'Desktop'],
  ['http://localhost/callback', 'failed', NO_PORT],
  ['https://127.0.0.1/callback:80', 'failed', NO_PORT],
  ['http://[::1]:3000/callback', 'failed', 'is plain http'],
  ['http://app.example/callback', 'failed', 'is plain http. Use https; on your own machine'],
  ['https://app.example/callback?a=b', 'failed', 'has a query'],
  [LONG.slice(0, -1), 'passed', 'Web redirect URIs'],
  [LONG, 'failed', 'has 512 characters or more'],
];
const X: readonly Case[] = [
  ['https://app.example/callback?next=1', 'passed', 'https://app.example/callback?...: X accepts such URLs'],
  ['http://127.0.0.1:3000/callback', 'passed', 'X accepts such URLs'],
  ['http://localhost:3000/callback', 'passed', 'X accepts such URLs'],
  ['http://app.example/callback', 'failed', PLAIN],
];
const VK: readonly Case[] = [
  ['https://app.example/callback', 'passed', 'accepts such URLs'],
  ['http://localhost/callback', 'passed', 'at the ports 80 and 443'],
  ['https://localhost:443/', 'passed', 'at the ports 80 and 443'],
  ['http://localhost:3000/callback', 'unknown', 'does not document'],
  ['http://127.0.0.1/callback', 'unknown', 'does not document'],
  ['http://app.example/callback', 'failed', PLAIN],
];

describe('check: the callback URL', () => {
  for (const [kind, cases] of [
    ['short-video', TIKTOK],
    ['microblog', X],
    ['microblog 1.0', X],
    ['social-network', VK],
    ['social-network 2.1', VK],
  ] as const) {
    for (const [url, verdict, says] of cases) {
      it(`${kind}: ${url.length > 100 ? `a URL of ${url.length} characters` : url} has ${verdict}`, () => {
        const { message, remedy, guide, ...found } = findingOn(judge(kind, url), 'callbackURL');
        expect(found.verdict).to.equal(verdict);
        expect(`${message}. ${remedy}`).to.include(says);
        expect([remedy === undefined, guide === undefined]).to.deep.equal(
          Array(2).fill(verdict === 'passed'),
        );
      });
    }
  }

  for (const [url, shown] of [
    ['https://user:PASSWORD@app.example/callback?key=CONFIDENTIAL', 'https://app.example/callback?...'],
    ['https://app.example/callback#CONFIDENTIAL', 'https://app.example/callback'],
    ['https://app.example/\u001b[31mcallback\u0007', 'https://app.example/%1B[31mcallback'],
  ] as const) {
    it(`what a URL may hold is not shown, nor are control characters: ${JSON.stringify(url)}`, () => {
      const text = JSON.stringify(judge('short-video', url));
      expect(text)
        .to.include(shown)
        .and.not.match(/PASSWORD|CONFIDENTIAL|\\u00/);
    });
  }

  for (const url of [
    'https://undefined/callback',
    'https://app.undefined/callback',
    'https://app.example/null/callback',
    'https://NaN.example/callback',
    'https://app.example/[object%20Object]',
  ]) {
    it(`a URL that was made of a missing value fails, and nobody is told to register it: ${url}`, () => {
      const { findings } = judge('microblog', url);
      expect(findings.map(({ subject, verdict }) => [subject, verdict])).to.deep.equal([
        ['callbackURL', 'failed'],
      ]);
      expect(findings[0]?.message).to.match(/ has "[\w []+\]?" where a value is missing$/);
    });
  }

  it('a word like the name of a missing value is one of many in a URL', () => {
    const url = 'https://undefined-behaviour.example/nullable/callback';
    expect(findingOn(judge('microblog', url), 'callbackURL').verdict).to.equal('passed');
  });

  it('a host beyond ASCII is named as it is sent, for the registration too', () => {
    const report = judge('microblog', 'https://bücher.example/callback');
    const sent = 'https://xn--bcher-kva.example/callback';
    expect(findingOn(report, 'callbackURL').message).to.equal(`${sent}: X accepts such URLs`);
    expect(findingOn(report, 'registration').remedy).to.include(`Register ${sent} at`);
  });

  it('C29: a path without baseURL follows the Host header, and the finding says how to give one', () => {
    const callbackURL = '/api/auth/callback/social-network';
    expect(findingOn(judge('social-network 2.1', callbackURL, { callbackURL }), 'callbackURL')).to.deep.equal(
      {
        subject: 'callbackURL',
        verdict: 'failed',
        message:
          '/api/auth/callback/social-network becomes a URL with the Host header of each request, which any client can set',
        remedy:
          "Set the option baseURL: 'https://your.domain', or an absolute callbackURL. For the command, BASE_URL=https://your.domain stands for it.",
        guide: 'docs/deploying.md#behind-a-proxy-https-and-the-callback-url',
      },
    );
    const atSandbox = judge('social-network 2.1', callbackURL, { callbackURL }, true);
    expect(findingOn(atSandbox, 'callbackURL').verdict).to.equal('unknown');
    const based = judge('social-network 2.1', callbackURL, { callbackURL, baseURL: 'https://app.example' });
    expect(findingOn(based, 'callbackURL').verdict).to.equal('passed');
  });

  it('only a login shows whether the application has the URL, so the finding names it as it is sent', () => {
    for (const [url, named] of [
      ['https://app.example:443/callback', 'https://app.example:443/callback'],
      ['/callback', 'the callback URL'],
    ] as const) {
      const { verdict, remedy } = findingOn(judge('social-network 2.1', url), 'registration');
      const register = `Register ${named} at id.vk.ru, character for character.`;
      expect([verdict, remedy]).to.deep.equal(['unknown', register]);
    }
  });

  it('C40: where codes have no PKCE, the URL of a callback is said to be a credential', () => {
    const cautions = (Object.keys(KINDS) as Kind[]).flatMap((kind) => {
      const { remedy } = findingOn(judge(kind, 'https://app.example/callback'), 'registration');
      return remedy?.includes('PKCE') ? [[kind, /no PKCE.* VK ID has PKCE\.$/.test(remedy)]] : [];
    });
    expect(cautions).to.deep.equal([['social-network', true]]);
  });

  it('each guide is a heading of a page', () => {
    for (const guide of Object.values(GUIDES)) {
      const [page = '', anchor] = guide.split('#');
      expect(anchorsOf(page), guide).to.include(anchor);
    }
  });
});
