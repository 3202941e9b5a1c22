import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './pages.js';
import { FOLDER } from './programs.js';

const LENIENT = { noUnusedLocals: false, noUnusedParameters: false };

/** TypeScript as a reader has it: strict. */
export const STRICT = LENIENT;
/** What a reader copies into a project of JavaScript: names and arguments are checked, missing types are no mistake. */
export const JAVASCRIPT = { ...LENIENT, strict: false, exactOptionalPropertyTypes: false };

/** What a project of JavaScript knows nothing of: what its own users and sessions have. */
const OWN_MEMBERS = `
declare global {
  namespace Express {
    interface User { [member: string]: any }
    interface AuthInfo { [member: string]: any }
    interface Request { account?: any }
  }
}
declare module 'express-session' {
  interface SessionData { [member: string]: any }
}
export {};
`;

/** Compiles what was written to a folder. @returns What the compiler has to say: nothing at best. */
export function compile(folder: string, compilerOptions: object): Promise<string> {
  const config = join(FOLDER, folder, 'tsconfig.json');
  if (compilerOptions === JAVASCRIPT) writeFileSync(join(FOLDER, folder, 'members.d.ts'), OWN_MEMBERS);
  const settings = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: { rootDir: '.', types: ['node'], ...compilerOptions },
    include: ['.'],
  };
  writeFileSync(config, JSON.stringify(settings));
  const compiler = spawn(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', config]);
  let text = '';
  compiler.stdout.on('data', (chunk) => (text += String(chunk)));
  return new Promise((resolve) => compiler.once('close', () => resolve(text)));
}
