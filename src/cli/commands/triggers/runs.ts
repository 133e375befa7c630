/** `webdata triggers schedules|runs|show|resolve`. */
import { type Command, Option } from 'commander';
import { ProblemError } from '../../../base/diagnostics/problem.ts';
import { printableLine } from '../../../base/values/printable.ts';
import type { RegisteredSchedule } from '../../../triggers/api/records.ts';
import {
  type Resolution,
  type RunEvent,
  type RunState,
  runStates,
  type ScheduledRun,
} from '../../../triggers/api/runs.ts';
import type { TriggersClient } from '../../../triggers/api/triggersClient.ts';
import { withSendingContext } from '../../execution/commandContext.ts';
import { type ConnectionFlags, withConnection } from '../../options/options.ts';
import { addExamples, positiveNumber } from '../../options/values.ts';
import { sinkFor } from '../../output/dataOutput.ts';
import { exitCodes, type Io, type Shell } from '../../output/io.ts';
import {
  itemText,
  type ListRow,
  type ListStyle,
  listStyle,
  listText,
  type TableFlags,
  withFacts,
  withTable,
} from '../../output/listOutput.ts';

interface RunsFlags extends TableFlags {
  owner?: string;
  schedule?: string;
  state?: RunState[];
  limit: number;
}

export function addSchedules(command: Command, { io, end }: Shell): void {
  withTable(command.description('List the registered schedules with their next tick'))
    .option('--owner <name>', 'only schedules of this owner')
    .action(async (flags: TableFlags & { owner?: string }) => {
      const columns = ['owner', 'name', 'target', 'paused', 'nextTickAt', 'lastState'];
      await writeList(flags, io, columns, async (triggers) =>
        (await allSchedules(triggers, flags.owner)).map(scheduleRow),
      );
      end(exitCodes.done);
    });
  addExamples(command, {
    'webdata triggers schedules': 'of all owners, with the next tick and the last run of each',
    'webdata triggers schedules --owner acme --format csv': 'of one owner, as CSV',
  });
}

export function addRuns(command: Command, { io, end }: Shell): void {
  const states = `only runs in this state; repeatable: ${runStates.join(', ')}`;
  withTable(command.description('List the latest scheduled runs by tick'))
    .option('--owner <name>', 'only runs of this owner')
    .option('--schedule <name>', 'only runs of this schedule')
    .addOption(new Option('--state <state>', states).argParser(stateOption))
    .option('--limit <count>', 'maximum number of runs', positiveNumber, 100)
    .action(async (flags: RunsFlags) => {
      const { owner, schedule, state, limit } = flags;
      await writeList(flags, io, runColumns(flags.format), async (triggers) =>
        (await triggers.runs({ owner, schedule, states: state, limit })).map(withTimes),
      );
      end(exitCodes.done);
    });
  addExamples(command, {
    'webdata triggers runs --state unknown': 'runs that need a decision',
    'webdata triggers runs --schedule nightly --limit 5 --format csv': 'last five runs of a schedule, as CSV',
  });
}

export function addShowRun(command: Command, { io, end }: Shell): void {
  withFacts(command.description('Show a scheduled run with its events'))
    .argument('<run>', 'run ID, r_…')
    .action(async (id: string, flags: TableFlags) => {
      const write = await sinkFor(flags, io);
      const style = listStyle(flags, io);
      await withTriggers(flags, io, async (triggers) =>
        write([itemText(runFacts(await triggers.run(id), style), style)]),
      );
      end(exitCodes.done);
    });
  addExamples(command, {
    'webdata triggers show r_abc': 'its state, and each step that led to it',
    'webdata triggers show r_abc --output run.json': 'in a file',
  });
}

/** A table has the times of a run in ISO 8601. JSON stays as the trigger service answers it. */
function runFacts(found: { run: ScheduledRun; events: readonly RunEvent[] }, { format }: ListStyle): object {
  if (format !== 'table') return found;
  const { run, events } = found;
  return {
    ...withTimes(run),
    events: events.map(({ at, state, text }) => ({ at: timeText(at), state, text })),
  };
}

