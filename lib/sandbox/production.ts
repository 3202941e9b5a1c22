let warned = false;

/** Whether the process says of itself that it is in production. */
export function isProduction(): boolean {
  return process.env.NODE_ENV === 'production';
}

/** Warns, once in the life of a process, that a sandbox has no place in production. */
export function warnInProduction(): void {
  if (warned || !isProduction()) return;
  warned = true;
  process.emitWarning(
    'The sandbox was started with NODE_ENV=production. Whoever reaches it logs in as anybody: keep it for development and tests.',
    { type: 'SandboxWarning', code: 'SANDBOX_IN_PRODUCTION' },
  );
}
