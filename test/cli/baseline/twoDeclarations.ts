/** Two declarations of one account that share a backend: what must hold on every backend. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { type Harness, openHarness, type Result, serviceYaml } from '../harness.ts';

export const zones =
  'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] } }\n';
export const manager = 'managerSettings: { local: { logs: 500 } }\n';

type Webdata = (...args: string[]) => Promise<Result>;

export interface Two extends AsyncDisposable {
  harness: Harness;
  write(name: 'a' | 'b', yaml: string): Promise<void>;
  /** Runs a command on the declaration of a or b. */
  a: Webdata;
  b: Webdata;
}

/** How a command names the declaration: by `-f`, from its folder, or by a pipe. */
export const ways = ['-f a/webdata.yaml', 'the folder a', '-f -'] as const;
export type Way = (typeof ways)[number];

/** `backend` is an address, with the environment that it needs. */
export async function openTwo(way: Way, backend?: { address: string; env: Record<string, string> }): Promise<Two> {
  const harness = await openHarness('plain');
  for (const name of ['a', 'b', 'state']) await mkdir(join(harness.folder, name));
  const texts = { a: '', b: '' };
  const { address = join(harness.folder, 'state'), env = {} } = backend ?? {};
  const on =
    (name: 'a' | 'b'): Webdata =>
    (...args) => {
      const all = [...args, '--backend', address];
      if (way === 'the folder a') return harness.webdataWith({ env, cwd: join(harness.folder, name) }, ...all);
      if (way === '-f -') return harness.webdataWith({ env, stdin: Readable.from([texts[name]]) }, ...all, '-f', '-');
      return harness.webdataWith({ env }, ...all, '-f', `${name}/webdata.yaml`);
    };
  return {
    harness,
    async write(name, yaml) {
      // A pipe has no place: its name says which declaration it is.
      texts[name] = `${way === '-f -' ? `name: team-${name}\n` : ''}${serviceYaml('plain')}${yaml}`;
      await harness.write(`${name}/webdata.yaml`, texts[name]);
    },
    a: on('a'),
    b: on('b'),
    [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose](),
  };
}

/** Registers the tests. `open` opens a new backend. */
export function testTwoDeclarations(way: Way, open: () => Promise<Parameters<typeof openTwo>[1]>): void {
  it('do not forget each other', async () => {
    await using two = await openTwo(way, await open());
    await two.write('a', zones);
    await two.write('b', manager);
    expect(await two.a('apply', '--yes')).toMatchObject({ code: 0 });
    expect(await two.b('apply', '--yes')).toMatchObject({ code: 0 });
    for (const each of [two.a, two.b]) {
      expect(await each('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
      const { code, stdout } = await each('drift');
      expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/1 resource declared by \S/) });
      expect(stdout).toContain('No drift.');
    }
    two.harness.emulator.move(['192.0.2.10'], 'pricing');
    expect(await two.a('drift')).toMatchObject({ code: 2 });
    expect(await two.b('drift')).toMatchObject({ code: 0 });
  });

  it('use the same names for their resources', async () => {
    await using two = await openTwo(way, await open());
    await two.write('a', zones);
    await two.write('b', zones.replace('checkout: { ips: [192.0.2.10] }', 'archive: { ips: [192.0.2.11] }'));
    for (const each of [two.a, two.b]) expect(await each('apply', '--yes')).toMatchObject({ code: 0 });
    two.harness.emulator.move(['192.0.2.10'], 'pricing');
    expect(await two.a('drift')).toMatchObject({ code: 2, stdout: expect.not.stringContaining('pending') });
    expect(await two.b('drift')).toMatchObject({ code: 0 });
  });

  it('of which one is emptied is still loud, and only for itself', async () => {
    await using two = await openTwo(way, await open());
    await two.write('a', zones);
    await two.write('b', manager);
    for (const each of [two.a, two.b]) await each('apply', '--yes');
    await two.write('a', '');
    expect(await two.a('drift')).toMatchObject({ code: 1, stdout: expect.stringContaining('ZoneIpAllocation/static') });
    expect(await two.b('drift')).toMatchObject({ code: 0 });
    expect(await two.b('apply', '--yes')).toMatchObject({ code: 0 });
    expect(await two.a('drift')).toMatchObject({ code: 1 });
    expect(await two.a('apply', '--yes', '--allow-removed')).toMatchObject({ code: 0 });
    await two.write('a', zones);
    expect(await two.b('drift')).toMatchObject({ code: 0, stdout: expect.not.stringContaining('declared by') });
  });

  it('of which both declare one thing say so', async () => {
    await using two = await openTwo(way, await open());
    await two.write('a', zones + manager);
    await two.write('b', zones.replace('static', 'other') + manager.replace('local', 'mine'));
    expect(await two.a('apply', '--yes')).toMatchObject({ code: 0 });
    const { stdout } = await two.b('plan');
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /checkout is filled by two allocations, and the other one is declared by/,
    );
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/managerSettings\.mine.*declared by/);
  });
}
