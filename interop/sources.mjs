// Where refusals come from that are not the sandbox's own. What the sandbox refuses has its source in its beliefs.

const NO_TOKEN_TYPE = '"response" body "token_type" property must be a string';

/** By the result in the table. @type {Readonly<Record<string, string>>} */
export const SOURCES = {
  [`refused by the client: ${NO_TOKEN_TYPE}`]:
    "documented: VK's token response has no `token_type`, https://dev.vk.com/api/access-token/authcode-flow-user (read 2026-11); nextauthjs/next-auth#13436",
  'refused by the client: JWT "aud" (audience) claim missing':
    'documented (quoted by libraries): the claims of VK\'s `id_token` are `iss`, `sub`, `app`, `exp`, `iat` and `jti`, page "tokens/id-token" of the VK ID documentation',
  'refused: open-api.tiktok.com is closed':
    'documented: TikTok switched version 1 off on 2024-02-29, https://developers.tiktok.com/bulletin/migration-guidance-oauth-v1 (read 2026-11)',
  'refused: invalid_client: Invalid client: client is invalid':
    'documented: RFC 6749 section 2.3.1 has the secret form-encoded in HTTP Basic; this server does not decode it (`lib/handlers/token-handler.js`)',
};
