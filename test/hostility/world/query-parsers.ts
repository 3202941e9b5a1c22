import express = require('express');

import { parse } from 'node:querystring';
import type { Parser } from '../generators/callbacks.js';

const extended = express().set('query parser', 'extended').get('query parser fn') as (text: string) => object;

/** A query as a framework parses it; `undefined` if the framework does not parse queries. */
export function parsedQuery(search: string, parser: Parser): object | undefined {
  if (parser === 'extended') return extended(search);
  if (parser === 'simple') return parse(search);
  return parser === 'empty' ? {} : undefined;
}

/** The parameters as the strategy sees them. A repeated name has a list of values. */
export function seenParameters(search: string, query: object | undefined): Map<string, unknown> {
  if (query !== undefined && Object.keys(query).length > 0) return new Map(Object.entries(query));
  const all = new URLSearchParams(search);
  return new Map(
    [...new Set(all.keys())].map((name) => [
      name,
      all.getAll(name).length === 1 ? all.get(name) : all.getAll(name),
    ]),
  );
}
