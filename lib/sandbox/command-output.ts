import type { SandboxRequest } from './request-log.js';
import { statusText, timeText, verdictText } from './request-text.js';
import type { Sandbox } from './sandbox.js';

/** What a person sees of a sandbox that has just started: where it is, who can log in, and what to paste. */
export function greeting(sandbox: Sandbox): string {
  const [first] = sandbox.people;
  return `Sandbox of three networks at ${sandbox.url}/ (its page lists credentials, people and latest requests)

${blocks(sandbox).join('\n\n')}

People: ${sandbox.people.map(({ id }) => id).join(', ')}
Add auto=allow&person=${first?.id} or auto=deny to an authorization address to answer without its page.
`;
}

/** A line of the live list. */
export function requestLine(request: SandboxRequest): string {
  const { network, endpoint, method } = request;
  const place = `${network.padEnd(14)} ${endpoint.padEnd(18)} ${method.padEnd(4)} ${statusText(request)}`;
  return `${timeText(request)} ${place} ${verdictText(request)}`.trimEnd();
}

/** One block of options for each network and version. */
function blocks({ options }: Sandbox): readonly string[] {
  return [
    block('short-video', 'ShortVideoStrategy', options('short-video')),
    block('microblog', 'MicroblogStrategy', options('microblog')),
    block('microblog, public client', 'MicroblogStrategy', options('microblog', { client: 'public' })),
    block('microblog, OAuth 1.0a', 'MicroblogStrategy', options('microblog', { version: '1.0' })),
    block('social-network', 'SocialNetworkStrategy', options('social-network')),
    block(
      'social-network, VK ID (serviceToken may be left out)',
      'SocialNetworkStrategy',
      options('social-network', { version: '2.1', client: 'confidential' }),
    ),
  ];
}

function block(title: string, strategy: string, options: object): string {
  const members = Object.entries(options).map(([name, value]) => `    ${name}: '${String(value)}',`);
  return `// ${title}\npassport.use(new ${strategy}(\n  {\n${members.join('\n')}\n  },\n  verify,\n));`;
}
