import type express = require('express');

/**
 * Loads express, which the sandbox is built on: an optional peer dependency, because a login does without it.
 *
 * @throws Error that says how to install it, when it is not.
 */
export function loadExpress(): typeof express {
  try {
    return require('express');
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    throw new Error('The sandbox is built on express, which is not installed: npm install express', {
      cause,
    });
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND';
}
