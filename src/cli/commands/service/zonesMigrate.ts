/** `webdata zones migrate`: moves IPs from one zone to another, once, and reads back where they are. */
import type { Command } from 'commander';
import { type Problem, ProblemError } from '../../../diagnostics/problem.ts';
import { counted } from '../../../diagnostics/valueWords.ts';
import { wrongIpv4 } from '../../../kinds/addresses.ts';
import type { Listings } from '../../../kinds/zoneIpAllocation/accountView.ts';
import { migrateCall } from '../../../kinds/zoneIpAllocation/calls/migrateCall.ts';
import { sendBatches } from '../../../kinds/zoneIpAllocation/calls/sendMigrations.ts';
import { zoneIpAllocation } from '../../../kinds/zoneIpAllocation/kind.ts';
import type { MigrateBatch } from '../../../kinds/zoneIpAllocation/solver/model.ts';
import { printableLines } from '../../../report/model/printable.ts';
import { ServiceError } from '../../../service/errors.ts';
import { reconcileInFlight } from '../../../sync/run/interrupted.ts';
import type { JournaledCall } from '../../../sync/run/journal.ts';
import { resendProblems } from '../../../sync/run/withheld.ts';
import {
  type HandFlags,
  handJournal,
  madeByHand,
  unjournaledNote,
  withHandJournal,
} from '../../execution/adHocCall.ts';
import type { Workbench } from '../../execution/commandContext.ts';
import { agreed } from '../../execution/consent.ts';
import { configIfAny } from '../../execution/declaration.ts';
import { withExclusiveWorkbench } from '../../execution/executePlan.ts';
import { examples } from '../../options/examples.ts';
import { resendOption, withConnection, withConsent } from '../../options/options.ts';
import { jsonText } from '../../output/dataOutput.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../output/io.ts';

interface Flags extends HandFlags {
  from: string;
  to: string;
  yes?: boolean;
  resend?: boolean;
  lockTimeout: number;
}

export const migrateUsage = {
  'webdata zones migrate --from pricing --to checkout 192.0.2.10': 'one IP, after asking; may incur charges',
  'webdata zones migrate --from pricing --to checkout --yes 192.0.2.10 192.0.2.11': 'two, without asking',
};

export function addMigrate(command: Command, { io, end }: Shell): void {
  withConsent(withHandJournal(withConnection(command.description('move IPs to another zone; may incur charges'))))
    .argument('<ips...>', 'IPv4 addresses')
    .requiredOption('--from <zone>', 'where they are')
    .requiredOption('--to <zone>', 'where they are to go')
    .addOption(resendOption())
    .addHelpText('after', examples(migrateUsage))
    .action(async (ips: string[], flags: Flags) => end(await migrate([...new Set(ips)], flags, io)));
}

async function migrate(ips: readonly string[], { from, to, ...flags }: Flags, io: Io): Promise<ExitCode> {
  const wrong = problemsOf(ips, from, to);
  if (wrong.length > 0) throw new ProblemError(wrong);
  const journal = handJournal(flags, io);
  const config = await configIfAny(flags, io);
  return withExclusiveWorkbench('zones migrate', { ...flags, journal }, io, config, async (workbench) => {
    const { session, recentRuns, settleMs } = workbench;
    const withheld = await reconcileInFlight(recentRuns, session, { settleMs, journal, resend: flags.resend });
    const batch = batchOf(ips, from, to, await session.account.list([from, to]));
    const again = resendProblems([migrateCall(batch)], withheld);
    if (again.length > 0) throw new ProblemError(again);
    const there = ips.length - batch.moves.length;
    if (there > 0) io.stderr.write(printableLines(`${counted(there, 'IP')} in ${to} already.\n`));
    if (batch.moves.length === 0) {
      io.stdout.write(reportOf(batch, { count: 0 }));
      return exitCodes.done;
    }
    const shown = preview(batch) + unjournaledNote(flags, journal);
    if (!(await agreed(shown, 'Move?', flags.yes ?? false, io))) return exitCodes.error;
    await send(batch, journal, workbench, io);
    return exitCodes.done;
  });
}

function problemsOf(ips: readonly string[], from: string, to: string): Problem[] {
  const addresses = ips.flatMap((ip): Problem[] => {
    const wrong = wrongIpv4(ip);
    if (wrong === undefined) return [];
    return [{ code: 'invalid-ip', found: `"${ip}" is ${wrong}`, allowed: 'IPv4 addresses', fix: 'correct it' }];
  });
  if (from !== to) return addresses;
  return [...addresses, { code: 'same-zone', found: `--from and --to are both ${from}`, fix: 'name two zones' }];
}

/** What there is to move. @throws ProblemError for IPs that are in neither zone */
function batchOf(ips: readonly string[], from: string, to: string, listings: Listings): MigrateBatch {
  const [source, target] = [listings.get(from), listings.get(to)];
  const missing = ips.filter((ip) => !source?.has(ip) && !target?.has(ip));
  if (missing.length > 0) {
    const found = `not in ${from}: ${missing.join(', ')}`;
    throw new ProblemError([
      { code: 'not-in-zone', found, fix: `see what it holds with \`webdata zones ips ${from}\`; nothing was moved` },
    ]);
  }
  const moves = ips.flatMap((ip) => {
    const entry = source?.get(ip);
    return entry === undefined ? [] : [{ ip, country: entry.country, from, to, reason: 'declared' as const }];
  });
  return { from, to, moves };
}

function preview({ from, to, moves }: MigrateBatch): string {
  const lines = moves.map(({ ip, country }) => `  ${ip} (${country})\n`);
  return `To move from ${from} to ${to}, which may incur charges: ${counted(moves.length, 'IP')}\n${lines.join('')}`;
}

/** Where it fails on the way, what was seen until then is reported all the same. */
async function send(batch: MigrateBatch, journal: string | undefined, workbench: Workbench, io: Io): Promise<void> {
  const run = { command: 'zones migrate', definition: zoneIpAllocation, journal } as const;
  const { calls, error } = await madeByHand(run, workbench, (context) =>
    sendBatches([batch], [batch.from, batch.to], context),
  );
  if (isLeftOpen(error) && io.signal.aborted) throw interrupted(batch);
  const [made] = calls;
  if (made?.seen !== undefined) io.stdout.write(reportOf(batch, { count: made.answered?.count ?? null, ...made }));
  if (error !== undefined) throw error;
}

/** What the one call was answered, and what the listings showed of it. */
function reportOf({ from, to }: MigrateBatch, { count, seen }: Told): string {
  const { moved, notMoved, elsewhere, notVisible } = { ...nothingSeen, ...seen };
  return jsonText({ from, to, count, moved, notMoved, elsewhere, notVisible });
}

type Told = { count: number | null } & Pick<Partial<JournaledCall>, 'seen'>;

const nothingSeen = { moved: [], notMoved: [], elsewhere: [], notVisible: [] };

function isLeftOpen(error: unknown): boolean {
  return error instanceof ServiceError && error.effect === 'unknown';
}

function interrupted({ from, to }: MigrateBatch): ProblemError {
  return new ProblemError([
    {
      code: 'interrupted',
      found: 'interrupted before the service answered: it may move the IPs all the same',
      fix: `see with \`webdata zones ips ${to}\` and \`webdata zones ips ${from}\` before anything is moved again`,
    },
  ]);
}
