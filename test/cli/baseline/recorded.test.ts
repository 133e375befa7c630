/** What apply, destroy and undo record as the baseline. */
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Baseline, DeclarationBaseline } from '../../../src/engine/baseline/baseline.ts';
import { hasSmallDisks, smallDisk } from '../../base/files/smallDisk.ts';
import { type AccountName, type Harness, openDeclared } from '../harness.ts';

const file = '.webdata/baseline.json';

const allocation = (ips: readonly string[]) => `
zoneIpAllocations:
  static:
    zones: { checkout: { ips: [${ips.join(', ')}] } }
    sources: [pricing, parked]
`;
const settings = (logs: number) => `
managerSettings:
  local: { logs: ${logs} }
`;

/** Returns the only account with its only declaration. */
async function recorded(harness: Harness): Promise<DeclarationBaseline & { account: string }> {
  const { accounts } = JSON.parse(await harness.read(file)) as Baseline;
  const [only, ...others] = accounts.flatMap(({ account, declarations }) =>
    declarations.map((declaration) => ({ account, ...declaration })),
  );
  if (only === undefined || others.length > 0) throw new Error('not one declaration');
  return only;
}

async function runIds(harness: Harness): Promise<string[]> {
  const { runs } = JSON.parse((await harness.webdata('history', '--format', 'json')).stdout);
  return runs.map(({ id }: { id: string }) => id);
}

describe.each(['plain', 'odd', 'stranger', 'open'] satisfies AccountName[])('on the %s account', (dialect) => {
  it('records each applied resource with its spec, its run and the account', async () => {
    await using harness = await openDeclared(dialect, settings(500));
    expect(await harness.webdata('plan')).toMatchObject({ code: 0 });
    await expect(harness.read(file)).rejects.toThrow('ENOENT');
    expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
    const { account: name, complete, places, resources } = await recorded(harness);
    const [run] = await runIds(harness);
    const account = `loopback:${new URL(harness.emulator.apiUrl).port}`;
    expect({ name, complete, places }).toEqual({ name: account, complete: true, places: ['../webdata.yaml'] });
    expect(resources).toEqual([
      {
        kind: 'ManagerSettings',
        collection: 'managerSettings',
        name: 'local',
        spec: { logs: 500, ignoreChanges: [] },
        at: expect.stringMatching(/Z$/),
        run,
      },
    ]);
  });
});

describe('the baseline', () => {
  it.skipIf(!hasSmallDisks)('is not written to a full disk, and the error says what to free', async () => {
    await using harness = await openDeclared('plain', settings(500));
    using disk = smallDisk(1024);
    if (disk === undefined) throw new Error('no small disk could be mounted');
    await symlink(disk.folder, join(harness.folder, '.webdata'));
    // The journal has room in its last block, and no other file has any.
    await harness.write('.webdata/journal.jsonl', '');
    expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
    await harness.write('webdata.yaml', (await harness.read('webdata.yaml')).replace('logs: 500', 'logs: 600'));
    disk.fill();
    const { code, stderr } = await harness.webdata('apply', '--yes');
    expect(stderr).toContain('the baseline was not written: ENOSPC: no space left on device');
    expect(stderr).toContain(
      'fix: free disk space and run the command again; until then, `webdata drift` compares with the baseline before this run',
    );
    expect(code).toBe(1);
    disk.empty();
    expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
    expect((await recorded(harness)).resources).toMatchObject([{ name: 'local', spec: { logs: 600 } }]);
  });

  it('is recorded by an apply that has nothing to do, too', async () => {
    await using harness = await openDeclared('plain', settings(500));
    await harness.emulator.setSettings({ logs: 500 });
    expect(await harness.webdata('apply')).toMatchObject({ code: 0 });
    expect((await recorded(harness)).resources).toMatchObject([{ name: 'local', spec: { logs: 500 } }]);
    expect(await runIds(harness)).toEqual([]);
    const before = await harness.read(file);
    expect(await harness.webdata('apply')).toMatchObject({ code: 0 });
    expect(await harness.read(file)).toBe(before);
  });

  it('is complete only after every resource was applied', async () => {
    await using harness = await openDeclared('plain', settings(500) + allocation(['192.0.2.10']));
    await harness.webdata('apply', '--yes', '--select', 'ManagerSettings/local');
    expect(await recorded(harness)).toMatchObject({ complete: false, resources: [{ name: 'local' }] });
    await harness.webdata('apply', '--yes');
    expect(await recorded(harness)).toMatchObject({
      complete: true,
      resources: [{ name: 'local' }, { name: 'static' }],
    });
  });

  it('keeps the entry of a resource that failed, and records the others', async () => {
    await using harness = await openDeclared('plain', settings(500) + allocation(['192.0.2.10']));
    await harness.webdata('apply', '--yes');
    await harness.write('webdata.yaml', settings(600) + allocation(['192.0.2.10', '192.0.2.11']));
    harness.emulator.addFault({ route: 'zone/ips/migrate', occurrence: 1, fault: { kind: 'status', status: 422 } });
    const before = await recorded(harness);
    expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 1 });
    const after = await recorded(harness);
    expect(after.resources).toMatchObject([{ spec: { logs: 600 } }, before.resources[1] ?? {}]);
  });

  it('loses the entry of a destroyed resource', async () => {
    await using harness = await openDeclared('plain', settings(500) + allocation(['192.0.2.10']));
    await harness.webdata('apply', '--yes');
    expect(await harness.webdata('destroy', '--yes', '--select', 'ManagerSettings/local')).toMatchObject({ code: 0 });
    expect((await recorded(harness)).resources.map(({ name }) => name)).toEqual(['static']);
  });

  it('is as before the run after an undo', async () => {
    await using harness = await openDeclared('plain', settings(500));
    await harness.webdata('apply', '--yes');
    const [first] = (await recorded(harness)).resources;
    await harness.write('webdata.yaml', settings(600));
    await harness.webdata('apply', '--yes');
    expect((await recorded(harness)).resources).toMatchObject([
      { spec: { logs: 600 }, previous: { spec: { logs: 500 } } },
    ]);
    expect(await harness.webdata('undo', '--yes')).toMatchObject({ code: 0 });
    expect((await recorded(harness)).resources).toEqual([first]);
  });
});
