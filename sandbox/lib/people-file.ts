import { readFileSync } from 'node:fs';
import type { SandboxPerson } from './people.js';
import { checkPeople } from './people-check.js';

/**
 * Reads people from a JSON file: a list of objects with the properties of `SandboxPerson`.
 *
 * @throws Error naming the file, and the person and property that are wrong.
 */
export function readPeople(file: string): readonly SandboxPerson[] {
  const people = parse(read(file), file);
  checkPeople(people, file);
  return people;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`${file} cannot be read (${code}): check the path after --people`, { cause: error });
  }
}

function parse(content: string, file: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new Error(`${file} is not JSON: it must be a list of people, [{ "id": "zoe", ... }]`, {
      cause: error,
    });
  }
}
