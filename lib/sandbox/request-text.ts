import type { SandboxRequest } from './request-log.js';

/** Time of day of a request, `HH:MM:SS`, where the sandbox runs. */
export function timeText({ time }: SandboxRequest): string {
  return new Date(time).toTimeString().slice(0, 8);
}

/** How a request was answered: its status, or that it was not. */
export function statusText({ status }: SandboxRequest): string {
  return status === 0 ? 'no answer' : String(status);
}

/** What was refused and why, or what went wrong on request; empty for a request that went well. */
export function verdictText({ refused, fault }: SandboxRequest): string {
  return [fault && `fault: ${fault}`, refused && `refused: ${refused}`].filter(Boolean).join('; ');
}
