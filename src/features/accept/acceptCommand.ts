/** `webdata drift --accept`: changes the declaration to the live state, after showing the difference and asking. */
import { Option } from 'commander';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { counted } from '../../base/diagnostics/valueWords.ts';
import { readText, shownName } from '../../base/files/textFile.ts';
import { printableLine, printableLines } from '../../base/values/printable.ts';
import { type DriftExtension, type DriftFlags, driftCode } from '../../cli/commands/drift.ts';
import { accountOptions } from '../../cli/execution/commandContext.ts';
import { confirmPreview } from '../../cli/execution/consent.ts';
import { commandLine } from '../../cli/execution/nextCommand.ts';
import { withProgress } from '../../cli/execution/progress.ts';
import type { ExitCode, Io } from '../../cli/output/io.ts';
import { outputPath, writeOutput } from '../../cli/output/outputFile.ts';
import { publishAndPrint } from '../../cli/output/reporting.ts';
import { openAccount } from '../../engine/account.ts';
import { accountDrift, planLive } from '../../engine/doors/baseline.ts';
import { declarationFiles, settingsFrom } from '../../engine/doors/connection.ts';
import { type Config, configOfSource, isPiped, readDeclaration } from '../../engine/doors/declaration.ts';
import { isDrift, isSameResource, type Plan, type ResourceId, resourceKey } from '../../engine/doors/plan.ts';
import type { PlanningContext } from '../../engine/doors/session.ts';
import { formatProblems } from '../../report/text/problems.ts';
import { type Acceptance, acceptLiveState } from './accept.ts';
import { type Acceptable, acceptabilityOf } from './acceptable.ts';
import { type DeclarationText, mergedSource } from './edits.ts';

interface AcceptFlags extends DriftFlags {
  /** True, or the one resource to accept. */
  accept?: boolean | string;
  yes?: boolean;
  patch?: string;
}

/** `--accept`, for commands that compare. */
export const acceptingDrift: DriftExtension = {
  addOptions(command) {
    command
      .addOption(
        new Option(
          '--accept [kind/name]',
          'change the declaration to the live state, of one resource or of all',
        ).conflicts('all'),
      )
      .option('-y, --yes', 'with --accept: skip the confirmation prompt')
      .option('--patch <file>', 'with --accept: write the change as a patch, and leave the declaration as it is');
  },
  examples: {
    'webdata drift --accept ManagerSettings/local': 'change the declaration of one resource to the live state',
  },
  next: (flags) => `${commandLine(['drift', '--accept'], flags)}  # declares what is live`,
  run(flags: AcceptFlags, io) {
    const accept = flags.accept ?? (flags.takeEdit !== undefined || undefined);
    return accept === undefined ? undefined : acceptDrift({ ...flags, accept }, io);
  },
};

/** Reports the drift, then offers the edit. Returns 0 if no drift is left. @throws ProblemError, ServiceError */
async function acceptDrift(flags: AcceptFlags, io: Io): Promise<ExitCode> {
  const selected =
    typeof flags.accept === 'string' ? { ...flags, select: [...(flags.select ?? []), flags.accept] } : flags;
  assertEditable(flags, io);
  const settings = settingsFrom(flags, io);
  const names = declarationFiles(flags.file);
  const { files, lists } = await readDeclaration(names, settings);
  const configFrom = (texts: readonly DeclarationText[]) =>
    configOfSource(mergedSource(texts, settings.env), lists, names, settings);
  const config = configFrom(files);
  await using account = await openAccount(accountOptions({ ...selected, config }, io));
  return await account.read(async (context) => {
    const before = accountDrift(await planLive(context, selected, 'update'), context, selected);
    await publishAndPrint(before.report, selected, io);
    const { session, baseline } = context;
    const decided = acceptabilities(config, before.report.plan, baseline, typeof flags.accept === 'string');
    const options = { isStrict: flags.strict ?? false, isWhole: selected.select === undefined };
    const acceptance = await withProgress('reading the live state', io, () =>
      acceptLiveState({ files, lists, settings, session, acceptabilityOf: decided, ...options }),
    );
    if (acceptance.problems.length > 0) io.stderr.write(`${formatProblems(acceptance.problems)}\n`);
    const isWritten = await offer(files, acceptance, flags, io);
    if (!isWritten) return driftCode(before);
    return remaining(acceptance, { before: config, after: configFrom(acceptance.files) }, selected, io);
  });
}

