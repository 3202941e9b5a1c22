import { type Client, optionsCode } from '../core/network.js';
import { NETWORKS, type SandboxVersion } from '../networks.js';
import type { RehearsalCheck } from '../rehearsal/options.js';
import { isUntried, type Rehearsal } from '../rehearsal/rehearsal.js';
import { nextPort, type Sandbox } from '../server/sandbox.js';
import { type SandboxRequest, statusText, timeText, verdictText } from '../traffic/request-log.js';

export function greeting(sandbox: Sandbox, certificateFile?: string): string {
  const { url, people, certificate } = sandbox;
  const trust =
    certificateFile === undefined
      ? 'made for this run. Add --certificate FILE to write it for your application.'
      : `${certificateFile}. Start your application with NODE_EXTRA_CA_CERTS=${certificateFile}`;
  return `Sandbox of three networks at ${url}/ (open it for credentials, people and the latest requests)

${blocks(sandbox).join('\n\n')}

${certificate === undefined ? '' : `Certificate: ${trust}\n`}People: ${people.map(({ id }) => id).join(', ')}
Add auto=allow&person=${people[0]?.id} or auto=deny to an authorization URL to skip its page.
`;
}

export function requestLine(request: SandboxRequest): string {
  const { network, endpoint, method } = request;
  const target = `${network.padEnd(14)} ${endpoint.padEnd(18)} ${method.padEnd(4)}`;
  return `${timeText(request)} ${target} ${statusText(request)} ${verdictText(request)}`.trimEnd();
}

export function exitCodeOf(rehearsals: readonly Rehearsal[]): 0 | 1 | 2 {
  if (rehearsals.some(({ passed }) => !passed)) return 1;
  return rehearsals.every(({ complete }) => complete) ? 0 : 2;
}

export function checkLines({ name, passed, found, remedy }: RehearsalCheck): string {
  const mark = passed === undefined ? '–' : passed ? '✓' : '✗';
  const line = `  ${mark} ${name.padEnd(28)}${visible(found ?? '')}`.trimEnd();
  return `${line}\n${remedy ? `    ${visible(remedy)}\n` : ''}`;
}

export function summary(rehearsals: readonly Rehearsal[]): string {
  const all = rehearsals.flatMap(({ checks }) => checks);
  const count = (wanted: boolean | undefined) => all.filter(({ passed }) => passed === wanted).length;
  const counts = `${count(true)} passed, ${count(false)} failed, ${count(undefined)} not tried`;
  if (exitCodeOf(rehearsals) !== 2) return `${counts}\n`;
  const names = new Set(all.filter(isUntried).map(({ name }) => name));
  return `${counts}\nExit status 2, because a check that is essential was not tried: ${[...names].join(', ')}.\n`;
}

/** JSON in which a terminal finds nothing to act on. */
export const jsonOf = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(/[\x7f-\x9f\p{Cf}]/gu, (character) =>
    // Outside the basic plane a character is two escapes.
    character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );

const visible = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, '?');

export function mistakeText(error: unknown): string {
  const { code, message, syscall, path, port = 0 } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE')
    return `port ${port} is in use: stop the program that listens on it, or choose another, such as --port ${nextPort(port)}`;
  if (code === 'EACCES' && syscall === 'listen')
    return `no permission to listen on port ${port}: choose one from 1024 up with --port`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return '--host is not an address of this machine: leave it out, or use 127.0.0.1';
  if (code === 'EEXIST') return `${path} exists already: remove it, or name another file`;
  if ((code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR') && path !== undefined)
    return `${path} cannot be written (${code})`;
  return message.replace(/^sandbox\.fault(?=:| )/, '--fault');
}

const blocks = (sandbox: Sandbox): readonly string[] =>
  NETWORKS.flatMap(({ name, clients }) =>
    clients.map(({ title, version, kind }: Client) => {
      const [{ version: usual }]: readonly [Client, ...Client[]] = clients;
      const other = version === usual ? undefined : (version as SandboxVersion);
      const options = sandbox.options(name, { client: kind, version: other });
      const code = `  {\n${optionsCode(options, '    ')}  },\n  async (accessToken, refreshToken, profile) => profile,\n`;
      const strategy = name.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase());
      return `// ${title}\npassport.use(new ${strategy}Strategy(\n${code}));`;
    }),
  );
