/**
 * Opens the account of webdata.yaml once, shows its drift, and applies the plan if it moves at most ten IPs. If a call fails, the run is undone.
 * Needs WEBDATA_API_URL and WEBDATA_API_KEY.
 */
import { type AccountPlan, formatReport, openAccount, ProblemError } from 'pulumi-webdata';

const mostMoves = 10;

/** Counts the IPs that leave a zone. */
function movesOf({ report: { plan } }: AccountPlan): number {
  const zones = plan.resources.flatMap(({ inventory = [] }) => inventory);
  return zones
    .flatMap(({ countries }) => countries)
    .reduce((sum, { before, after }) => sum + Math.max(0, before - after), 0);
}

await using account = await openAccount({ file: ['webdata.yaml'], warn: console.warn });
const { isDrifted, problems } = await account.drift();
for (const { found, fix } of problems) console.log(`${found}; fix: ${fix}`);
if (problems.length === 0) console.log(isDrifted ? 'The account has drifted.' : 'No drift.');

const { status, plan, run } = await account.apply({
  approve: (planned) => movesOf(planned) <= mostMoves,
  onEvent(event) {
    if (event.type === 'outcome') console.log(`${event.call.type}: ${event.outcome}`);
  },
});
console.log(status);
console.log(await formatReport(run?.report ?? plan.report, 'markdown'));
if (status === 'failed' && run !== undefined) {
  try {
    const undone = await account.undo({ run: run.id });
    console.log(`undone: ${undone.status}`);
  } catch (error) {
    // A run that failed before it changed anything leaves nothing to undo.
    if (!(error instanceof ProblemError)) throw error;
    for (const { found } of error.problems) console.log(found);
  }
}
