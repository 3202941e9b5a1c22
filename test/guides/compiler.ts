import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './pages.js';
import { FOLDER } from './programs.js';

const LENIENT = { noUnusedLocals: false, noUnusedParameters: false };

/** Strict TypeScript, as readers use it. */
export const STRICT = LENIENT;
/** For code that readers copy into a JavaScript project: checks names and arguments, but allows missing types. */
export const JAVASCRIPT = { ...LENIENT, strict: false, exactOptionalPropertyTypes: false };

/** Allows any property on users and sessions, which JavaScript projects do not declare. */
const ANY_PROPERTIES = `
declare global {
  namespace Express {
    interface User { [property: string]: any }
    interface AuthInfo { [property: string]: any }
    interface Request { account?: any }
  }
}
declare module 'express-session' {
  interface SessionData { [property: string]: any }
}
export {};
`;

/** Compiles the files in a folder. @returns The compiler's output, empty on success. */
export function compile(folder: string, compilerOptions: object): Promise<string> {
  const config = join(FOLDER, folder, 'tsconfig.json');
  if (compilerOptions === JAVASCRIPT) writeFileSync(join(FOLDER, folder, 'members.d.ts'), ANY_PROPERTIES);
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
