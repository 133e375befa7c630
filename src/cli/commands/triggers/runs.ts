/** `webdata triggers schedules|runs|show|resolve`: what the trigger service has, what became of it, and what a person knows of an unknown run. */
import { type Command, Option } from 'commander';
import { ProblemError } from '../../../diagnostics/problem.ts';
import { printableLines } from '../../../report/model/printable.ts';
import type { TriggersClient } from '../../../triggers/client.ts';
import {
  type RegisteredSchedule,
  type Resolution,
  type Run,
  type RunState,
  runStates,
} from '../../../triggers/model.ts';
import { withWorkbench } from '../../execution/commandContext.ts';
import { configIfAny } from '../../execution/declaration.ts';
import { examples } from '../../options/examples.ts';
import { type ConnectionFlags, collect, positiveNumber, withConnection } from '../../options/options.ts';
import { type DataFlags, jsonText, withOutputFile } from '../../output/dataOutput.ts';
import { exitCodes, type Io, type Shell } from '../../output/io.ts';
import { type ListFlags, listText, type Row, withList } from '../../output/listOutput.ts';
import { sinkFor, wholeText } from '../../output/streamOutput.ts';

interface RunsFlags extends ListFlags {
  owner?: string;
  schedule?: string;
  state?: RunState[];
  limit: number;
}

export function addRuns(command: Command, { io, end }: Shell): void {
  withList(command.command('schedules').description('what is registered, and when it is due'))
    .option('--owner <name>', 'only of this owner')
    .addHelpText(
      'after',
      examples({
        'webdata triggers schedules': 'of all owners, with the next tick and the last run of each',
        'webdata triggers schedules --owner acme --format csv': 'of one owner, as a table',
      }),
    )
    .action(async (flags: ListFlags & { owner?: string }) => {
      await withTriggers(flags, io, async (triggers) =>
        listSchedules(flags, await allSchedules(triggers, flags.owner), io),
      );
      end(exitCodes.done);
    });
  withList(command.command('runs').description('the latest runs, by tick'))
    .option('--owner <name>', 'only of this owner')
    .option('--schedule <name>', 'only of this schedule')
    .addOption(
      new Option('--state <state>', `only in this state; again for more: ${runStates.join(', ')}`).argParser(
        stateOption,
      ),
    )
    .option('--limit <count>', 'how many at most', positiveNumber, 100)
    .addHelpText(
      'after',
      examples({
        'webdata triggers runs --state unknown': 'those that wait for a person',
        'webdata triggers runs --schedule nightly --limit 5 --format csv': 'the last five of a schedule, as a table',
      }),
    )
    .action(async (flags: RunsFlags) => {
      const { owner, schedule, state: states, limit } = flags;
      await withTriggers(flags, io, async (triggers) =>
        listRuns(flags, await triggers.runs({ owner, schedule, states, limit }), io),
      );
      end(exitCodes.done);
    });
  withOutputFile(withConnection(command.command('show').description('one run, and all that happened to it')))
    .argument('<run>', 'its id, r_…')
    .addHelpText(
      'after',
      examples({
        'webdata triggers show r_abc': 'its state, and each step that led to it',
        'webdata triggers show r_abc --output run.json': 'into a file',
      }),
    )
    .action(async (id: string, flags: DataFlags) => {
      await withTriggers(flags, io, async (triggers) =>
        sinkFor(flags.output, flags.file, io)(wholeText(jsonText(await triggers.run(id)))),
      );
      end(exitCodes.done);
    });
  addResolve(withConnection(command.command('resolve')), { io, end });
}

interface ResolveFlags extends ConnectionFlags {
  id?: string;
  lost?: boolean;
  resend?: boolean;
}

function addResolve(command: Command, { io, end }: Pick<Shell, 'io' | 'end'>): void {
  command
    .description('says what became of a run whose answer was lost')
    .argument('<run>', 'its id, r_…')
    .addOption(new Option('--id <id>', 'it was accepted, as j_… or s_…').conflicts(['lost', 'resend']))
    .addOption(new Option('--lost', 'it was not accepted, and is not to be sent again').conflicts('resend'))
    .option('--resend', 'it was not accepted, and is sent again; where it was accepted, it is billed twice')
    .addHelpText(
      'after',
      examples({
        'webdata triggers resolve r_abc --id j_xyz': 'the control panel shows the run j_xyz',
        'webdata triggers resolve r_abc --resend': 'it shows none',
      }),
    )
    .action(async (run: string, flags: ResolveFlags) => {
      const resolution = resolutionOf(flags);
      await withTriggers(flags, io, async (triggers) => {
        const { state, collectionId } = await triggers.resolve(run, resolution);
        io.stdout.write(printableLines(`${run} is ${state}${collectionId === null ? '' : ` (${collectionId})`}\n`));
      });
      end(exitCodes.done);
    });
}

function resolutionOf({ id, lost, resend }: ResolveFlags): Resolution {
  if (id !== undefined) return { as: 'triggered', collectionId: id };
  if (lost) return { as: 'lost' };
  if (resend) return { as: 'resend' };
  throw new ProblemError([
    {
      code: 'wrong-arguments',
      found: 'what became of the run was not said',
      allowed: '--id ID, --lost or --resend',
      fix: 'look for the run in the control panel, and give one of them',
    },
  ]);
}

function stateOption(text: string, before: RunState[] = []): RunState[] {
  const state = runStates.find((each) => each === text);
  if (state === undefined)
    throw new ProblemError([{ code: 'wrong-arguments', found: `--state ${text}`, allowed: runStates.join(', ') }]);
  return collect(state, before) as RunState[];
}

/** The trigger service of the configuration, for as long as `action` takes. */
export async function withTriggers<T>(
  flags: ConnectionFlags,
  io: Io,
  action: (triggers: TriggersClient) => Promise<T>,
): Promise<T> {
  return withWorkbench(flags, io, await configIfAny(flags, io), ({ session }) => action(session.triggers()));
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

async function listSchedules(flags: ListFlags, found: readonly RegisteredSchedule[], io: Io): Promise<void> {
  const rows = found.map(
    ({ owner, name, spec, nextTickAt, lastRun }): Row => ({
      owner,
      name,
      target: spec.collector ?? spec.dataset,
      paused: spec.paused,
      nextTickAt: timeText(nextTickAt),
      lastState: lastRun?.state ?? '',
    }),
  );
  const columns = ['owner', 'name', 'target', 'paused', 'nextTickAt', 'lastState'];
  await sinkFor(flags.output, flags.file, io)(wholeText(listText(rows, flags, columns, rows)));
}

async function listRuns(flags: ListFlags, found: readonly Run[], io: Io): Promise<void> {
  const rows = found.map(
    ({ tickAt, triggeredAt, endedAt, ...run }): Row => ({
      ...run,
      tickAt: timeText(tickAt),
      triggeredAt: timeText(triggeredAt),
      endedAt: timeText(endedAt),
    }),
  );
  const columns = ['id', 'owner', 'schedule', 'target', 'tickAt', 'state', 'collectionId', 'rows', 'late', 'reason'];
  await sinkFor(flags.output, flags.file, io)(wholeText(listText(rows, flags, columns, rows)));
}

function timeText(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
