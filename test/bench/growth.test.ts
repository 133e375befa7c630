/** The countable part of the benchmarks, which does not depend on the speed of the machine. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { benchmark as calls } from '../../bench/calls.ts';
import { accountFor, declarationFor } from '../../bench/frame/accounts.ts';
import type { Stage } from '../../bench/frame/benchmark.ts';
import { startEmulator } from '../../bench/frame/emulator.ts';
import { peakMemory, runProcess, webdata } from '../../bench/frame/process.ts';
import { foldAddresses } from '../../src/base/yaml/folds.ts';

const children: ChildProcess[] = [];
const stage: Stage = {
  folder: mkdtempSync(join(tmpdir(), 'webdata-bench-test-')),
  log: () => undefined,
  keep: (child) => void children.push(child),
};

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(stage.folder, { recursive: true, force: true });
});

describe('a plan of 20,000 IPs in 100 zones, 100 of which move', () => {
  const size = { ips: 20_000, zones: 100, moves: 100 };

  it('lists each zone once and sends no other request, in bounded memory', async () => {
    const { env, admin } = await startEmulator(stage, accountFor(size));
    writeFileSync(join(stage.folder, 'webdata.yaml'), declarationFor(size));
    const { stdout } = await runProcess(stage, [...webdata, 'plan'], { env });
    expect(stdout).toContain('Plan: 100 IPs move in 100 calls');
    const requests = (await admin('GET', 'requests')) as { route: string }[];
    expect(requests.map(({ route }) => route)).toEqual(Array.from({ length: size.zones }, () => 'zone/ips'));
    const bytes = await peakMemory(stage, [...webdata, 'plan'], { env });
    expect(bytes).toBeLessThan(size.ips * 480 + 140e6);
  });
});

describe('the part of a declaration that the YAML parser reads', () => {
  it('grows with its zones, not with its addresses', () => {
    const shown = [20, 2000].map(
      (each) => foldAddresses(declarationFor({ ips: 10 * each, zones: 10, moves: 0 })).text.length,
    );
    expect((shown[1] ?? 0) / (shown[0] ?? 1)).toBeLessThan(1.1);
  });
});

describe('the calls of 50 random accounts', () => {
  it('are the minimum in each of them', async () => {
    for (const row of await calls.run(stage)) expect(row).toMatchObject({ reached: true });
  });
});
