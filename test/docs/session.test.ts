/** Pages that are run: how they are read, and that one that is wrong is found. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blocksOf, isAsShown } from './session/page.ts';
import { play } from './session/play.ts';

const fence = '```';

describe('a page', () => {
  it('has files, edits and commands, also within lists', () => {
    const page = [
      '1. First:',
      '',
      `   ${fence}yaml`,
      '   # a/b.yaml',
      '   x: 1',
      `   ${fence}`,
      '',
      `${fence}diff\n--- a/b.yaml\n+++ a/b.yaml\n@@\n-x: 1\n+x: 2\n y: 3\n${fence}`,
      `${fence}console\n$ cat a/b.yaml   # exit code 3\nx: 2\n\n$ true \\\n>   a\n${fence}`,
      `${fence}sh\n# a comment\necho a \\\n  b\n${fence}`,
      `${fence}yaml\nno: file\n${fence}`,
    ].join('\n');
    expect(blocksOf(page)).toMatchObject([
      { kind: 'file', line: 3, name: 'a/b.yaml', text: '# a/b.yaml\nx: 1\n' },
      { kind: 'edit', line: 8, name: 'a/b.yaml', before: 'x: 1\ny: 3\n', after: 'x: 2\ny: 3\n' },
      { kind: 'command', line: 17, text: 'cat a/b.yaml   # exit code 3', output: ['x: 2'], exitCode: 3 },
      { kind: 'command', text: 'true   a', output: [], exitCode: 0 },
      { kind: 'command', text: 'echo a \\\n  b', output: undefined },
    ]);
  });

  it.each([
    [['a', 'b'], ['a', 'b'], true],
    [['a', 'b'], ['a'], false],
    [['a'], ['a', 'b'], false],
    [['a', 'b', 'c'], ['a', '…', 'c'], true],
    [['a', 'c'], ['a', '…', 'c'], true],
    [['a', 'b', 'd'], ['a', '…', 'c'], false],
    [['run 4f done'], ['run … done'], true],
    [['a+b'], ['a+b'], true],
    [['aab'], ['a+b'], false],
  ])('whose output is %j shows %j: %s', (output, shown, expected) => {
    expect(isAsShown(output, shown)).toBe(expected);
  });
});

describe('playing a page', () => {
  async function played(page: string) {
    const folder = await mkdtemp(join(tmpdir(), 'webdata-page-'));
    try {
      await writeFile(join(folder, 'page.md'), page);
      return await play([join(folder, 'page.md')]);
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  it('finds another output and another exit code', async () => {
    const wrong = await played(`${fence}console\n$ echo 1\n2\n$ echo\n$ false\n$ true # exit code 1\n${fence}\n`);
    expect(wrong).toMatchObject([
      { line: 2, command: 'echo 1', output: ['1'] },
      { line: 5, command: 'false', exitCode: 1 },
      { line: 6, exitCode: 0 },
    ]);
  });

  it('finds an edit of a text that the file does not have', async () => {
    const page = `${fence}text\n# a.txt\n1\n${fence}\n${fence}diff\n--- a.txt\n+++ a.txt\n-3\n+2\n${fence}\n`;
    await expect(played(page)).rejects.toThrow('line 5: a.txt has the old text 0 times');
  });
});
