/** `webdata zones migrate IPS`: moves IPs with one call, and reads back where they are. */

import type { Command } from 'commander';
import { assertNoProblems, type Problem, ProblemError } from '../../../base/diagnostics/problem.ts';
import { counted } from '../../../base/diagnostics/valueWords.ts';
import { printableLine } from '../../../base/values/printable.ts';
import { ServiceError } from '../../../client/errors.ts';
import { openAccount } from '../../../engine/account.ts';
import { configIfAny } from '../../../engine/doors/declaration.ts';
import type { JournaledCall } from '../../../engine/doors/history.ts';
import { byHandName, declaredGuards, runAdHoc } from '../../../engine/doors/run.ts';
import type { PlanningContext } from '../../../engine/doors/session.ts';
import { callTypeOf } from '../../../kinds/knownCalls.ts';
import { accountView, type Listings } from '../../../kinds/seam/accountView.ts';
import { wrongIpv4 } from '../../../kinds/seam/addresses.ts';
import { migrateCall } from '../../../kinds/zoneIpAllocation/calls/migrateCall.ts';
import { sendBatches } from '../../../kinds/zoneIpAllocation/calls/sendMigrations.ts';
import { zoneIpAllocation } from '../../../kinds/zoneIpAllocation/kind.ts';
import type { MigrateBatch } from '../../../kinds/zoneIpAllocation/solver/model.ts';
import { unclearListingProblems } from '../../../kinds/zoneIpAllocation/unclearListings.ts';
import { accountOptions } from '../../execution/commandContext.ts';
import { confirmPreview } from '../../execution/consent.ts';
import { resendOption, unclearListingOption } from '../../options/coreCommands.ts';
import { type ContextFlags, withConnection, withConsent, withJournal } from '../../options/options.ts';
import { addExamples, formatOption } from '../../options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../output/io.ts';
import { type ListStyle, listStyle, listText, type TableFlags, tableFormats } from '../../output/listOutput.ts';

interface Flags extends ContextFlags, Pick<TableFlags, 'format'> {
  from: string;
  to: string;
  yes?: boolean;
  resend?: boolean;
  ignoreGuards?: boolean;
  allowUnclearListing?: boolean;
  lockTimeout: number;
}

export const migrateUsage = {
  'webdata zones migrate --from pricing --to checkout 192.0.2.10': 'one IP, after asking; may incur charges',
  'webdata zones migrate --from pricing --to checkout --yes 192.0.2.10 192.0.2.11': 'two IPs, without asking',
};

export function addMigrate(command: Command, { io, end }: Shell): void {
  withConsent(withJournal(withConnection(command.description('Move IPs to another zone; may incur charges'))))
    .argument('<ips...>', 'IPv4 addresses')
    .requiredOption('--from <zone>', 'zone that holds the IPs')
    .requiredOption('--to <zone>', 'zone to move them to')
    .addOption(resendOption())
    .addOption(unclearListingOption())
    .option('--ignore-guards', 'move IPs although protect, keepAtLeast or maxMoves of the declaration forbids it')
    .addOption(formatOption(tableFormats))
    .action(async (ips: string[], flags: Flags) => end(await moveByHand([...new Set(ips)], flags, io)));
  addExamples(command, migrateUsage);
}

