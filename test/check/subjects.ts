import { expect } from 'chai';
import type { Strategy } from 'passport';
import type { CheckReport, Finding } from '../../check/lib/index.js';
import {
  MicroblogOAuth1Strategy,
  MicroblogStrategy,
  ShortVideoStrategy,
  SocialNetworkStrategy,
} from '../../lib/index.js';
import type { Sandbox } from '../../sandbox/lib/index.js';
import { keyedLogins } from '../support/logins.js';
import { variablesOf } from '../support/sandbox.js';

export const CALLBACK_URL = 'https://app.example/callback';
export const SECRET = 'The-Right-Secret-0123';

type StrategyClass = new (options: never, verify: () => boolean) => Strategy;

/** Makes a strategy. Nobody logs in. */
function strategyOf(Class: StrategyClass, options: object): Strategy {
  return new Class({ callbackURL: CALLBACK_URL, ...options } as never, () => false);
}

/** A strategy at the sandbox, with a callback URL that its network accepts. */
export type Subject = ReturnType<typeof subject>;

/** @param of - The sandbox's client, whose options the strategy has. */
function subject(title: string, Class: StrategyClass, ...of: Parameters<Sandbox['options']>) {
  const options = (sandbox: Sandbox) => sandbox.options(...of);
  // The public client has no secret for a key of its logins.
  const make = (sandbox: Sandbox, changes?: object) =>
    strategyOf(Class, { store: keyedLogins(), ...options(sandbox), ...changes });
  return { title, options, make };
}

export const SUBJECTS = {
  'short-video': subject('TikTok', ShortVideoStrategy, 'short-video'),
  microblog: subject('X, OAuth 2.0', MicroblogStrategy, 'microblog'),
  'microblog, public client': subject('X, OAuth 2.0', MicroblogStrategy, 'microblog', { client: 'public' }),
  'microblog 1.0': subject('X, OAuth 1.0a', MicroblogOAuth1Strategy, 'microblog', { version: '1.0' }),
  'social-network': subject('VK, classic protocol', SocialNetworkStrategy, 'social-network'),
  'social-network 2.1': subject('VK ID', SocialNetworkStrategy, 'social-network', { version: '2.1' }),
  'social-network 2.1, confidential client': subject('VK ID', SocialNetworkStrategy, 'social-network', {
    version: '2.1',
    client: 'confidential',
  }),
} as const satisfies Readonly<Record<string, Subject>>;

export const KINDS = {
  'short-video': [ShortVideoStrategy, 'clientSecret', {}],
  microblog: [MicroblogStrategy, 'clientSecret', {}],
  'microblog 1.0': [MicroblogOAuth1Strategy, 'clientSecret', {}],
  'social-network': [SocialNetworkStrategy, 'clientSecret', {}],
  'social-network 2.1': [SocialNetworkStrategy, 'serviceToken', { version: '2.1' }],
} as const;
export type Kind = keyof typeof KINDS;

/** A strategy whose hosts are all at one URL. */
export function strategyAt(kind: Kind, url: string, options: object = {}, secret = SECRET): Strategy {
  const [Class, secretOption, more] = KINDS[kind];
  const paths =
    kind === 'microblog 1.0'
      ? ['requestTokenURL', 'accessTokenURL', 'userAuthorizationURL', 'profileURL', 'lookupURL']
      : ['authorizationURL', 'tokenURL', 'profileURL'];
  const urls = Object.fromEntries(paths.map((option) => [option, `${url}/${option}`]));
  return strategyOf(Class, { clientID: '5100', [secretOption]: secret, ...urls, ...more, ...options });
}

export type Environment = Readonly<Record<string, string>>;

/** The variables of every strategy, with credentials that the sandbox accepts. */
export function credentialsOf(sandbox: Sandbox): Environment {
  const vkId = sandbox.options('social-network', { version: '2.1', client: 'confidential' });
  return {
    BASE_URL: 'https://app.example',
    ...variablesOf({
      SHORT_VIDEO: sandbox.options('short-video'),
      MICROBLOG: sandbox.options('microblog'),
      MICROBLOG_1_0: sandbox.options('microblog', { version: '1.0' }),
      SOCIAL_NETWORK: sandbox.options('social-network'),
    }),
    SOCIAL_NETWORK_VK_ID_CLIENT_ID: vkId.clientID,
    SOCIAL_NETWORK_VK_ID_SERVICE_TOKEN: vkId.serviceToken,
  };
}

export function parsed(output: string): { readonly verdict: string; readonly reports: CheckReport[] } {
  return JSON.parse(output) as { verdict: string; reports: CheckReport[] };
}

export function findingOn({ findings }: Pick<CheckReport, 'findings'>, about: string): Finding {
  const found = findings.filter((finding) => finding.subject === about);
  expect(found, `findings on ${about}: ${JSON.stringify(findings)}`).to.have.length(1);
  return found[0] as Finding;
}

export function verdictsOf({ findings }: CheckReport): Record<string, string> {
  return Object.fromEntries(findings.map(({ subject: about, verdict }) => [about, verdict]));
}
