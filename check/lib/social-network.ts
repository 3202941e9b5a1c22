import { type ClientCredentials, isLoopback } from 'passport-social-networks/internal';
import { codeRefused, type KnownAuthority, type NetworkKnowledge, tryLater } from './network-knowledge.js';

const PORTAL = 'id.vk.ru';

/**
 * Has signed `partners.api.vk.ru` since 2026, and other hosts may follow.
 *
 * @see https://id.vk.ru/about/faq/business/vkid/alternative_api_domain/30100 (read 2026-11)
 */
const AUTHORITIES: readonly KnownAuthority[] = [
  {
    name: 'Russian Trusted Root CA',
    fingerprint:
      'D2:6D:2D:02:31:B7:C3:9F:92:CC:73:85:12:BA:54:10:35:19:E4:40:5D:68:B5:BD:70:3E:97:88:CA:8E:CF:31',
    download: 'https://www.gosuslugi.ru/crt',
  },
];

const judgeCallback: NetworkKnowledge['judgeCallback'] = (url) => {
  if (!isLoopback(url)) {
    if (url.protocol === 'https:') return { verdict: 'passed', message: 'VK accepts such URLs' };
    return {
      verdict: 'failed',
      message: 'a browser would send the code in the clear, because this is plain http',
      remedy: 'Use https.',
    };
  }
  if (url.hostname === 'localhost' && ['', '80', '443'].includes(url.port)) {
    return { verdict: 'passed', message: 'VK accepts localhost at the ports 80 and 443, as several report' };
  }
  return {
    verdict: 'unknown',
    message:
      "VK's documents do not say. django-allauth reports that only http://localhost at port 80 or 443 works; better-auth and Strapi name other ports",
    remedy: 'If VK shows an error page, use http://localhost at port 80, or https with a public name.',
  };
};

const isNumber = (text: string) => /^\d+$/.test(text);

function suspicion(option: string, { clientID, secret = '' }: ClientCredentials): string | undefined {
  if (isNumber(clientID)) return undefined;
  return isNumber(secret)
    ? `${option} is a number and clientID is none: the two are swapped.`
    : 'clientID is no number, but every application number of VK is one.';
}

export const classic: NetworkKnowledge = {
  brand: 'VK',
  title: 'VK, classic protocol',
  protocol: 'OAuth 2.0',
  portal: PORTAL,
  credentialNames: () => 'application number and protected key',
  responses: [
    {
      code: 'invalid_client',
      message: 'client_secret is incorrect',
      means: 'client refused',
      says: 'knows the application number, but the protected key is wrong, or the application belongs to VK ID',
      remedy:
        "Copy the protected key again (not the service key). An application that was made for VK ID logs in with version: '2.1' and no secret.",
      evidence: 'observed: yiisoft/yii2-authclient#248; svoemesto/Karaoke, with an invalid code (2026-08)',
    },
    {
      code: 'invalid_client',
      message: 'client_id is incorrect',
      means: 'client refused',
      says: 'does not know the application number',
      evidence: 'observed: VKCOM/vk-android-sdk#290',
    },
    {
      code: 'invalid_client',
      message: 'client_',
      means: 'client refused',
      says: 'does not accept this pair of application number and protected key',
      evidence: 'observed: VKCOM/vk-php-sdk#96, mamantoha/omniauth-vkontakte#89',
    },
    codeRefused(
      'observed: 7even/vkontakte_api#38, stevebest/passport-vkontakte#45',
      'invalid_grant',
      'Code is invalid or expired',
    ),
    codeRefused('observed: Nodge/yii-eauth#29', 'invalid_grant', 'redirect_uri is invalid'),
  ],
  usualCauses: () => [
    'the two are swapped',
    'the service key stands in place of the protected key',
    'the protected key was renewed',
    "the application was made for VK ID, which needs version: '2.1' and no secret",
    'a character is missing or wrong',
  ],

  suspicion: (credentials) => suspicion('clientSecret', credentials),
  code: (random) => Buffer.from(random).toString('hex').slice(0, 66),
  judgeCallback,
  authorities: AUTHORITIES,
};

const VK_ID_SDK = 'documented: github.com/VKCOM/vkid-web-sdk (read 2026-11)';

export const vkId: NetworkKnowledge = {
  brand: 'VK ID',
  title: 'VK ID',
  protocol: 'OAuth 2.0',
  portal: PORTAL,
  credentialNames: ({ secret }) =>
    secret === undefined ? 'application number' : 'application number and service key',
  responses: [
    {
      code: 'invalid_client',
      means: 'client refused',
      says: 'does not accept the application',
      evidence: 'observed: gitroomhq/postiz-app#1398, VKCOM/vkid-ios-sdk#41',
    },
    codeRefused('observed: 2026-10, without a message', 'invalid_grant'),
    codeRefused('observed: 2026-09', 'invalid_request', 'device_id is invalid'),
    codeRefused(
      'observed: VKCOM/vkid-web-sdk#34, VKCOM/vk-php-sdk#122',
      'invalid_request',
      'verifier is missing or invalid',
    ),
    ...tryLater(VK_ID_SDK, 'server_error', 'temporarily_unavailable', 'slow_down', 'challenge'),
  ],
  usualCauses: ({ secret }) => [
    'the number is mistyped',
    "it is that of a classic application, which needs its protected key (clientSecret) in place of version: '2.1'",
    'it is that of an application of another kind',
    'the application was deleted or blocked',
    ...(secret === undefined ? [] : ['serviceToken is not the service key of this application']),
  ],

  suspicion: (credentials) => suspicion('serviceToken', credentials),
  code: (random) => `vk2.a.${random}`,
  // Numbers of applications had eight digits in 2026.
  unknownClientID: () => '2147483647',
  judgeCallback,
  authorities: AUTHORITIES,
};
