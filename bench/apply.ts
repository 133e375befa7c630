/** `webdata apply` of many moves at a slow service, against the same calls in a minimal script: one call at a time, and ten. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountFor, declarationFor } from './frame/accounts.ts';
import { type Benchmark, type Stage, unlessReached } from './frame/benchmark.ts';
import { type RunningEmulator, startEmulator } from './frame/emulator.ts';
import { atMost, compared, pairs } from './frame/pairs.ts';
import { runProcess, webdata } from './frame/process.ts';
import { inTime } from './frame/units.ts';

const size = { ips: 20_000, zones: 1000, moves: 5000, pairs: 500 };
const callMs = 20;
const floor = [process.execPath, join(import.meta.dirname, 'floors/apply.mjs')];

const thirdListing =
  'the calls take as long as those of the floor; ours lists the 1,000 zones once more after the plan, because another user may have moved IPs since. The two cores are busy all the time: the emulator takes 2.0 s of processor time, mostly for listings, and ours 3.3 s, mostly for requests and answers, so reading zones back while other calls are made saves nothing';

export const benchmark: Benchmark = {
  name: 'apply',
  about:
    '**apply**: `webdata apply --yes` of 5,000 moves between 500 pairs of zones, where each call takes 20 ms, against a Node script that lists the zones, sends the same 500 calls, syncs two journal lines for each, and lists the zones again. Both send one call at a time (`--parallelism 1`), and then ten. The two move the same IPs back and forth in turn.',
  async run(stage) {
    const emulator = await startEmulator(stage, accountFor(size));
    await emulator.admin('POST', 'faults', { route: 'zone/ips/migrate', fault: { kind: 'delay', ms: callMs } });
    let isAway = false;
    const turn = async (argv: readonly string[]) => {
      isAway = !isAway;
      return applied(stage, emulator, argv, isAway ? size : { ...size, moves: 0 });
    };
    const rowFor = async (parallelism: number, words: string, count: number) => {
      const measured = await pairs(
        () => turn([...webdata, 'apply', '--yes', '--parallelism', String(parallelism)]),
        () => turn([...floor, String(parallelism)]),
        { warmUps: 0, count },
      );
      const what = `apply, 5,000 moves over 500 pairs, 20 ms a call, ${words}`;
      return unlessReached(compared(what, measured, atMost(1.3), inTime), thirdListing);
    };
    return [await rowFor(1, 'one at a time', 2), await rowFor(10, 'ten at a time', 5)];
  },
};

/** Applies in its own folder, with a new journal. @throws Error unless exactly the 500 calls were sent */
async function applied(
  stage: Stage,
  emulator: RunningEmulator,
  argv: readonly string[],
  target: typeof size,
): Promise<number> {
  const cwd = join(stage.folder, 'apply');
  rmSync(cwd, { recursive: true, force: true });
  mkdirSync(cwd);
  const declaration = declarationFor(target).replace(/maxMoves: \d+/, `maxMoves: ${size.moves}`);
  writeFileSync(join(cwd, 'webdata.yaml'), declaration);
  await emulator.admin('DELETE', 'requests');
  const { ms } = await runProcess(stage, argv, { cwd, env: emulator.env });
  const requests = (await emulator.admin('GET', 'requests')) as { route?: string; path?: string }[];
  const calls = requests.filter((request) => JSON.stringify(request).includes('migrate')).length;
  if (calls !== size.pairs) throw new Error(`${calls} calls instead of ${size.pairs}`);
  return ms;
}
