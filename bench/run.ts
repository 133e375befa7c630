/**
 * `npm run bench [-- NAME…] [--json FILE] [--write]`: runs the benchmarks one after the other and prints one table. `--write` generates
 * docs/evidence/performance.md from it.
 */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Benchmark, Row, Stage } from './frame/benchmark.ts';
import { machine } from './frame/machine.ts';
import { type Measured, performancePage } from './frame/page.ts';
import { tableText } from './frame/table.ts';
import { inTime } from './frame/units.ts';

/** The benchmarks, in the order of the table. Each is the file of that name, and is loaded when it starts. */
const names = [
  'plan',
  'growth',
  'manyZones',
  'history',
  'peers',
  'startup',
  'package',
  'solver',
  'calls',
  'apply',
  'slowNetwork',
  'backends',
  'client',
  'snapshot',
  'report',
  'emulator',
  'pulumi',
  'terraform',
  'triggers',
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' }, write: { type: 'boolean', default: false } },
});
process.exitCode = await bench(positionals.length > 0 ? positionals : names);

async function bench(wanted: readonly string[]): Promise<number> {
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    console.error(`There is no benchmark ${unknown.join(', ')}: there are ${names.join(', ')}.`);
    return 1;
  }
  const start = performance.now();
  const measured: Measured[] = [];
  for (const name of wanted) measured.push(await measure(name));
  const rows = measured.flatMap((each) => each.rows);
  const about = { ...machine(), tookMs: performance.now() - start };
  console.log(`${about.text}\n\n${tableText(rows)}\n\nTook ${inTime(about.tookMs)}.`);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ ...about, rows }, null, 2)}\n`);
  if (values.write)
    writeFileSync(join(import.meta.dirname, '../docs/evidence/performance.md'), performancePage(measured, about));
  return measured.some(({ failed }) => failed) ? 1 : 0;
}

/** An error of a benchmark becomes its row; the other benchmarks continue. */
async function measure(name: string): Promise<Measured> {
  const children: ChildProcess[] = [];
  const stage: Stage = {
    folder: mkdtempSync(join(tmpdir(), 'webdata-bench-')),
    log: (line) => console.error(`${name}: ${line}`),
    keep: (child) => children.push(child),
  };
  const start = performance.now();
  try {
    const { benchmark }: { benchmark: Benchmark } = await import(`./${name}.ts`);
    stage.log(benchmark.about);
    return { about: benchmark.about, rows: await benchmark.run(stage), failed: false };
  } catch (error) {
    console.error(error);
    return { about: '', rows: [failedRow(name, error)], failed: true };
  } finally {
    for (const child of children) child.kill('SIGKILL');
    rmSync(stage.folder, { recursive: true, force: true });
    stage.log(`took ${inTime(performance.now() - start)}`);
  }
}

function failedRow(name: string, error: unknown): Row {
  const [why = ''] = String(error instanceof Error ? error.message : error).split('\n');
  return { what: name, ours: `failed: ${why.slice(0, 80)}`, floor: '', must: '', reached: false };
}
