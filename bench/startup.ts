/** The cost of a start, against the start of Node. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Benchmark, type Row, type Stage, unlessReached } from './frame/benchmark.ts';
import { atMost, compared, type Goal, pairs } from './frame/pairs.ts';
import { runProcess, webdata } from './frame/process.ts';
import { inTime } from './frame/units.ts';

const declaration = `zoneIpAllocations:
  static:
    zones:
      checkout: { ips: [192.0.2.10, 192.0.2.11] }
      pricing: { count: { us: 10, de: 5 } }
    spare: parked
managerSettings:
  local: { zone: checkout, logs: 1000 }
`;

export const benchmark: Benchmark = {
  name: 'startup',
  about:
    '**startup**: `webdata --version`, and `webdata validate` of a declaration of ten lines, against `node -e 0`; 20 pairs each.',
  async run(stage) {
    writeFileSync(join(stage.folder, 'webdata.yaml'), declaration);
    return [
      await started(stage, 'start-up, `webdata --version`', ['--version'], atMost(1.5)),
      unlessReached(
        await started(stage, 'start-up, `webdata validate`, a small file', ['validate'], atMost(2.5)),
        'loading zod, yaml and commander from one file, without using them, takes 2.8 × already; the rest is the schema of all kinds and reading the file',
      ),
    ];
  },
};

async function started(stage: Stage, what: string, args: readonly string[], goal: Goal): Promise<Row> {
  const [node] = webdata;
  const measured = await pairs(
    async () => (await runProcess(stage, [...webdata, ...args])).ms,
    async () => (await runProcess(stage, [node, '-e', '0'])).ms,
    { count: 20, warmUps: 2 },
  );
  return compared(what, measured, goal, inTime);
}
