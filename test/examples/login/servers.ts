/** Shares the cluster example's PostgreSQL and Redis. */
export { hasServers, Servers } from '../../../examples/cluster/servers.js';
