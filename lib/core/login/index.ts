/** What happens to a login inside the application: its flow, its pending login and the cookie that keeps it, verify, and the response. */
export * from './cookie-logins.js';
export * from './flow.js';
export type { LinkSettings } from './links.js';
export * from './pending-logins.js';
export * from './redirect-uri.js';
export * from './request.js';
export * from './response.js';
export * from './verify.js';
