/**
 * Applies webdata.yaml from a program: at most five IPs may leave each zone in one run, every call is logged, and the report is a Markdown
 * file. Needs WEBDATA_API_URL and WEBDATA_API_KEY.
 */
import { writeFile } from 'node:fs/promises';
import { apply, drift, type PlanResult, ProblemError, type ProgramEvent } from 'pulumi-webdata';

const mostLeaving = 5;

/** Returns the zones that lose too many IPs, with their numbers. */
function emptied({ resources }: PlanResult): string[] {
  const zones = resources.flatMap(({ inventory = [] }) => inventory);
  return zones.flatMap(({ zone, countries }) => {
    const lost = countries.reduce((sum, { before, after }) => sum + before - after, 0);
    return lost > mostLeaving ? [`${zone} loses ${lost} IPs`] : [];
  });
}

function log(event: ProgramEvent): void {
  if (event.type === 'sending') console.log(`sending ${event.call.type} of ${event.resource.name}`);
  if (event.type === 'outcome') console.log(`${event.call.type}: ${event.outcome}`);
  if (event.type === 'warning') console.warn(event.text);
}

try {
  const applied = await apply({
    file: 'webdata.yaml',
    onEvent: log,
    approve(plan) {
      const reasons = emptied(plan);
      for (const reason of reasons) console.log(`not approved: ${reason}`);
      return reasons.length === 0;
    },
  });
  await writeFile('report.md', await applied.format('markdown'));
  console.log(`${applied.status}: ${applied.totals.made} of ${applied.totals.calls} calls made`);
  for (const { found, fix } of applied.problems) console.log(`${found}; fix: ${fix}`);
  const { isDrifted } = await drift({ file: 'webdata.yaml' });
  console.log(isDrifted ? 'The account has drifted.' : 'No drift.');
} catch (error) {
  if (!(error instanceof ProblemError)) throw error;
  for (const { place, found, fix } of error.problems) {
    const location = place === undefined ? '' : `${place.file}:${place.line}: `;
    console.error(`${location}${found}; fix: ${fix}`);
  }
  process.exitCode = 1;
}
