import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatNames } from '../../../src/report/formats.ts';
import { openDeclared, writesOf } from '../harness.ts';

const declaration = `zoneIpAllocations:
  static:
    zones: { checkout: { ips: [192.0.2.10] } }
    sources: [pricing]
`;
const all = formatNames.flatMap((format) => ['--report', `${format}=reports/${format}`]);

describe('--report', () => {
  it('writes every format for plan, apply and drift, and leaves stdout as it is', async () => {
    await using harness = await openDeclared('plain', declaration);
    const { webdata, read } = harness;
    const runs = [
      { args: ['plan'], code: 0, says: '1 IP moves in 1 call' },
      { args: ['drift'], code: 2, says: '1 IP is not where it is declared' },
      { args: ['apply', '--yes'], code: 0, says: '1 IP moved in 1 call' },
      { args: ['apply', '--yes'], code: 0, says: 'No changes' },
      { args: ['drift'], code: 0, says: 'No drift' },
    ];
    for (const { args, code, says } of runs) {
      const result = await webdata(...args, ...all);
      expect(result).toMatchObject({ code, stderr: '', stdout: expect.stringContaining(says) });
      const reports = await Promise.all(formatNames.map((format) => read(`reports/${format}`)));
      expect(reports.filter((report) => report.length < 50)).toEqual([]);
      for (const name of ['text', 'html', 'github']) expect(await read(`reports/${name}`)).toContain(says);
      expect(await read('reports/markdown')).toContain(args[0] === 'plan' ? '1 move · 1 call' : says);
    }
  });

  it('is complete when the command ends with 2', async () => {
    await using harness = await openDeclared('plain', declaration);
    const { code, stdout } = await harness.webdata('drift', '--format', 'json', '--report', 'json=drift.json');
    expect(code).toBe(2);
    const { createdAt, ...kept } = JSON.parse(await harness.read('drift.json'));
    expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(kept).toEqual(JSON.parse(stdout));
    expect(JSON.parse(stdout)).toMatchObject({
      summary: { ips: 1 },
      resources: [{ place: { file: 'webdata.yaml', line: 5, column: 3 } }],
    });
  });

  it('tells what is wrong with the file, where there is no plan', async () => {
    await using harness = await openDeclared('plain', 'zoneIpAllocation: {}\n');
    const { code, stderr, stdout } = await harness.webdata('plan', '--format', 'json', ...all);
    expect(code).toBe(1);
    expect(stderr).toContain('did you mean `zoneIpAllocations`?');
    expect(JSON.parse(stdout)).toMatchObject({
      summary: { problems: 1 },
      problems: [{ code: 'unknown-key', place: { file: 'webdata.yaml', line: 4, column: 1 } }],
    });
    for (const format of formatNames) expect(await harness.read(`reports/${format}`)).toContain('zoneIpAllocation');
  });

  it('tells what stopped a run, and what was not done', async () => {
    await using harness = await openDeclared('plain', declaration);
    const { emulator, webdataWith, read } = harness;
    const env = { WEBDATA_API_KEY: emulator.keys.finance };
    const { code } = await webdataWith({ env }, 'apply', '--yes', '--report', 'markdown=apply.md');
    expect(code).toBe(1);
    expect(await read('apply.md')).toMatch(/refused|problem/);
    expect(writesOf(emulator.requests()).filter(({ status }) => status === 200)).toEqual([]);
  });

  it.each([
    ['webdata.yaml', 'the file is the declaration'],
    ['./webdata.yaml', 'the file is the declaration'],
  ])('does not write over the declaration: %s', async (file, says) => {
    await using harness = await openDeclared('plain', declaration);
    const { code, stderr } = await harness.webdata('plan', '--report', `markdown=${file}`);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(says) });
    expect(await harness.read('webdata.yaml')).toContain('static');
  });

  it('refuses two reports in one file, and a format that there is not, before anything is asked', async () => {
    await using harness = await openDeclared('plain', declaration);
    const { webdata, emulator, folder } = harness;
    const twice = await webdata('plan', '--report', 'html=x', '--report', 'json=x');
    expect(twice).toMatchObject({ code: 1, stderr: expect.stringContaining('Another --report writes to this file') });
    const unknown = await webdata('plan', '--report', 'pdf=x');
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('one of the formats text, json') });
    expect(emulator.requests()).toEqual([]);
    expect(await readdir(folder)).toEqual(['webdata.yaml']);
  });

  it('does not keep a run from being told, nor other reports from being written, where one can not be', async () => {
    await using harness = await openDeclared('plain', declaration);
    const { webdata, folder, read, emulator } = harness;
    await mkdir(join(folder, 'taken'));
    const reports = ['--report', 'json=taken', '--report', 'markdown=apply.md'];
    const { code, stdout, stderr } = await webdata('apply', '--yes', ...reports);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: '--report json=taken: the file cannot be written: it is a folder\n  fix: name another file\n',
    });
    expect(stdout).toContain('Apply: 1 IP moved in 1 call.');
    expect(await read('apply.md')).toContain('1 IP moved in 1 call');
    expect(emulator.ips('checkout')).toContain('192.0.2.10');
  });

  it('tells of the mistake in the declaration also where a report can not be written', async () => {
    await using harness = await openDeclared('plain', 'zoneIpAllocation: {}\n');
    await mkdir(join(harness.folder, 'taken'));
    const { code, stderr } = await harness.webdata('plan', '--report', 'json=taken');
    expect(code).toBe(1);
    expect(stderr).toMatch(/unknown key `zoneIpAllocation`[\s\S]*json=taken: the file cannot be written/);
  });

  it.each([
    ['the journal', ['plan', '--report', 'json=.webdata/journal.jsonl']],
    ['the journal', ['plan', '--journal', 'j', '--report', 'json=./j']],
    ['the plan file of --output', ['plan', '--output', 'kept', '--report', 'json=./kept']],
    ['the declaration', ['plan', '--output', 'link.yaml']],
    ['the declaration', ['drift', '--report', 'json=link.yaml']],
    ['also the file of --report html=x', ['drift', '--report', 'html=x', '--report', 'json=./x']],
    ['the plan that is applied', ['apply', 'plan.json', '--report', 'json=plan.json']],
  ])('is not written over a file that matters, by any name: %s', async (what, args) => {
    await using harness = await openDeclared('plain', declaration);
    await symlink('webdata.yaml', join(harness.folder, 'link.yaml'));
    const { code, stderr } = await harness.webdata(...args);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`the file is ${what}, and would be`) });
    expect(harness.emulator.requests()).toEqual([]);
    expect(await readdir(harness.folder)).toEqual(['link.yaml', 'webdata.yaml']);
  });
});

