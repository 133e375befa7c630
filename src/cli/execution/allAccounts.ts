/** Runs a command for every account of `--all`: several at a time, each on its own, with one report and one exit code. */

import pLimit from 'p-limit';
import { counted } from '../../base/diagnostics/valueWords.ts';
import { printableLine } from '../../base/values/printable.ts';
import { hideValues, redactor } from '../../client/redact.ts';
import { goneProblem } from '../../engine/doors/baseline.ts';
import { explainedProblems } from '../../engine/doors/declaration.ts';
import { type AccountReport, type AccountsReport, accountState } from '../../report/model/accounts.ts';
import { type PlanReport, type Report, unplanned } from '../../report/model/report.ts';
import { version } from '../../version.ts';
import type { PlanFlags } from '../options/coreCommands.ts';
import type { AllFlags } from '../options/options.ts';
import { type ExitCode, exitCodes, type Io, type Output } from '../output/io.ts';
import { assertNotOverwritten, declarations } from '../output/outputFile.ts';
import { publishAccounts } from '../output/reporting.ts';
import type { AccountFile } from './accountFiles.ts';
import { withProgress } from './progress.ts';

/** Runs the command for one account. Its reports are taken from it, and its output goes to stderr with the name of the account. */
type RunOne<Flags> = (account: AccountFile, flags: Flags, io: Io) => Promise<ExitCode>;

/**
 * Runs the command for all accounts and writes their reports together, in the order of their files. Neither a failure nor a problem of an
 * account stops another one. It asks nothing. Returns the worst exit code: 1 before 2 before 0. @throws ReportsFailed
 */
export async function forAllAccounts<Flags extends AllFlags & PlanFlags>(
  command: AccountsReport['command'],
  accounts: readonly AccountFile[],
  flags: Flags,
  io: Io,
  runOne: RunOne<Flags>,
): Promise<ExitCode> {
  assertReportsApart(accounts, flags, io);
  const secrets = accounts.flatMap((account) => account.secrets);
  const runs = accounts.map((account) => new AccountRun(account, command));
  const limit = pLimit(flags.parallelAccounts);
  const hide = redactor(secrets);
  let ended = 0;
  await withProgress(`working on ${counted(runs.length, 'account')}`, io, async () => {
    const runNext = async (run: AccountRun) => {
      const stderr = namedOutput(run.account.name, hide, io.stderr);
      await runAccount(run, flags, { ...io, stderr }, runOne);
      ended += 1;
      stderr.end(`${accountState(run.report('printed')).words} (${ended} of ${runs.length})`);
    };
    await Promise.all(runs.map((run) => limit(runNext, run)));
  });
  const reportOf = (use: Use) => ({ command, version, accounts: runs.map((run) => run.report(use)) });
  await publishAccounts({ kept: reportOf('kept'), printed: reportOf('printed') }, hideValues(secrets), flags, io);
  return worst(runs.map(({ exitCode }) => exitCode));
}

async function runAccount<Flags extends AllFlags & PlanFlags>(
  run: AccountRun,
  flags: Flags,
  io: Io,
  runOne: RunOne<Flags>,
): Promise<void> {
  const { files, gone } = run.account;
  const accountIo: Io = {
    ...io,
    stdout: { write: () => true },
    takeReport: (report: Report, use) => run.take(report, use),
  };
  const accountFlags = { ...flags, all: undefined, file: files, report: undefined, format: 'text' as const };
  try {
    if (gone !== undefined) run.miss(goneProblem(gone), accountFlags);
    else run.exitCode = await runOne(run.account, accountFlags, accountIo);
  } catch (error) {
    run.fail(error, io);
  }
}

/** Returns the most severe exit code: an error, then changes or drift. */
function worst(codes: readonly ExitCode[]): ExitCode {
  const order = [exitCodes.error, exitCodes.changes];
  return order.find((code) => codes.includes(code)) ?? exitCodes.done;
}

function assertReportsApart(accounts: readonly AccountFile[], { report = [] }: PlanFlags, io: Io): void {
  const outputs = report.map(({ format, file }) => ({ what: `--report ${format}=${file}`, file }));
  const files = new Set(accounts.flatMap((account) => account.files));
  assertNotOverwritten(outputs, declarations([...files]), io);
}

type Use = 'printed' | 'kept';

/** The run of one account, with its last reports. */
class AccountRun {
  readonly account: AccountFile;
  exitCode: ExitCode = exitCodes.done;
  readonly #command: AccountsReport['command'];
  readonly #plans: Partial<Record<Use, PlanReport>> = {};
  readonly #last: Partial<Record<Use, Report>> = {};

  constructor(account: AccountFile, command: AccountsReport['command']) {
    this.account = account;
    this.#command = command;
  }

  take(report: Report, use: Use): void {
    if (report.about === 'plan') this.#plans[use] = report;
    this.#last[use] = report;
  }

  fail(error: unknown, { signal }: Io): void {
    this.exitCode = exitCodes.error;
    this.#end(this.#empty(explainedProblems(error, signal)));
  }

  /** Reports a file that is gone as one that was emptied. */
  miss(problems: PlanReport['problems'], { detailedExitcode = false }: Pick<PlanFlags, 'detailedExitcode'>): void {
    const isRefused = this.#command === 'drift' || detailedExitcode;
    if (isRefused) this.exitCode = exitCodes.error;
    this.#end(isRefused ? this.#empty(problems) : { ...this.#empty([]), warnings: problems });
  }

  #end(report: PlanReport): void {
    this.#last.printed = report;
    this.#last.kept = report;
  }

  report(use: Use): AccountReport {
    const { name: account, file } = this.account;
    const report = this.#last[use] ?? this.#empty([]);
    const plan = this.#plans[use];
    return { account, file, exitCode: this.exitCode, report, before: plan === report ? undefined : plan };
  }

  #empty(problems: PlanReport['problems']): PlanReport {
    return unplanned(this.#command === 'drift' ? 'drift' : 'plan', problems);
  }
}

/** Returns an output that writes whole lines, each with the name of the account; `end` adds the last one. */
function namedOutput(account: string, hide: (text: string) => string, stderr: Output) {
  let rest = '';
  return {
    isTTY: stderr.isTTY,
    write(text: string | Uint8Array) {
      const lines = (rest + Buffer.from(text).toString()).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) stderr.write(printableLine(hide(`${account}: ${line}`)));
    },
    end(last: string) {
      this.write(`${rest === '' ? '' : '\n'}${last}\n`);
    },
  };
}
