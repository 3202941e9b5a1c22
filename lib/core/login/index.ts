/** What happens to a login inside the application: its flow, its pending login and the cookie that keeps it, verify, and the response. */
export * from './cookie-logins.js';
export * from './flow.js';
export * from './pending-logins.js';
export * from './redirect-uri.js';
export * from './request.js';
export * from './response.js';
export type { LinksTo } from './signed-in-user.js';
export * from './verify.js';
