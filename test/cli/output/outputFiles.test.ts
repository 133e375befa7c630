/** Files that commands write and read: regular files, links, pipes, devices, open descriptors and `-`. */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type Harness, openDeclared, serviceYaml, writesOf } from '../harness.ts';

const zones = `zoneIpAllocations:
  static:
    zones: { checkout: { ips: [192.0.2.10] } }
    sources: [pricing]
`;

/** Each command that writes a file, up to the name of the file. */
const writers: Readonly<Record<string, readonly string[]>> = {
  'a plan file': ['plan', '--output', ''],
  'a report': ['plan', '--report', 'json='],
  'a patch': ['drift', '--accept', '--patch', ''],
  'a pulled declaration': ['pull', '--zone', 'checkout', '--output', ''],
  'a schema': ['schema', '--output', ''],
  'data of the service': ['zones', 'ips', 'checkout', '--output', ''],
  'a first declaration': ['init', ''],
};

function writing(args: readonly string[], file: string): string[] {
  return [...args.slice(0, -1), `${args.at(-1)}${file}`];
}

async function openDrifted(): Promise<Harness> {
  const harness = await openDeclared('plain', zones);
  await harness.webdata('apply', '--yes');
  harness.emulator.move(['192.0.2.10'], 'pricing');
  return harness;
}

describe.each(Object.entries(writers))('%s', (_, args) => {
  it('goes through a pipe, which stays one', async () => {
    await using harness = await openDrifted();
    const pipe = join(harness.folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const received = readFile(pipe, 'utf8');
    const { stderr } = await harness.webdata(...writing(args, 'pipe'));
    expect(await received, stderr).not.toBe('');
    expect((await lstat(pipe)).isFIFO()).toBe(true);
  });

  it('goes to the target of a link, also if that is missing, and creates folders', async () => {
    await using harness = await openDrifted();
    await symlink('deep/target', join(harness.folder, 'link'));
    const { stderr } = await harness.webdata(...writing(args, 'link'));
    expect(await readlink(join(harness.folder, 'link')), stderr).toBe('deep/target');
    expect(await harness.read('deep/target')).not.toBe('');
    expect((await readdir(join(harness.folder, 'deep'))).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('goes to stdout for `-`, and what is printed besides goes to stderr', async () => {
    await using harness = await openDrifted();
    await harness.webdata(...writing(args, 'file'));
    const { stdout } = await harness.webdata(...writing(args, '-'));
    expect(withoutTimes(stdout)).toBe(
      withoutTimes(await harness.read('file')).replace(/^# yaml-language-server.*\n/, ''),
    );
    expect(await readdir(harness.folder)).not.toContain('-');
  });

  it('is added to a file that is open as a descriptor', async () => {
    await using harness = await openDrifted();
    await harness.write('job.log', 'before\n');
    const descriptor = openSync(join(harness.folder, 'job.log'), 'a');
    const { stderr } = await harness.webdata(...writing(args, `/dev/fd/${descriptor}`));
    closeSync(descriptor);
    expect(await harness.read('job.log'), stderr).toMatch(/^before\n./);
  });

  it('names the file, and no temporary one, if it cannot be written', async () => {
    await using harness = await openDrifted();
    await harness.write('file', '');
    const { code, stderr } = await harness.webdata(...writing(args, 'file/inside'));
    expect(code).toBe(1);
    expect(stderr).toContain('file/inside: the file cannot be written: a part of its path is not a folder');
    expect(stderr).not.toMatch(/\.writing|\.part|ENOTDIR|ENOENT/);
  });
});

function withoutTimes(text: string): string {
  return text.replaceAll(/"(id|createdAt)": ".*?"|^account: .*$/gm, '');
}

it('/dev/stdout and /dev/stderr keep their order with what the command prints', async () => {
  await using harness = await openDrifted();
  const { stdout } = await harness.webdata('plan', '--report', 'markdown=/dev/stdout');
  expect(stdout).toMatch(/^#[\s\S]*Plan: 1 IP moves/);
  expect((await harness.webdata('plan', '--report', 'json=/dev/stderr')).stderr).toContain('"webdata.plan/');
});

describe('`-` as a file that is read', () => {
  const stdin = (text: string) => ({ stdin: Readable.from([text]) });

  it('is a declaration, whose journal is in the current folder', async () => {
    await using harness = await openDeclared('plain', '');
    const yaml = serviceYaml('plain') + zones;
    const applied = await harness.webdataWith(stdin(yaml), 'apply', '-f', '-', '--yes');
    expect(applied).toMatchObject({ code: 0, stderr: '' });
    expect(await readdir(join(harness.folder, '.webdata'))).toContain('journal.jsonl');
    const wrong = await harness.webdataWith(stdin(yaml.replace('sources', 'source')), 'validate', '-f', '-');
    expect(wrong.stderr).toContain('stdin:7:5: ');
    expect(await harness.webdataWith(stdin(yaml), 'undo', '-f', '-', '--yes')).toMatchObject({ code: 0 });
    const accept = await harness.webdataWith(stdin(yaml), 'drift', '-f', '-', '--accept', '--yes');
    expect(accept).toMatchObject({ code: 1, stderr: expect.stringContaining('stdin, which cannot be changed') });
  });

  it('is a plan file', async () => {
    await using harness = await openDeclared('plain', zones);
    const { stdout } = await harness.webdata('plan', '--output', '-');
    expect(await harness.webdataWith(stdin(stdout), 'apply', '-', '--yes')).toMatchObject({ code: 0 });
    expect(harness.emulator.ips('checkout')).toContain('192.0.2.10');
  });
});

describe('a declaration in a pipe', () => {
  async function throughPipe(harness: Harness, ...args: string[]) {
    const pipe = join(harness.folder, 'conf', `pipe-${args.length}`);
    await mkdir(join(harness.folder, 'conf'), { recursive: true });
    execFileSync('mkfifo', [pipe]);
    const [result] = await Promise.all([
      harness.webdata(...args, '-f', pipe),
      harness.write(`conf/pipe-${args.length}`, serviceYaml('plain') + zones),
    ]);
    return result;
  }

  it('needs an address for the journal before anything is sent', async () => {
    await using harness = await openDeclared('plain', '');
    expect(await throughPipe(harness, 'plan')).toMatchObject({ code: 0 });
    const refused = await throughPipe(harness, 'apply', '--yes');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('fix: name the journal with --journal') });
    expect(writesOf(harness.emulator.requests())).toEqual([]);
    const applied = await throughPipe(harness, 'apply', '--yes', '--journal', 'runs.jsonl');
    expect(applied).toMatchObject({ code: 0, stderr: '' });
    expect(await readdir(harness.folder)).toContain('runs.jsonl');
  });
});
