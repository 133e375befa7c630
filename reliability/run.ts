/**
 * `npm run reliability [-- NAME…] [--short] [--write]`: runs the campaigns one after the other and prints their counts. `--write` stores
 * the results of the long forms in reliability/results and generates docs/evidence/reliability.md from them.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { campaigns } from './campaigns.ts';
import type { Outcome } from './frame/campaign.ts';
import { reliabilityPage } from './frame/page.ts';
import { keepResult, keptResults } from './frame/results.ts';
import { runOnStage } from './frame/stage.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
});
const names = Object.keys(campaigns);
process.exitCode = await reliability(positionals.length > 0 ? positionals : names);
// Exit although a campaign may have left something open.
process.exit();

async function reliability(wanted: readonly string[]): Promise<number> {
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length > 0) return refused(`There is no campaign ${unknown.join(', ')}: there are ${names.join(', ')}.`);
  if (values.short && values.write) return refused('--write keeps what long forms found: leave out --short.');
  let failed = 0;
  for (const name of wanted) failed += await runOne(name);
  if (values.write) {
    writeFileSync(join(import.meta.dirname, '../docs/evidence/reliability.md'), reliabilityPage(keptResults(names)));
  }
  return failed > 0 ? 1 : 0;
}

/** Returns the number of failures. */
async function runOne(name: string): Promise<number> {
  const campaign = await campaigns[name]?.();
  if (campaign === undefined) return 1;
  const start = performance.now();
  const say = (text: string) => console.error(`${name}: ${text}`);
  const outcome = await runOnStage(campaign, { short: values.short, say });
  console.log(summaryOf(name, outcome, Math.round((performance.now() - start) / 1000)));
  if (values.write) keepResult(campaign, outcome);
  return outcome.failures.length;
}

function summaryOf(name: string, { counts, failures, skipped = [] }: Outcome, seconds: number): string {
  return [
    `${name}, ${seconds} s`,
    ...counts.map(([what, figure]) => `  ${what}: ${figure}`),
    ...skipped.map((what) => `  skipped: ${what}`),
    `  failures: ${failures.length}`,
    ...failures.map((failure) => `  - ${failure.replaceAll('\n', '\n    ')}`),
  ].join('\n');
}

function refused(why: string): number {
  console.error(why);
  return 1;
}
