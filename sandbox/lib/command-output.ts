import { type SandboxRequest, statusText, timeText, verdictText } from './request-log.js';
import type { Sandbox } from './sandbox.js';

/** What the command prints when the sandbox has started: its URL, options to paste, and who can log in. */
export function greeting(sandbox: Sandbox): string {
  const [first] = sandbox.people;
  return `Sandbox of three networks at ${sandbox.url}/ (open it for credentials, people and the latest requests)

${blocks(sandbox).join('\n\n')}

People: ${sandbox.people.map(({ id }) => id).join(', ')}
Add auto=allow&person=${first?.id} or auto=deny to an authorization URL to skip its page.
`;
}

/** A line of the request list. */
export function requestLine(request: SandboxRequest): string {
  const { network, endpoint, method } = request;
  const target = `${network.padEnd(14)} ${endpoint.padEnd(18)} ${method.padEnd(4)}`;
  return `${timeText(request)} ${target} ${statusText(request)} ${verdictText(request)}`.trimEnd();
}

/** Options to paste, for each network, version and kind of client. */
function blocks({ options }: Sandbox): readonly string[] {
  return [
    block('short-video', 'ShortVideoStrategy', options('short-video')),
    block('microblog', 'MicroblogStrategy', options('microblog')),
    block('microblog, public client', 'MicroblogStrategy', options('microblog', { client: 'public' })),
    block('microblog, OAuth 1.0a', 'MicroblogStrategy', options('microblog', { version: '1.0' })),
    block('social-network', 'SocialNetworkStrategy', options('social-network')),
    block(
      'social-network, VK ID (serviceToken is optional)',
      'SocialNetworkStrategy',
      options('social-network', { version: '2.1', client: 'confidential' }),
    ),
  ];
}

function block(title: string, strategy: string, options: object): string {
  const properties = Object.entries(options).map(([name, value]) => `    ${name}: '${String(value)}',`);
  return `// ${title}\npassport.use(new ${strategy}(\n  {\n${properties.join('\n')}\n  },\n  verify,\n));`;
}