/** @throws ProblemError if an edit is wanted of a declaration that is not in files */
function assertEditable({ file, patch, takeEdit }: AcceptFlags, { cwd }: Io): void {
  const piped = declarationFiles(file).find((name) => isPiped(name, cwd));
  if (piped === undefined || patch !== undefined || takeEdit !== undefined) return;
  const found = `the declaration is read from ${shownName(piped)}, which cannot be changed`;
  const fix = 'name a file with -f, or write the change to a file with --patch';
  throw new ProblemError([{ code: 'piped-declaration', found, fix }]);
}

/**
 * Returns a function that says whether a resource may be changed. It decides by the declaration before the first edit, because an edit is no
 * pending change. Resources that the plan does not have were not selected, and stay.
 */
function acceptabilities(config: Config, { resources }: Plan, baseline: PlanningContext['baseline'], isNamed: boolean) {
  const plans = new Map(resources.map((resource) => [resourceKey(resource), resource]));
  const decided = new Map<string, Acceptable>();
  for (const declared of config.declared) {
    const plan = plans.get(resourceKey(declared));
    if (plan) decided.set(resourceKey(declared), acceptabilityOf(declared, plan, baseline, isNamed));
  }
  return (id: ResourceId): Acceptable => decided.get(resourceKey(id)) ?? { isAccepted: false, mayRemove: false };
}

/** Shows the change, and writes it after consent. Returns true if the declaration was written. */
async function offer(
  files: readonly DeclarationText[],
  { files: after, problems }: Acceptance,
  flags: AcceptFlags,
  io: Io,
): Promise<boolean> {
  const changed = after.flatMap(({ file, text }, index) => {
    const before = files[index]?.text ?? '';
    return text === before ? [] : [{ file, before, after: text }];
  });
  const patch = changed.map(unifiedDiff).join('');
  if (flags.takeEdit !== undefined) {
    flags.takeEdit({ files: changed, problems: problems.length === 0 ? '' : formatProblems(problems) });
    return false;
  }
  if (flags.patch !== undefined) {
    const option = `--patch ${flags.patch}`;
    await writeOutput(option, outputPath(option, flags.patch, flags.file, io), patch, io);
    return false;
  }
  if (changed.length === 0) {
    io.stderr.write('The declaration stays as it is.\n');
    return false;
  }
  const question = `Change ${changed.map(({ file }) => file).join(', ')}?`;
  if (!(await confirmPreview(printableLines(patch), question, flags.yes ?? false, io))) return false;
  for (const { file, before } of changed) await assertUnchanged(file, before, io);
  for (const { file, after: text } of changed) await writeOutput(file, file, text, io);
  return true;
}

/** In the format that `git apply` and `patch` read. */
function unifiedDiff({ file, before, after }: { file: string; before: string; after: string }): string {
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(`a/${file}`, `b/${file}`, before, after, undefined, undefined, options);
}

async function assertUnchanged(file: string, text: string, io: Io): Promise<void> {
  const current = await readText(file, io).catch(() => undefined);
  if (current === text) return;
  const changed: Problem = {
    code: 'file-changed',
    found: `${file} has changed since it was read, and was not overwritten`,
    fix: 'run `webdata drift --accept` again',
  };
  throw new ProblemError([changed]);
}

/** Compares the new declaration with the live state, and prints what is left. Records the resources that it no longer declares. */
async function remaining(
  { accepted }: Acceptance,
  { before, after }: Readonly<Record<'before' | 'after', Config>>,
  flags: AcceptFlags,
  io: Io,
): Promise<ExitCode> {
  await using account = await openAccount(
    accountOptions({ ...flags, select: undefined, allowRemoved: true, config: after }, io),
  );
  const missing = await account.read(async (context) => context.missing);
  const removed = missing.filter((each) => before.declared.some((other) => isSameResource(each, other)));
  const entries = removed.map((resource) => ({ is: 'removed' as const, resource }));
  await account.record('drift --accept', entries);
  const left = await account.drift();
  const { report } = left;
  const drifted = report.plan.resources.filter((each) => each.problems.length > 0 || isDrift(each, report));
  const names = drifted.map(resourceKey).join(', ');
  const what = `${counted(accepted.length, 'resource')} now ${accepted.length === 1 ? 'declares' : 'declare'} the live state.`;
  io.stderr.write(printableLine(`${what} ${names === '' ? 'No drift is left.' : `Drift is left: ${names}.`}`));
  return driftCode(left);
}
