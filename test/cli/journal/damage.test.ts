/** Journals with damaged lines, and things in the place of a journal. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { pastRuns } from '../../../bench/frame/pastRuns.ts';
import { type Harness, openDeclared, openHarness, writesOf } from '../harness.ts';

const declaration =
  'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] } }\n';
const journal = '.webdata/journal.jsonl';

/** After an apply that moved one IP, with each line of its journal replaced. */
async function openEdited(edit: (line: string, index: number) => string): Promise<Harness> {
  const harness = await openDeclared('plain', declaration);
  expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0, stderr: '' });
  harness.emulator.clearRequests();
  const lines = (await harness.read(journal)).split('\n');
  await harness.write(journal, lines.map(edit).join('\n'));
  return harness;
}

const newer = (line: string) => line.replace('"type":"migrate"', '"type":"moveGroup"');
const garbage = (line: string) => `${line.slice(0, 60)}###${line.slice(70)}`;
const isType = (type: string) => (line: string) => line.includes(`"type":"${type}"`);

describe('a damaged line of the journal', () => {
  it.each([
    ['that a newer version wrote', 'sending', newer],
    ['that is not JSON', 'sending', garbage],
    ['that is not JSON and names no run', 'sending', () => 'oops'],
    ['that is gone', 'sending', () => ''],
    ['that began the run', 'run', garbage],
    ['that began the run and names no run', 'run', () => '\u0000\u0001 oops'],
    ['that told the end', 'end', garbage],
  ])('%s is reported by history, and undo refuses its run', async (_what, type, edit) => {
    await using harness = await openEdited((line) => (isType(type)(line) ? edit(line) : line));
    const history = await harness.webdata('history');
    expect(history.code).toBe(0);
    expect(history.stdout).toContain('damaged: calls of this run may be missing\n    line ');
    expect(history.stdout).not.toContain('no calls');
    expect(history.stderr).toMatch(/^Warning: journal\.jsonl is damaged: run [\da-f]{8} \(lines? \d/);
    const [run] = JSON.parse((await harness.webdata('history', '--format', 'json')).stdout).runs;
    expect(run.damage[0]).toEqual({ line: expect.any(Number), found: expect.any(String) });

    const undo = await harness.webdata('undo', '--yes');
    expect(undo.code).toBe(1);
    expect(undo.stderr).toMatch(/run [\da-f]{8} is damaged in the journal, so its calls are not fully known: line \d/);
    expect(undo.stderr).toContain('fix: restore the lines, or declare the wanted state and apply');
    expect(undo.stderr).not.toContain('the run before it');
    expect(writesOf(harness.emulator.requests())).toEqual([]);
  });

  it('does not stop commands that need no journal, nor a plan', async () => {
    await using harness = await openEdited((line) => (isType('sending')(line) ? newer(line) : line));
    expect(await harness.webdata('asns', 'checkout')).toMatchObject({ code: 0, stderr: '' });
    expect(await harness.webdata('zones', 'ips', 'checkout')).toMatchObject({ code: 0, stderr: '' });
    expect(await harness.webdata('plan', '--detailed-exitcode')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Warning: journal.jsonl is damaged: run '),
    });
  });

  it('leaves other runs to be undone by name, but is not passed over', async () => {
    await using harness = await openDeclared('plain', declaration);
    const { webdata, read, write, emulator } = harness;
    await webdata('apply', '--yes');
    const first = await read(journal);
    await write('webdata.yaml', `${await read('webdata.yaml')}managerSettings: { local: { logs: 500 } }\n`);
    await webdata('apply', '--yes');
    const second = (await read(journal)).slice(first.length);
    await write(
      journal,
      first +
        second
          .split('\n')
          .map((line) => (isType('sending')(line) ? 'oops' : line))
          .join('\n'),
    );

    const refused = await webdata('undo', '--yes');
    expect(refused.code).toBe(1);
    const [, named = ''] = /`webdata undo ([\da-f]{8})` undoes the run before it/.exec(refused.stderr) ?? [];
    expect(await webdata('undo', named, '--yes')).toMatchObject({ code: 0 });
    expect(emulator.ips('pricing')).toContain('192.0.2.10');
  });

  it('is no more than a warning for a run that is complete without it', async () => {
    await using harness = await openEdited((line) => (isType('end')(line) ? line.slice(0, 40) : line));
    expect(await harness.webdata('history')).toMatchObject({ code: 0, stderr: '' });
    expect(await harness.webdata('undo', '--yes')).toMatchObject({ code: 0 });
  });
});

describe('in the place of the journal', () => {
  const commands = [['plan'], ['apply', '--yes'], ['history'], ['undo', '--yes']];

  it.each(commands)('a named pipe is refused and not waited for: %s', async (...args) => {
    await using harness = await openDeclared('plain', declaration);
    await mkdir(join(harness.folder, '.webdata'));
    await promisify(execFile)('mkfifo', [join(harness.folder, journal)]);
    const { code, stderr } = await harness.webdata(...args);
    expect([code, stderr]).toEqual([1, expect.stringContaining('journal.jsonl is not a regular file')]);
    expect(writesOf(harness.emulator.requests())).toEqual([]);
  });

  it.each(commands)('a symbolic link is refused, and its target stays as it was: %s', async (...args) => {
    await using harness = await openDeclared('plain', declaration);
    await mkdir(join(harness.folder, '.webdata'));
    await harness.write('target', '');
    await symlink('../target', join(harness.folder, journal));
    const { code, stderr } = await harness.webdata(...args);
    expect([code, stderr]).toEqual([1, expect.stringContaining('journal.jsonl is a symbolic link')]);
    expect(await harness.read('target')).toBe('');
    expect(writesOf(harness.emulator.requests())).toEqual([]);
  });

  it('a file that anybody may read becomes its owner’s only', async () => {
    await using harness = await openEdited((line) => line);
    for (const args of [['history'], ['plan'], ['apply', '--yes']]) {
      await chmod(join(harness.folder, journal), 0o666);
      expect(await harness.webdata(...args)).toMatchObject({ code: 0 });
      expect((await stat(join(harness.folder, journal))).mode & 0o777).toBe(0o600);
    }
  });

  it('a link in the place of the index is replaced, and its target stays as it was', async () => {
    await using harness = await openHarness('plain');
    await harness.write('webdata.yaml', declaration);
    await mkdir(join(harness.folder, '.webdata'));
    await harness.write('target', 'precious');
    await harness.write(journal, pastRuns(1000));
    await symlink('../target', join(harness.folder, `${journal}.index`));
    expect(await harness.webdata('plan')).toMatchObject({ code: 0 });
    expect(await harness.read('target')).toBe('precious');
  });
});
