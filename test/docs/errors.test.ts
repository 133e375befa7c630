import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

describe('docs/errors.md', () => {
  it('has every code that an error, a problem or a note may have, and no other', async () => {
    const page = await readFile('docs/errors.md', 'utf8');
    const cells = page.split('\n').flatMap((line) => (line.startsWith('| `') ? [line.split('|')[1] ?? ''] : []));
    const told = cells.flatMap((cell) => [...cell.matchAll(/`([a-z-]+)`/g)].map(([, code]) => code));
    expect(new Set(told).size).toBe(told.length);
    expect(told.toSorted()).toEqual((await codes()).toSorted());
  });
});

async function codes(): Promise<string[]> {
  const files = globSync(['src/**/*.ts', 'providers/**/*.ts'], { exclude: ['src/emulator/**'] });
  const sources = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const literal = sources.flatMap((source) => [...source.matchAll(/\bcode: '([a-z-]+)'/g)]);
  const service = sources.find((source) => source.includes('type ServiceErrorCode ='));
  const union = /type ServiceErrorCode =([^;]*);/.exec(service ?? '')?.[1] ?? '';
  return [...new Set([...literal, ...union.matchAll(/'([a-z-]+)'/g)].flatMap(([, code = '']) => [code]))];
}
