/** Reads a file of `test/spec` and fills in its `{name}` places. */
import { readFileSync } from 'node:fs';
import type { Received } from './loopback.ts';

interface SpecFile {
  section: string;
  base: 'service' | 'manager';
  request: Received;
  answer: { status: number; body?: unknown };
}

export function specFile(name: string, values: Record<string, string> = {}): SpecFile {
  const text = readFileSync(new URL(`../spec/${name}.json`, import.meta.url), 'utf8');
  return JSON.parse(text.replaceAll(/\{(\w+)\}/g, (place, key: string) => values[key] ?? place));
}
