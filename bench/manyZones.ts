/** A plan of 1,000,000 IPs in 20,000 zones, of which a fifth declares counts by country, and its reports. */
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountFor, declarationFor } from './frame/accounts.ts';
import { type Benchmark, limited, type Row, type Stage } from './frame/benchmark.ts';
import { startEmulator } from './frame/emulator.ts';
import { atMost, compared, pairs } from './frame/pairs.ts';
import { peakMemory, planFloor, runProcess, webdata } from './frame/process.ts';
import { inMegabytes, inTime } from './frame/units.ts';

const size = { ips: 1_000_000, zones: 20_000, moves: 8000, countedShare: 0.2 };
const most = { bytes: 700e6, htmlBytes: 5e6, jsonBytes: 30e6 };
const what = (part: string) =>
  `1,000,000 IPs in ${size.zones.toLocaleString('en')} zones, ${size.countedShare * 100} % counts by country: ${part}`;

export const benchmark: Benchmark = {
  name: 'manyZones',
  about:
    '**manyZones**: `webdata plan` of 1,000,000 IPs in 20,000 zones, of which every fifth declares counts by country and has one IP too few or too many, against the bare script of **plan**; then once with the HTML report and once with the JSON report.',
  async run(stage) {
    const { env } = await startEmulator(stage, accountFor(size));
    writeFileSync(join(stage.folder, 'webdata.yaml'), declarationFor(size));
    const measured = await pairs(
      async () => (await runProcess(stage, [...webdata, 'plan'], { env })).ms,
      async () => (await runProcess(stage, planFloor, { env })).ms,
      { count: 1, warmUps: 0 },
    );
    const bytes = await peakMemory(stage, [...webdata, 'plan'], { env });
    return [
      compared(what('plan'), measured, atMost(1), inTime),
      limited(what('peak memory'), inMegabytes(bytes), inMegabytes(most.bytes), bytes <= most.bytes),
      await reportRow(stage, env, 'html', most.htmlBytes),
      await reportRow(stage, env, 'json', most.jsonBytes),
    ];
  },
};

async function reportRow(
  stage: Stage,
  env: Readonly<Record<string, string>>,
  format: 'html' | 'json',
  mostBytes: number,
): Promise<Row> {
  const file = join(stage.folder, `report.${format}`);
  const { ms } = await runProcess(stage, [...webdata, 'plan', '--report', `${format}=${file}`], { env });
  const bytes = statSync(file).size;
  const ours = `${inTime(ms)}, ${inMegabytes(bytes)}`;
  return limited(
    what(`plan with the ${format.toUpperCase()} report`),
    ours,
    inMegabytes(mostBytes),
    bytes <= mostBytes,
  );
}