function withTimes({ tickAt, triggeredAt, endedAt, ...run }: ScheduledRun): ListRow {
  const { deliveredAt } = run;
  const times = { triggeredAt: timeText(triggeredAt), endedAt: timeText(endedAt), deliveredAt: timeText(deliveredAt) };
  return { ...run, tickAt: timeText(tickAt), ...times };
}

interface ResolveFlags extends ConnectionFlags {
  id?: string;
  lost?: boolean;
  resend?: boolean;
}

export function addResolve(command: Command, { io, end }: Shell): void {
  withConnection(command.description('Record the outcome of a scheduled run that needs a person'))
    .argument('<run>', 'run ID, r_…')
    .addOption(new Option('--id <id>', 'job ID, j_… or s_…, if the trigger was accepted').conflicts(['lost', 'resend']))
    .addOption(
      new Option('--lost', 'record that the trigger was not accepted, or that the rows of the run are gone').conflicts(
        'resend',
      ),
    )
    .option('--resend', 'resend the trigger; if it was accepted before, it is billed twice')
    .action(async (run: string, flags: ResolveFlags) => {
      const resolution = resolutionOf(flags);
      await withTriggers(flags, io, async (triggers) => {
        const { state, collectionId } = await triggers.resolve(run, resolution);
        io.stdout.write(printableLine(`${run} is ${state}${collectionId === null ? '' : ` (${collectionId})`}`));
      });
      end(exitCodes.done);
    });
  addExamples(command, {
    'webdata triggers resolve r_abc --id j_xyz': 'if the control panel shows the job j_xyz',
    'webdata triggers resolve r_abc --resend': 'if it shows no job',
  });
}

function resolutionOf({ id, lost, resend }: ResolveFlags): Resolution {
  if (id !== undefined) return { as: 'triggered', collectionId: id };
  if (lost) return { as: 'lost' };
  if (resend) return { as: 'resend' };
  throw new ProblemError([
    {
      code: 'wrong-arguments',
      found: 'the outcome of the run is missing',
      allowed: '--id ID, --lost or --resend',
      fix: 'look for its job in the control panel, then pass one of them',
    },
  ]);
}

function stateOption(text: string, before: RunState[] = []): RunState[] {
  const state = runStates.find((each) => each === text);
  if (state === undefined)
    throw new ProblemError([{ code: 'wrong-arguments', found: `--state ${text}`, allowed: runStates.join(', ') }]);
  return [...before, state];
}

/** Opens a client of the configured trigger service, and closes it when `action` has ended. */
export async function withTriggers<T>(
  flags: ConnectionFlags,
  io: Io,
  action: (triggers: TriggersClient) => Promise<T>,
): Promise<T> {
  return withSendingContext(flags, io, ({ session }) => action(session.triggers()));
}

async function allSchedules(triggers: TriggersClient, owner: string | undefined): Promise<RegisteredSchedule[]> {
  const found: RegisteredSchedule[] = [];
  for (;;) {
    const last = found.at(-1);
    const page = await triggers.schedules({ owner, after: last && `${last.owner}/${last.name}`, limit: 1000 });
    found.push(...page);
    if (page.length < 1000) return found;
  }
}

function scheduleRow({ owner, name, spec, nextTickAt, lastRun }: RegisteredSchedule): ListRow {
  const { collector, dataset, paused } = spec;
  const lastState = lastRun?.state ?? '';
  return { owner, name, target: collector ?? dataset, paused, nextTickAt: timeText(nextTickAt), lastState };
}

/** A table shows the columns that do not fit the terminal below each row, so the most wanted columns come first. */
function runColumns(format: TableFlags['format']): string[] {
  const first = format === 'table' ? ['id', 'state', 'owner', 'schedule', 'tickAt'] : [];
  const columns = ['id', 'owner', 'schedule', 'target', 'tickAt', 'state', 'collectionId', 'rows', 'late', 'reason'];
  return [...new Set([...first, ...columns])];
}

async function writeList(
  flags: TableFlags,
  io: Io,
  columns: readonly string[],
  read: (triggers: TriggersClient) => Promise<ListRow[]>,
): Promise<void> {
  const write = await sinkFor(flags, io);
  const rows = await withTriggers(flags, io, read);
  await write([listText(rows, listStyle(flags, io), columns, rows)]);
}

function timeText(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
