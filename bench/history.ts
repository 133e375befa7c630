/** The cost of a long history for a plan, and for a page of it. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
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
const manyRuns = 1_000_000;
const page = 20;
const limit = atMost(1.1);
const pageLimit = atMost(1.2);

export const benchmark: Benchmark = {
  name: 'history',
  about:
    '**history**: `webdata plan` of 1,000 declared IPs with a journal of 50,000 past runs, and of 1,000,000, against the same plan without a journal. The first plan after the runs, which writes the index, does not count. A page is `webdata history --limit 20` after 1,000,000 runs, against the same after 20.',
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
    const rows = [row(runs, 'time', time, inTime), row(runs, 'peak memory', memory, inMegabytes)];
    const longest = folderWith(stage, 'longest', manyRuns, emulator);
    const longestTime = await pairs(
      async () => (await runProcess(stage, plan, { cwd: longest, env })).ms,
      async () => (await runProcess(stage, plan, { cwd: empty, env })).ms,
    );
    const short = folderWith(stage, 'short', page, emulator);
    return [...rows, row(manyRuns, 'time', longestTime, inTime), await pageRow(stage, longest, short)];
  },
};

function row(count: number, what: string, measured: Pairs, show: (figure: number) => string): Row {
  return compared(
    `plan after ${count.toLocaleString('en')} runs, to a plan after none: ${what}`,
    measured,
    limit,
    show,
  );
}

async function pageRow(stage: Stage, long: string, short: string): Promise<Row> {
  const timeIn = async (cwd: string) =>
    (await runProcess(stage, [...webdata, 'history', '--limit', `${page}`], { cwd })).ms;
  const time = await pairs(
    () => timeIn(long),
    () => timeIn(short),
    { count: 10 },
  );
  return compared(
    `history, a page of ${page} after ${manyRuns.toLocaleString('en')} runs, to one after ${page}`,
    time,
    pageLimit,
    inTime,
  );
}

function folderWith(stage: Stage, name: string, count: number, { env }: RunningEmulator): string {
  const folder = join(stage.folder, name);
  mkdirSync(join(folder, '.webdata'), { recursive: true });
  writeFileSync(join(folder, 'webdata.yaml'), declarationFor(size));
  const origin = new URL(env.WEBDATA_API_URL ?? '').origin;
  // A million runs do not fit into one text.
  const part = 50_000;
  for (let first = 0; first < count; first += part) {
    appendFileSync(join(folder, '.webdata/journal.jsonl'), pastRuns(Math.min(part, count - first), origin, first));
  }
  return folder;
}
