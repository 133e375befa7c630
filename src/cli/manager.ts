/** `webdata manager settings|stats|delete-ports`: the proxy manager, read as it is, and its ports deleted. */
import { type Command, InvalidArgumentError } from 'commander';
import { ProblemError } from '../input/problem.ts';
import { counted } from '../input/values.ts';
import type { Recorder } from '../resources/context.ts';
import { deletePorts } from '../resources/managerCalls.ts';
import { managerSettings } from '../resources/managerSettings.ts';
import type { Manager } from '../service/manager.ts';
import { redactor } from '../service/redact.ts';
import type { Session } from '../sync/session.ts';
import { agreed } from './consent.ts';
import { jsonText } from './dataOutput.ts';
import { examples } from './examples.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from './io.ts';
import { type ConnectionFlags, withConnection } from './options.ts';
import { configIfAny, withWorkbench } from './workbench.ts';

const usages = {
  settings: {
    'webdata manager settings': 'as JSON, without the password',
    'webdata manager settings --manager-url http://127.0.0.1:22999': 'of another manager',
  },
  stats: {
    'webdata manager stats': 'the recent state, as the manager tells it',
    'webdata manager stats --manager-url http://127.0.0.1:22999': 'of another manager',
  },
  deletePorts: {
    'webdata manager delete-ports 24000': 'one port, after asking',
    'webdata manager delete-ports --yes 24000 24001': 'two, without asking',
  },
};

export function addManager(command: Command, { io, end }: Shell): void {
  command.addHelpText('after', examples({ ...usages.settings, ...usages.deletePorts }));
  withConnection(command.command('settings').description('the settings, without the password'))
    .addHelpText('after', examples(usages.settings))
    .action(async (flags: ConnectionFlags) =>
      end(await show(flags, io, async (manager) => (await manager.readSettings()).settings)),
    );
  withConnection(command.command('stats').description('the recent state, as the manager tells it'))
    .addHelpText('after', examples(usages.stats))
    .action(async (flags: ConnectionFlags) => end(await show(flags, io, (manager) => manager.recentStats())));
  withConnection(command.command('delete-ports').description('delete proxy ports'))
    .argument('<ports...>', 'numbers of ports', portNumber)
    .option('-y, --yes', 'does not ask')
    .addHelpText('after', examples(usages.deletePorts))
    .action(async (ports: number[], { yes = false, ...flags }: ConnectionFlags & { yes?: boolean }) =>
      end(await removePorts(ports, yes, flags, io)),
    );
}

function portNumber(text: string, before: number[] = []): number[] {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new InvalidArgumentError('It must be a port, 1 to 65535.');
  return before.includes(port) ? before : [...before, port];
}

async function show(flags: ConnectionFlags, io: Io, read: (manager: Manager) => Promise<unknown>): Promise<ExitCode> {
  return withManager(flags, io, async (manager, _session, redact) => {
    // The shape is the manager's own: whatever has the name of a secret is hidden, however deep it stands.
    io.stdout.write(jsonText(JSON.parse(redact(JSON.stringify(await read(manager))))));
    return exitCodes.done;
  });
}

async function withManager(
  flags: ConnectionFlags,
  io: Io,
  action: (manager: Manager, session: Session, redact: (text: string) => string) => Promise<ExitCode>,
): Promise<ExitCode> {
  const config = await configIfAny(flags, io);
  const { token } = config.manager;
  const redact = redactor(token === undefined ? [] : [token]);
  return withWorkbench({ ...flags, format: 'text', color: false }, io, config, ({ session }) =>
    action(session.manager(undefined), session, redact),
  );
}

async function removePorts(ports: readonly number[], yes: boolean, flags: ConnectionFlags, io: Io): Promise<ExitCode> {
  return withManager(flags, io, async (manager, session, redact) => {
    const live = await manager.ports();
    const there = live === null ? ports : ports.filter((port) => live.includes(port));
    const absent = ports.filter((port) => !there.includes(port));
    if (absent.length > 0) io.stderr.write(`Not there: ${absent.join(', ')}\n`);
    if (there.length > 0) {
      const preview = `To delete at ${redact(manager.url)}: ${counted(there.length, 'port')}, ${there.join(', ')}\n`;
      if (!(await agreed(preview, 'Delete?', yes, io))) return exitCodes.error;
      await remove(there, live !== null, manager, session);
    }
    io.stdout.write(jsonText({ deleted: there, absentBefore: live === null ? null : absent, checked: live !== null }));
    return exitCodes.done;
  });
}

/** Deletes, and looks whether they are gone where that can be seen. @throws ProblemError for ports that are still there */
async function remove(ports: readonly number[], observed: boolean, manager: Manager, session: Session): Promise<void> {
  const context = session.contextFor({ definition: managerSettings, name: '' }, { recorder: forgetful });
  await deletePorts({ type: 'deletePorts', manager: manager.url, ports, observed }, manager, context).catch(
    (error: unknown) => {
      if (!(error instanceof ProblemError)) throw error;
      throw new ProblemError(
        error.problems.map(({ code, found }) => ({ code, found, fix: 'delete it in the manager' })),
      );
    },
  );
}

/** A call by hand is in no journal: it is no part of what is declared, and is not undone. */
const forgetful: Recorder = {
  sending: async () => ({
    answered: async () => undefined,
    failed: async () => undefined,
    seen: async () => undefined,
  }),
};
