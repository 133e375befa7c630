/** `webdata plan` of a large account, against fetching and parsing the same data. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountFor, declarationFor } from './frame/accounts.ts';
import type { Benchmark, Stage } from './frame/benchmark.ts';
import { startEmulator } from './frame/emulator.ts';
import { atMost, compared, pairs } from './frame/pairs.ts';
import { planFloor, runProcess, webdata } from './frame/process.ts';
import { inTime } from './frame/units.ts';

const size = { ips: 100_000, zones: 1000, moves: 1000 };

export const benchmark: Benchmark = {
  name: 'plan',
  about:
    '**plan**: `webdata plan` of 100,000 declared IPs in 1,000 zones, against a Node script that fetches the same listings with undici at the same concurrency and parses them and the declaration.',
  async run(stage) {
    const { env } = await startEmulator(stage, accountFor(size));
    writeFileSync(join(stage.folder, 'webdata.yaml'), declarationFor(size));
    const measured = await pairs(
      () => planned(stage, env),
      async () => (await runProcess(stage, planFloor, { env })).ms,
    );
    return [compared('plan, 100,000 IPs in 1,000 zones, 1,000 moves', measured, atMost(0.9), inTime)];
  },
};

/** Returns the time of a plan. @throws Error unless the plan has the declared moves, because the time of a wrong plan is meaningless */
async function planned(stage: Stage, env: Readonly<Record<string, string>>): Promise<number> {
  const { ms, stdout } = await runProcess(stage, [...webdata, 'plan'], { env });
  if (!stdout.includes('1,000 IPs move') && !stdout.includes('1000 IPs move'))
    throw new Error(`not the plan:\n${stdout.slice(-500)}`);
  return ms;
}
