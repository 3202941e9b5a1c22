import { readFileSync } from 'node:fs';
import type { SandboxPerson } from './people.js';
import { checkPeople } from './people-check.js';

/**
 * Reads people from a file: JSON, a list of objects with the members of a `SandboxPerson`.
 *
 * @throws Error naming the file, and the person and member that cannot be.
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

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is no JSON: it takes a list of people, [{ "id": "zoe", ... }]`, {
      cause: error,
    });
  }
}