async function moveByHand(ips: readonly string[], { from, to, ...flags }: Flags, io: Io): Promise<ExitCode> {
  assertNoProblems(problemsOf(ips, from, to));
  const config = await configIfAny(flags, io);
  await using account = await openAccount(accountOptions({ ...flags, config }, io));
  return await account.write('zones migrate', async (context): Promise<ExitCode> => {
    const { session, recentRuns, inFlight, log } = context;
    const { resend } = flags;
    const listings = await context.during('reading the live state', async () => {
      await inFlight.lookUp(recentRuns, session, { record: log.record, resend });
      return session.view(accountView).list([from, to]);
    });
    const batch = batchOf(ips, from, to, listings);
    assertNoProblems(inFlight.problems([migrateCall(batch)]));
    const there = ips.length - batch.moves.length;
    if (there > 0) io.stderr.write(printableLine(`Already in ${to}: ${counted(there, 'IP')}.`));
    if (batch.moves.length === 0) {
      io.stdout.write(reportOf(batch, { count: 0 }, listStyle(flags, io)));
      return exitCodes.done;
    }
    const { remarks } = session.view(accountView);
    const { allowUnclearListing: allowUnclearListings = false } = flags;
    assertNoProblems(unclearListingProblems([batch], { remarks, allowUnclearListings }));
    if (!flags.ignoreGuards) await assertGuardsHold(batch, context);
    if (!(await confirmPreview(preview(batch), 'Move them?', flags.yes ?? false, io))) return exitCodes.error;
    await send(batch, context, io, listStyle(flags, io));
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

/** Returns the moves that are left to make. @throws ProblemError for IPs that are in neither zone */
function batchOf(ips: readonly string[], from: string, to: string, listings: Listings): MigrateBatch {
  const [source, target] = [listings.get(from), listings.get(to)];
  const missing = ips.filter((ip) => !source?.has(ip) && !target?.has(ip));
  if (missing.length > 0) {
    const found = `not in ${from}: ${missing.join(', ')}`;
    throw new ProblemError([
      { code: 'not-in-zone', found, fix: `list its IPs with \`webdata zones ips ${from}\`; nothing was moved` },
    ]);
  }
  const moves = ips.flatMap((ip) => {
    const entry = source?.get(ip);
    return entry === undefined ? [] : [{ ip, country: entry.country, from, to, reason: 'declared' as const }];
  });
  return { from, to, moves };
}

/** @throws ProblemError for the guards of the declaration that the call would break */
async function assertGuardsHold(batch: MigrateBatch, { config, session }: PlanningContext): Promise<void> {
  const call = migrateCall(batch);
  const resource = { collection: zoneIpAllocation.collection, name: byHandName };
  const broken = await declaredGuards(resource, callTypeOf(call).target(call), config, session);
  const fix = 'let the declaration move it, or pass --ignore-guards to move it nevertheless';
  assertNoProblems(broken([call]).map((problem) => ({ ...problem, fix })));
}

function preview({ from, to, moves }: MigrateBatch): string {
  const lines = moves.map(({ ip, country }) => `  ${ip} (${country})\n`);
  return `${counted(moves.length, 'IP')} to move from ${from} to ${to}; may incur charges:\n${lines.join('')}`;
}

/** Makes the call. If it fails, reports what the listings showed until then. */
async function send(batch: MigrateBatch, context: PlanningContext, io: Io, style: ListStyle): Promise<void> {
  const { from, to } = batch;
  const run = { command: 'zones migrate', definition: zoneIpAllocation } as const;
  const check = `check with \`webdata zones ips ${to}\` and \`webdata zones ips ${from}\``;
  const { calls, error } = await runAdHoc(run, context, (sending) =>
    sendBatches([batch], [from, to], sending, {
      afterUnknown: `It is unknown whether the IPs moved: ${check} before moving them again.`,
      afterUnseen: `${check} in a while`,
    }),
  );
  if (error instanceof ServiceError && error.effect === 'unknown' && io.signal.aborted) {
    const found = 'interrupted before the service answered: the IPs may move nevertheless';
    throw new ProblemError([{ code: 'interrupted', found, fix: `${check} before moving them again` }]);
  }
  const [made] = calls;
  if (made?.seen !== undefined) {
    io.stdout.write(reportOf(batch, { count: made.answered?.count ?? null, ...made }, style));
  }
  if (error !== undefined) throw error;
}

/** Returns the answered count, and what the listings showed. */
function reportOf({ from, to, moves }: MigrateBatch, { count, seen }: Answered, style: ListStyle): string {
  const none = { moved: [], notMoved: [], elsewhere: [], notVisible: [] };
  const { moved, notMoved, elsewhere, notVisible } = { ...none, ...seen };
  const results = new Map([
    ...moved.map((ip) => [ip, `moved to ${to}`] as const),
    ...notMoved.map((ip) => [ip, `still in ${from}`] as const),
    ...elsewhere.map((ip) => [ip, 'in another zone'] as const),
    ...notVisible.map((ip) => [ip, 'not visible yet'] as const),
  ]);
  const rows = moves.map(({ ip, country }) => ({ ip, country, result: results.get(ip) ?? 'unknown' }));
  const whole = { from, to, count, moved, notMoved, elsewhere, notVisible };
  return listText(whole, style, ['ip', 'country', 'result'], rows);
}

type Answered = { count: number | null } & Pick<Partial<JournaledCall>, 'seen'>;
