/** Which declaration a resource belongs to: several declarations of one account, and one declaration that is named in several ways. */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { openHarness, serviceYaml } from '../harness.ts';
import { manager, openTwo, testTwoDeclarations, ways, zones } from './twoDeclarations.ts';

describe.each(ways)('two declarations in one folder of runs, named by %s', (way) => {
  testTwoDeclarations(way, async () => undefined);
});

it('is the same declaration from another folder, and in a checkout that was moved', async () => {
  await using harness = await openHarness('plain');
  const at =
    (folder: string) =>
    (...args: string[]) =>
      harness.webdataWith({ cwd: join(harness.folder, folder) }, ...args);
  await mkdir(join(harness.folder, 'infra'));
  await harness.write('infra/prod.yaml', serviceYaml('plain') + zones + manager);
  expect(await at('.')('apply', '--yes', '-f', 'infra/prod.yaml')).toMatchObject({ code: 0 });
  await harness.write('infra/prod.yaml', serviceYaml('plain') + manager);
  const loud = { code: 1, stdout: expect.stringContaining('ZoneIpAllocation/static') };
  expect(await at('infra')('drift', '-f', 'prod.yaml')).toMatchObject(loud);
  expect(await at('infra')('drift', '-f', join(harness.folder, 'infra', 'prod.yaml'))).toMatchObject(loud);
  await rename(join(harness.folder, 'infra'), join(harness.folder, 'moved'));
  expect(await at('moved')('drift', '-f', 'prod.yaml')).toMatchObject(loud);
});

it('is the same declaration in every checkout of a repository, and another one in another repository', async () => {
  await using harness = await openHarness('plain');
  const address = join(harness.folder, 'state');
  async function checkout(folder: string, remote: string) {
    const its = join(harness.folder, folder);
    await mkdir(join(its, '.git'), { recursive: true });
    await writeFile(join(its, '.git', 'config'), `[core]\n[remote "origin"]\n\turl = ${remote}\n`);
    const write = (yaml: string) => writeFile(join(its, 'webdata.yaml'), serviceYaml('plain') + yaml);
    return {
      write,
      webdata: (...args: string[]) => harness.webdataWith({ cwd: its }, ...args, '--backend', address),
    };
  }
  const laptop = await checkout('laptop', 'git@example.com:acme/infra.git');
  const job = await checkout('job', 'https://token@Example.com/acme/infra');
  const other = await checkout('other', 'https://example.com/acme/other');
  await laptop.write(zones + manager);
  expect(await laptop.webdata('apply', '--yes')).toMatchObject({ code: 0 });
  await job.write(manager);
  expect(await job.webdata('drift')).toMatchObject({ code: 1, stdout: expect.stringContaining('ZoneIpAllocation') });
  await other.write('zoneIpAllocations: { other: { zones: { archive: { keepAtLeast: 0 } } } }\n');
  expect(await other.webdata('apply', '--yes')).toMatchObject({ code: 0 });
  const { code, stdout } = await other.webdata('drift');
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('2 resources declared by example.com/acme/infra//webdata.yaml'),
  });
});

it('a pipe without a name may be any declaration, so it forgets nothing unasked', async () => {
  await using harness = await openHarness('plain');
  const webdata = (yaml: string, ...args: string[]) =>
    harness.webdataWith({ stdin: Readable.from([serviceYaml('plain') + yaml]) }, ...args, '-f', '-');
  expect(await webdata(zones, 'apply', '--yes')).toMatchObject({ code: 0 });
  for (const args of [['apply', '--yes'], ['drift'], ['plan']]) {
    const { code, stdout } = await webdata(manager, ...args);
    expect({ args, code }).toEqual({ args, code: 1 });
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('give each a `name`');
  }
  expect(await webdata(`name: other\n${manager}`, 'apply', '--yes')).toMatchObject({ code: 0 });
  expect(await webdata(zones, 'drift')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('declared by standard input (other)'),
  });
  expect(await webdata(manager, 'apply', '--yes', '--allow-removed')).toMatchObject({ code: 0 });
});

it('an empty declaration without a baseline is compared with nothing, and says so', async () => {
  await using harness = await openHarness('plain');
  await harness.write('webdata.yaml', `backend: ${join(harness.folder, 'state')}\n${serviceYaml('plain')}${zones}`);
  expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
  await harness.write('webdata.yaml', '');
  expect(await harness.webdata('drift')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('nothing is declared'),
  });
  expect(await harness.webdata('drift', '--allow-removed')).toMatchObject({ code: 0 });
});

it('a declaration whose file is gone is named by the others, until its removal is agreed to', async () => {
  await using two = await openTwo('-f a/webdata.yaml');
  await two.write('a', zones);
  await two.write('b', manager);
  for (const each of [two.a, two.b]) await each('apply', '--yes');
  await rm(join(two.harness.folder, 'a', 'webdata.yaml'));
  const shown = (await two.b('drift')).stdout.replaceAll(/\s+/g, ' ');
  expect(shown).toContain(
    'a/webdata.yaml no longer exists, and 1 resource declared by it is not compared: ZoneIpAllocation/static',
  );
  expect(await two.b('apply', '--yes')).toMatchObject({ code: 0 });
  expect((await two.b('drift')).stdout).toContain('no longer exists');
  expect(await two.b('apply', '--yes', '--allow-removed')).toMatchObject({ code: 0 });
  expect((await two.b('drift')).stdout).not.toContain('declared by');
});
