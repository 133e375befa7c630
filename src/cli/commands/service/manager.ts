/** `webdata manager settings|stats|delete-ports`. */
import { type Command, InvalidArgumentError } from 'commander';
import { type Problem, ProblemError } from '../../../base/diagnostics/problem.ts';
import { counted } from '../../../base/diagnostics/valueWords.ts';
import type { Manager } from '../../../client/areas/manager/manager.ts';
import { type Redact, redactor } from '../../../client/redact.ts';
import { configIfAny } from '../../../engine/configuredDeclaration.ts';
import type { PlanningContext } from '../../../engine/context.ts';
import type { Config } from '../../../engine/declaration/config.ts';
import { deletePortsCall } from '../../../kinds/managerSettings/calls/managerCalls.ts';
import { sendDeletion } from '../../../kinds/managerSettings/calls/sendCalls.ts';
import { managerSettings } from '../../../kinds/managerSettings/kind.ts';
import {
  type AdHocFlags,
  isJournaled,
  runAdHoc,
  unjournaledNote,
  withAdHocJournal,
} from '../../execution/adHocCall.ts';
import { withContext } from '../../execution/commandContext.ts';
import { confirmPreview } from '../../execution/consent.ts';
import { accountFrom } from '../../execution/openedAccount.ts';
import { type ConnectionFlags, withConnection, withConsent } from '../../options/options.ts';
import { addExamples } from '../../options/values.ts';
import { sinkFor } from '../../output/dataOutput.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../output/io.ts';
import { itemText, listStyle, listText, type TableFlags, tableFormat, withFacts } from '../../output/listOutput.ts';

const usages = {
  settings: {
    'webdata manager settings': 'without the password',
    'webdata manager settings --manager-url http://127.0.0.1:22999': 'of another manager',
  },
  stats: {
    'webdata manager stats': 'recent statistics',
    'webdata manager stats --output stats.json': 'in a file',
  },
  deletePorts: {
    'webdata manager delete-ports 24000': 'one port, after asking',
    'webdata manager delete-ports --yes 24000 24001': 'two ports, without asking',
  },
};

export function addManager(command: Command, { io, end }: Shell): void {
  addExamples(command, { ...usages.settings, ...usages.deletePorts });
  const read = (name: string, summary: string) => withFacts(command.command(name).description(summary));
  const settings = read('settings', 'Show the settings, without the password').action(async (flags: TableFlags) =>
    end(await show(flags, io, async (manager) => (await manager.readSettings()).settings)),
  );
  addExamples(settings, usages.settings);
  const stats = read('stats', 'Show recent statistics').action(async (flags: TableFlags) =>
    end(await show(flags, io, (manager) => manager.recentStats())),
  );
  addExamples(stats, usages.stats);
  const deleting = command.command('delete-ports').description('Delete proxy ports');
  withConsent(withAdHocJournal(withConnection(deleting)))
    .argument('<ports...>', 'port numbers', portNumber)
    .addOption(tableFormat())
    .action(async (ports: number[], flags: DeleteFlags) => end(await removePorts(ports, flags, io)));
  addExamples(deleting, usages.deletePorts);
}

interface DeleteFlags extends AdHocFlags, Pick<TableFlags, 'format'> {
  yes?: boolean;
  lockTimeout: number;
}

function portNumber(text: string, before: number[] = []): number[] {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new InvalidArgumentError('It must be a port, 1 to 65535.');
  return before.includes(port) ? before : [...before, port];
}

async function show(flags: TableFlags, io: Io, read: (manager: Manager) => Promise<unknown>): Promise<ExitCode> {
  const write = await sinkFor(flags, io);
  return withManager(flags, io, async (manager, redact) => {
    // Managers differ in shape, so every field whose name suggests a secret is hidden, at any depth.
    await write([itemText(JSON.parse(redact(JSON.stringify(await read(manager)))), listStyle(flags, io))]);
    return exitCodes.done;
  });
}

function withManager(
  flags: ConnectionFlags,
  io: Io,
  action: (manager: Manager, redact: Redact) => Promise<ExitCode>,
): Promise<ExitCode> {
  return withContext(flags, io, ({ config, session }) => action(session.manager(undefined), tokenRedactor(config)));
}

function tokenRedactor({ manager: { token } }: Config): Redact {
  return redactor(token === undefined ? [] : [token]);
}

async function removePorts(ports: readonly number[], flags: DeleteFlags, io: Io): Promise<ExitCode> {
  const config = await configIfAny(flags, io);
  const withoutFile = { ...flags, journal: flags.journal || undefined };
  await using account = await accountFrom({ ...withoutFile, config }, io);
  return await account.write('manager delete-ports', async (context): Promise<ExitCode> => {
    const manager = context.session.manager(undefined);
    const redact = tokenRedactor(config);
    const live = await context.during('reading the live state', () => manager.ports());
    const there = live === null ? ports : ports.filter((port) => live.includes(port));
    const absent = ports.filter((port) => !there.includes(port));
    if (absent.length > 0) io.stderr.write(`Not found: ${absent.join(', ')}\n`);
    if (there.length > 0) {
      const preview = `${counted(there.length, 'port')} to delete at ${redact(manager.url)}: ${there.join(', ')}\n`;
      const shown = preview + unjournaledNote(flags, io);
      if (!(await confirmPreview(shown, 'Delete them?', flags.yes ?? false, io))) return exitCodes.error;
      await remove({ ports: there, observed: live !== null }, manager, isJournaled(flags, io), context);
    }
    const whole = { deleted: there, absentBefore: live === null ? null : absent, checked: live !== null };
    const deleted = there.map((port) => ({
      port: String(port),
      result: whole.checked ? 'deleted' : 'deleted, not checked',
    }));
    const rows = [...deleted, ...absent.map((port) => ({ port: String(port), result: 'not found' }))];
    io.stdout.write(listText(whole, listStyle(flags, io), ['port', 'result'], rows));
    return exitCodes.done;
  });
}

/** Deletes ports, and checks that they are gone if the manager lists its ports. @throws ProblemError for ports that are left */
async function remove(
  wanted: { ports: readonly number[]; observed: boolean },
  manager: Manager,
  isJournaled: boolean,
  context: PlanningContext,
): Promise<void> {
  const call = deletePortsCall({ manager: manager.url, ...wanted });
  const run = { command: 'manager delete-ports', definition: managerSettings, isJournaled } as const;
  const { error } = await runAdHoc(run, context, (context) => sendDeletion(call, manager, context));
  if (error instanceof ProblemError) throw new ProblemError(error.problems.map(withManagerFix));
  if (error !== undefined) throw error;
}

/** Replaces the fix, because the original one is about the declaration. */
function withManagerFix({ code, found }: Problem): Problem {
  return { code, found, fix: 'delete it in the manager' };
}
