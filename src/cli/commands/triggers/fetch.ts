/** `webdata triggers fetch`: the rows of a run whose delivery did not arrive, from the service. */
import type { Command } from 'commander';
import { ProblemError } from '../../../base/diagnostics/problem.ts';
import { ServiceError } from '../../../client/errors.ts';
import { withSendingContext } from '../../execution/commandContext.ts';
import { type WaitFlags, withWait } from '../../execution/waiting.ts';
import { withConnection } from '../../options/options.ts';
import { addExamples } from '../../options/values.ts';
import { type DataFlags, sinkFor, withDataFile } from '../../output/dataOutput.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../output/io.ts';
import { type FormatFlags, withFormat } from '../../output/listOutput.ts';
import { collected } from '../service/collect.ts';

interface Flags extends DataFlags, FormatFlags, WaitFlags {}

export function addFetch(command: Command, { io, end }: Shell): void {
  const about = 'Get the rows of a scheduled run from the service, and record that they have arrived';
  withWait(withFormat(withDataFile(withConnection(command.description(about)))))
    .argument('<run>', 'run ID, r_…')
    .action(async (run: string, flags: Flags) => end(await fetchRows(run, flags, io)));
  addExamples(command, {
    'webdata triggers fetch r_abc': 'as JSON, as long as the service keeps them',
    'webdata triggers fetch r_abc --format ndjson --output rows.ndjson': 'in a file',
  });
}

async function fetchRows(id: string, flags: Flags, io: Io): Promise<ExitCode> {
  const write = await sinkFor(flags, io);
  await withSendingContext(flags, io, async ({ session }) => {
    const triggers = session.triggers();
    const { collectionId: job, target, triggeredAt, state, rows } = (await triggers.run(id)).run;
    if (job === null) throw new ProblemError([withoutJob(id, state)]);
    const since = triggeredAt === null ? undefined : new Date(triggeredAt);
    const hadRows = state === 'undelivered' && rows !== 0;
    const waiting = { ...flags, triggeredAt: since, isSnapshot: target.startsWith('gd_'), hadRows };
    await collected(session.client(), job, waiting, write, io).catch((error: unknown) => {
      throw hadRows ? (gone(id, error) ?? error) : error;
    });
    if (state === 'undelivered') await triggers.resolve(id, { as: 'delivered' });
  });
  return exitCodes.done;
}

/** Returns undefined for an error that does not say that the rows are gone. */
function gone(id: string, error: unknown): ProblemError | undefined {
  if (!(error instanceof ServiceError || error instanceof ProblemError)) return undefined;
  const code = error instanceof ServiceError ? error.code : error.problems[0]?.code;
  if (code !== 'not-found' && code !== 'rows-gone') return undefined;
  const fix = `if they are not elsewhere, close the run with \`webdata triggers resolve ${id} --lost\``;
  return new ProblemError([{ code: 'rows-gone', found: error.message, fix }]);
}

function withoutJob(id: string, state: string) {
  return {
    code: 'run-without-job',
    found: `run ${id} is ${state}, and no job of it is known`,
    fix: `if the control panel shows its job, run \`webdata triggers resolve ${id} --id JOB\` first`,
  };
}
