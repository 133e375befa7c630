/** `webdata manager settings|stats|delete-ports`: the proxy manager, read as it is, and its ports deleted. */
import { type Command, InvalidArgumentError } from 'commander';
import { type Problem, ProblemError } from '../../../diagnostics/problem.ts';
import { counted } from '../../../diagnostics/valueWords.ts';
import { type DeletePortsCall, deletePortsCall } from '../../../kinds/managerSettings/calls/deletePorts.ts';
import { sendDeletion } from '../../../kinds/managerSettings/calls/sendCalls.ts';
import { managerSettings } from '../../../kinds/managerSettings/kind.ts';
import type { Manager } from '../../../service/areas/manager/manager.ts';
import { type Redact, redactor } from '../../../service/redact.ts';
import type { Config } from '../../../sync/config/config.ts';
import {
  type HandFlags,
  handJournal,
  madeByHand,
  unjournaledNote,
  withHandJournal,
} from '../../execution/adHocCall.ts';
import { type Workbench, withWorkbench } from '../../execution/commandContext.ts';
import { agreed } from '../../execution/consent.ts';
import { configIfAny } from '../../execution/declaration.ts';
import { withExclusiveWorkbench } from '../../execution/executePlan.ts';
import { examples } from '../../options/examples.ts';
import { type ConnectionFlags, withConnection, withConsent } from '../../options/options.ts';
import { type DataFlags, jsonText, withOutputFile } from '../../output/dataOutput.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../output/io.ts';
import { sinkFor, wholeText } from '../../output/streamOutput.ts';

const usages = {
  settings: {
    'webdata manager settings': 'as JSON, without the password',
    'webdata manager settings --manager-url http://127.0.0.1:22999': 'of another manager',
  },
  stats: {
    'webdata manager stats': 'the recent state, as the manager tells it',
    'webdata manager stats --output stats.json': 'into a file',
  },
  deletePorts: {
    'webdata manager delete-ports 24000': 'one port, after asking',
    'webdata manager delete-ports --yes 24000 24001': 'two, without asking',
  },
};

export function addManager(command: Command, { io, end }: Shell): void {
  command.addHelpText('after', examples({ ...usages.settings, ...usages.deletePorts }));
  withOutputFile(withConnection(command.command('settings').description('the settings, without the password')))
    .addHelpText('after', examples(usages.settings))
    .action(async (flags: DataFlags) =>
      end(await show(flags, io, async (manager) => (await manager.readSettings()).settings)),
    );
  withOutputFile(withConnection(command.command('stats').description('the recent state, as the manager tells it')))
    .addHelpText('after', examples(usages.stats))
    .action(async (flags: DataFlags) => end(await show(flags, io, (manager) => manager.recentStats())));
  withConsent(withHandJournal(withConnection(command.command('delete-ports').description('delete proxy ports'))))
    .argument('<ports...>', 'numbers of ports', portNumber)
    .addHelpText('after', examples(usages.deletePorts))
    .action(async (ports: number[], flags: DeleteFlags) => end(await removePorts(ports, flags, io)));
}

interface DeleteFlags extends HandFlags {
  yes?: boolean;
  lockTimeout: number;
}

function portNumber(text: string, before: number[] = []): number[] {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new InvalidArgumentError('It must be a port, 1 to 65535.');
  return before.includes(port) ? before : [...before, port];
}

async function show(
  { output, ...flags }: DataFlags,
  io: Io,
  read: (manager: Manager) => Promise<unknown>,
): Promise<ExitCode> {
  const write = sinkFor(output, flags.file, io);
  return withManager(flags, io, async (manager, redact) => {
    // The shape is the manager's own: whatever has the name of a secret is hidden, however deep it stands.
    const text = jsonText(JSON.parse(redact(JSON.stringify(await read(manager)))));
    await write(wholeText(text));
    return exitCodes.done;
  });
}

async function withManager(
  flags: ConnectionFlags,
  io: Io,
  action: (manager: Manager, redact: Redact) => Promise<ExitCode>,
): Promise<ExitCode> {
  const config = await configIfAny(flags, io);
  return withWorkbench(flags, io, config, ({ session }) => action(session.manager(undefined), tokenRedactor(config)));
}

function tokenRedactor({ manager: { token } }: Config): Redact {
  return redactor(token === undefined ? [] : [token]);
}

async function removePorts(ports: readonly number[], flags: DeleteFlags, io: Io): Promise<ExitCode> {
  const journal = handJournal(flags, io);
  const config = await configIfAny(flags, io);
  const withoutFile = { ...flags, journal: flags.journal || undefined };
  return withExclusiveWorkbench('manager delete-ports', withoutFile, io, config, async (workbench) => {
    const manager = workbench.session.manager(undefined);
    const redact = tokenRedactor(config);
    const live = await manager.ports();
    const there = live === null ? ports : ports.filter((port) => live.includes(port));
    const absent = ports.filter((port) => !there.includes(port));
    if (absent.length > 0) io.stderr.write(`Not there: ${absent.join(', ')}\n`);
    if (there.length > 0) {
      const preview = `To delete at ${redact(manager.url)}: ${counted(there.length, 'port')}, ${there.join(', ')}\n`;
      const shown = preview + unjournaledNote(flags, journal);
      if (!(await agreed(shown, 'Delete?', flags.yes ?? false, io))) return exitCodes.error;
      await remove({ ports: there, observed: live !== null }, manager, journal, workbench);
    }
    io.stdout.write(jsonText({ deleted: there, absentBefore: live === null ? null : absent, checked: live !== null }));
    return exitCodes.done;
  });
}

/** Deletes, and looks whether they are gone where that can be seen. @throws ProblemError for ports that are still there */
async function remove(
  wanted: Pick<DeletePortsCall, 'ports' | 'observed'>,
  manager: Manager,
  journal: string | undefined,
  workbench: Workbench,
): Promise<void> {
  const call = deletePortsCall({ manager: manager.url, ...wanted });
  const run = { command: 'manager delete-ports', definition: managerSettings, journal } as const;
  const { error } = await madeByHand(run, workbench, (context) => sendDeletion(call, manager, context));
  if (error instanceof ProblemError) throw new ProblemError(error.problems.map(byHand));
  if (error !== undefined) throw error;
}

/** What is declared has nothing to do with it. */
function byHand({ code, found }: Problem): Problem {
  return { code, found, fix: 'delete it in the manager' };
}