describe('on GitHub Actions', () => {
  it('annotates and adds to the step summary', async () => {
    await using harness = await openDeclared('plain', declaration);
    const summary = join(harness.folder, 'summary.md');
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
    const { stdout, stderr } = await harness.webdataWith({ env }, 'plan', '--format', 'json');
    expect(() => JSON.parse(stdout)).not.toThrow();
    expect(stderr).toMatch(/^::notice [^\n]*1 IP moves in 1 call/m);
    expect(await readFile(summary, 'utf8')).toContain('webdata plan: 1 move · 1 call');
    await harness.webdataWith({ env }, 'drift');
    expect(await readFile(summary, 'utf8')).toMatch(/1 move · 1 call[\s\S]*1 IP is not where it is declared/);
  });

  it('points at the place of a mistake', async () => {
    await using harness = await openDeclared('plain', 'zoneIpAllocation: {}\n');
    const { stderr } = await harness.webdataWith({ env: { GITHUB_ACTIONS: 'true' } }, 'plan');
    expect(stderr).toMatch(/^::error [^\n]*file=webdata\.yaml,line=4,col=1/m);
  });

  it('names files from the top of the checkout', async () => {
    await using harness = await openDeclared('plain', 'zoneIpAllocation: {}\n');
    const GITHUB_WORKSPACE = dirname(harness.folder);
    const file = `${basename(harness.folder)}/webdata.yaml`;
    const env = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE };
    const { stderr } = await harness.webdataWith({ env }, 'plan', '--report', 'github=plan.txt');
    expect(stderr).toContain(`file=${file},line=4`);
    expect(await harness.read('plan.txt')).toContain(`file=${file},line=4`);
  });
});
