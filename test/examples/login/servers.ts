/** The servers of the cluster example, which starts them on this machine as well. */
export { hasServers, Servers } from '../../../examples/cluster/servers.js';
