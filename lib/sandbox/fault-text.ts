import type { SandboxFault, SandboxFaultRule } from './faults.js';
import type { SandboxNetwork, SandboxVersion } from './network.js';

/** The member that the value after the colon is for, in those kinds that take one. */
const VALUES: { readonly [K in SandboxFault['kind']]?: string } = {
  answer: 'status',
  delay: 'milliseconds',
  cut: 'bytes',
  drip: 'milliseconds',
  huge: 'bytes',
  redirect: 'location',
  'rate-limit': 'seconds',
};

/** How a fault is spelled on a command line. */
export const FAULT_FORM = 'network/endpoint=kind[:value][xTIMES]';

/**
 * Reads a fault of a command line, such as `microblog/token=answer:503x2` or `social-network@2.1/token=hang`.
 *
 * @returns The fault; whether network, endpoint, kind and value exist is not judged here. Hyphens stand for the spaces of
 *   endpoint names.
 * @throws TypeError when the text has another form.
 */
export function parseFault(text: string): SandboxFaultRule {
  const [, rule = '', times] = /^(.*?)(?:x(\d+))?$/.exec(text) ?? [];
  const [, network, version, endpoint = '', kind = '', value] =
    /^([^/@=]+)(?:@([^/=]+))?\/([^=]+)=([a-z-]+)(?::(.+))?$/.exec(rule) ?? [];
  if (network === undefined) throw new TypeError(`a fault is spelled ${FAULT_FORM}`);
  return {
    network: network as SandboxNetwork,
    ...(version !== undefined && { version: version as SandboxVersion }),
    endpoint: endpoint.replaceAll('-', ' '),
    fault: { kind, ...valueMember(kind, value) } as SandboxFault,
    ...(times !== undefined && { times: Number(times) }),
  };
}

function valueMember(kind: string, value: string | undefined): object {
  if (value === undefined) return {};
  const member = Object.entries(VALUES).find(([name]) => name === kind)?.[1] ?? 'value';
  return { [member]: member === 'location' ? value : Number(value) };
}
