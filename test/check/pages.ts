import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Text of a page of the repository. The compiled tests are deeper in it. */
export function textOfPage(page: string): string {
  let folder = __dirname;
  while (!existsSync(join(folder, 'package.json')) || !existsSync(join(folder, page)))
    folder = dirname(folder);
  return readFileSync(join(folder, page), 'utf8');
}
