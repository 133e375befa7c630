/** Folders and files of the tool that are something else, or that nobody can write: no raw code of the system, no trace of Node. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Harness, migrationsOf, openDeclared, openHarness } from '../harness.ts';

const declaration =
  'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] } }\n';

/** A trace, an internal error, or the words of a system call. */
const raw = /\n\s+at \S+ \(|internal error|node:internal|\b(?:open|mkdir|scandir|lstat|access) '/;

const commands = [
  ['plan'],
  ['plan', '--output', 'plan.json'],
  ['apply', '--yes'],
  ['drift'],
  ['drift', '--accept', '--yes'],
  ['undo', '--yes'],
  ['history'],
  ['history', '--prune', '--older-than', '1d'],
  ['unlock', '--yes'],
  ['doctor'],
  ['destroy', '--yes'],
  ['show'],
  ['pull'],
  ['zones', 'migrate', '--from', 'pricing', '--to', 'checkout', '192.0.2.10', '--yes'],
];

async function outputsOf({ webdataWith }: Harness, env: Record<string, string> = {}): Promise<string[]> {
  const outputs: string[] = [];
  for (const args of commands) {
    const { code, stdout, stderr } = await webdataWith({ env }, ...args);
    expect(stdout + stderr, args.join(' ')).not.toMatch(raw);
    if (code === 1) outputs.push(stderr || stdout);
  }
  return outputs;
}

describe('.webdata', () => {
  it.each([
    ['a file', (folder: string) => writeFile(join(folder, '.webdata'), 'x')],
    [
      'a folder with a folder as journal',
      (folder: string) => mkdir(join(folder, '.webdata/journal.jsonl'), { recursive: true }),
    ],
  ])('that is %s is named before the first call', async (_, make) => {
    await using harness = await openDeclared('plain', declaration);
    await make(harness.folder);
    const outputs = await outputsOf(harness);
    expect(outputs.join('\n')).toContain('.webdata');
    expect(migrationsOf(harness.emulator.requests())).toEqual([]);
  });
});

describe('the state folder', () => {
  it.each([
    ['relative', () => 'state'],
    ['a file', (folder: string) => join(folder, 'webdata.yaml')],
    ['below a file', (folder: string) => join(folder, 'webdata.yaml/state')],
    ['below a folder that does not exist', (folder: string) => join(folder, 'nowhere/state')],
  ])('that is %s is refused before the first call', async (_, folderOf) => {
    await using harness = await openDeclared('plain', declaration);
    const outputs = await outputsOf(harness, { WEBDATA_STATE_FOLDER: folderOf(harness.folder) });
    expect(outputs.join('\n')).toMatch(/WEBDATA_STATE_FOLDER|is not a folder|no folder for the lock/);
    expect(migrationsOf(harness.emulator.requests())).toEqual([]);
  });

  it('keeps the paid calls, which another folder then knows', async () => {
    await using harness = await openDeclared('plain', declaration);
    const state = join(harness.folder, 'state');
    const env = { WEBDATA_STATE_FOLDER: state };
    expect(await harness.webdataWith({ env }, 'apply', '--yes')).toMatchObject({ code: 0 });
    expect(await harness.read('state/paid-calls.jsonl')).toContain('192.0.2.10');
  });
});

it.each([
  ['a current folder that was deleted', true],
  ['a current folder that is empty', false],
])('%s costs no command its words', async (_, isDeleted) => {
  await using harness = await openHarness('plain');
  const gone = join(harness.folder, 'gone');
  await mkdir(gone);
  if (isDeleted) await rm(gone, { recursive: true });
  for (const args of [...commands, ['init'], ['fmt'], ['validate'], ['plan', '-f', '../webdata.yaml']]) {
    const [stdout, stderr] = [[] as string[], [] as string[]];
    const { run } = await import('../../../src/cli/main.ts');
    await run(args, {
      stdout: { write: (text) => stdout.push(String(text)) },
      stderr: { write: (text) => stderr.push(String(text)) },
      env: {
        WEBDATA_API_URL: harness.emulator.apiUrl,
        WEBDATA_API_KEY: harness.emulator.keys.ops,
        WEBDATA_STATE_FOLDER: join(harness.folder, 'state'),
      },
      cwd: gone,
      signal: new AbortController().signal,
    });
    expect([...stdout, ...stderr].join(''), args.join(' ')).not.toMatch(raw);
  }
});
