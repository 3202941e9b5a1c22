/** A login inside the application: request and response, pending login and cookie, redirect URI, links, verify. */
export * from './cookie-logins.js';
export { type CookieLoginsOptions, STORE_WITH_SECRET } from './cookie-options.js';
export * from './flow.js';
export type { LinkSettings } from './links.js';
export * from './pending-logins.js';
export * from './redirect-uri.js';
export * from './request.js';
export * from './response.js';
export * from './verify.js';
