import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The folder of the cluster example. */
export const FOLDER = join(__dirname, '..', '..', '..', 'examples', 'cluster');

/** Loads a module of the cluster example as Node does. */
export function load<T>(name: string): Promise<T> {
  return import(pathToFileURL(join(FOLDER, name)).href) as Promise<T>;
}
