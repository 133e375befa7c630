/** The growth of the time and the memory of a plan with the account. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountFor, declarationFor } from './frame/accounts.ts';
import { type Benchmark, type Row, type Stage, unlessReached } from './frame/benchmark.ts';
import { startEmulator } from './frame/emulator.ts';
import { median, ratioSpread } from './frame/pairs.ts';
import { peakMemory, planFloor, runProcess, webdata } from './frame/process.ts';
import { digits, inMegabytes, inTime } from './frame/units.ts';

/** The first size is the cost of a plan with almost nothing to do. */
const sizes = [10, 1000, 10_000, 100_000, 1_000_000] as const;
const mostInZone = 1000;
const rounds = 5;
const mostRatio = 1.3;
/** 188 MB at 100,000 IPs, and 620 MB at 1,000,000, the largest account that is planned for. */
const most = { bytesForEach: 480, bytesForAll: 140e6 };

interface Account {
  ips: number;
  cwd: string;
  env: Readonly<Record<string, string>>;
}

export const benchmark: Benchmark = {
  name: 'growth',
  about:
    '**growth**: `webdata plan` of 1,000 to 1,000,000 declared IPs, with up to 1,000 in a zone, of which one in a hundred moves; each turn measures every size once. The time per IP is (the time for that size − the time for 10 IPs in the same turn) / IPs, which leaves out the start of the process. The ratio compares the time per IP at 1,000,000 IPs with that at 10,000. Memory is the peak of the whole process, in a run that is not timed. The memory next to it is that of the bare script of **plan**, which fetches and parses the same data and keeps none of it.',
  async run(stage) {
    const accounts: Account[] = [];
    for (const ips of sizes) accounts.push(await prepared(stage, ips));
    const turns: Turn[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const turn: Turn = new Map();
      for (const account of accounts) turn.set(account.ips, await planned(stage, account));
      turns.push(turn);
      stage.log(`${round + 1} of ${rounds}: ${[...turn].map(([ips, ms]) => `${ips} ${inTime(ms)}`).join(', ')}`);
    }
    const rows = [growthRow(turns)];
    for (const account of accounts.slice(1)) rows.push(await memoryRow(stage, account, turns));
    return rows;
  },
};

/** Maps numbers of IPs to milliseconds. */
type Turn = Map<number, number>;

async function prepared(stage: Stage, ips: number): Promise<Account> {
  const size = { ips, zones: Math.max(2, ips / mostInZone), moves: Math.floor(ips / 100) };
  const cwd = join(stage.folder, String(ips));
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'webdata.yaml'), declarationFor(size));
  const { env } = await startEmulator(stage, accountFor(size));
  return { ips, cwd, env };
}

async function planned(stage: Stage, { cwd, env }: Account): Promise<number> {
  return (await runProcess(stage, [...webdata, 'plan'], { cwd, env })).ms;
}

function growthRow(turns: readonly Turn[]): Row {
  const [large, small] = [1_000_000, 10_000].map((ips) => turns.map((turn) => perIp(turn, ips))) as [
    number[],
    number[],
  ];
  const ratio = ratioSpread(large.map((ms, index) => ms / (small[index] ?? Number.NaN)));
  return {
    what: 'growth of plan: time per IP, 1,000,000 to 10,000 IPs',
    ours: inMicroseconds(median(large)),
    floor: inMicroseconds(median(small)),
    ratio,
    must: `≤ ${mostRatio} ×`,
    reached: ratio.median <= mostRatio,
  };
}

async function memoryRow(stage: Stage, account: Account, turns: readonly Turn[]): Promise<Row> {
  const { ips, cwd, env } = account;
  const bytes = await peakMemory(stage, [...webdata, 'plan'], { cwd, env });
  const limit = ips * most.bytesForEach + most.bytesForAll;
  const ms = median(turns.map((turn) => turn.get(ips) ?? Number.NaN));
  const row: Row = {
    what: `plan of ${ips.toLocaleString('en')} IPs: time and peak memory`,
    ours: `${inTime(ms)}, ${inMicroseconds(median(turns.map((turn) => perIp(turn, ips))))} per IP, ${inMegabytes(bytes)}`,
    floor: inMegabytes(await peakMemory(stage, planFloor, { cwd, env })),
    must: `≤ ${inMegabytes(limit)}`,
    reached: bytes <= limit,
  };
  return unlessReached(row, heldMemory);
}

const heldMemory =
  'a plan of 10 IPs takes 76 MB, of which 47 MB are an empty program in Node, and 10,000 IPs take 94 MB. 100,000 IPs add about 20 MB of values in use and 20 MB that V8 has not collected yet; the threads that compile and collect for it keep 3 to 14 MB more, which MALLOC_ARENA_MAX=1 saves';

function perIp(turn: Turn, ips: number): number {
  return ((turn.get(ips) ?? Number.NaN) - (turn.get(sizes[0]) ?? Number.NaN)) / ips;
}

function inMicroseconds(ms: number): string {
  return `${digits(ms * 1000)} µs`;
}
