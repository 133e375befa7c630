/** The cost of a long history for a plan. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountFor, declarationFor } from './frame/accounts.ts';
import type { Benchmark, Row, Stage } from './frame/benchmark.ts';
import { type RunningEmulator, startEmulator } from './frame/emulator.ts';
import { atMost, compared, type Pairs, pairs } from './frame/pairs.ts';
import { pastRuns } from './frame/pastRuns.ts';
import { peakMemory, runProcess, webdata } from './frame/process.ts';
import { inMegabytes, inTime } from './frame/units.ts';

const size = { ips: 1000, zones: 10, moves: 10 };
const runs = 50_000;
const limit = atMost(1.1);

export const benchmark: Benchmark = {
  name: 'history',
  about:
    '**history**: `webdata plan` of 1,000 declared IPs with a journal of 50,000 past runs, against the same plan without a journal. The first plan after the runs, which writes the index, does not count.',
  async run(stage) {
    const emulator = await startEmulator(stage, accountFor(size));
    const [long, empty] = [folderWith(stage, 'long', runs, emulator), folderWith(stage, 'empty', 0, emulator)];
    const plan = [...webdata, 'plan'];
    const { env } = emulator;
    const time = await pairs(
      async () => (await runProcess(stage, plan, { cwd: long, env })).ms,
      async () => (await runProcess(stage, plan, { cwd: empty, env })).ms,
      { count: 10 },
    );
    const memory = await pairs(
      () => peakMemory(stage, plan, { cwd: long, env }),
      () => peakMemory(stage, plan, { cwd: empty, env }),
    );
    return [row('time', time, inTime), row('peak memory', memory, inMegabytes)];
  },
};

function row(what: string, measured: Pairs, show: (figure: number) => string): Row {
  return compared(`plan after 50,000 runs, to a plan after none: ${what}`, measured, limit, show);
}

function folderWith(stage: Stage, name: string, count: number, { env }: RunningEmulator): string {
  const folder = join(stage.folder, name);
  mkdirSync(join(folder, '.webdata'), { recursive: true });
  writeFileSync(join(folder, 'webdata.yaml'), declarationFor(size));
  const origin = new URL(env.WEBDATA_API_URL ?? '').origin;
  if (count > 0) writeFileSync(join(folder, '.webdata/journal.jsonl'), pastRuns(count, origin));
  return folder;
}
