/** Runs a command for every account of `--all`: several at a time, each on its own, with one report, one question and one exit code. */

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
import { assertNotOverwritten } from '../output/outputFile.ts';
import { printAccounts, publishAccounts, ReportsFailed } from '../output/reporting.ts';
import type { AccountFile } from './accountFiles.ts';
import { confirm } from './consent.ts';
import { withoutProgress, withProgress } from './progress.ts';

/** Runs the command for one account. Its reports are taken from it, and its output goes to stderr with the name of the account. */
type RunOne<Flags> = (account: AccountFile, flags: Flags, io: Io) => Promise<ExitCode>;

/**
 * Runs the command for all accounts and writes their reports together, in the order of their files. Neither a failure nor a problem of an
 * account stops another one. Returns the worst exit code: 1 before 2 before 0. @throws ReportsFailed
 */
export async function forAllAccounts<Flags extends AllFlags & PlanFlags & { yes?: boolean }>(
  command: AccountsReport['command'],
  accounts: readonly AccountFile[],
  flags: Flags,
  io: Io,
  runOne: RunOne<Flags>,
): Promise<ExitCode> {
  assertReportsApart(accounts, flags, io);
  const secrets = accounts.flatMap((account) => account.secrets);
  const hide = hideValues(secrets);
  const runs = accounts.map((account) => new AccountRun(account, command));
  const reportOf = (about: AccountsReport['command'], use: Use): AccountsReport => ({
    command: about,
    version,
    accounts: runs.map((run) => run.report(use)),
  });
  const isText = flags.format === 'text';
  const consent = new JointConsent(runs.length, async (count) => {
    if (isText) await printAccounts(reportOf('plan', 'printed'), hide, flags, io);
    for (const run of runs) run.wasShown();
    const question = `Make these changes in ${counted(count, 'account')}?`;
    return withoutProgress(io, () => confirm(question, isText ? io : {}));
  });
  const slots = new Slots(flags.parallelAccounts);
  const progress = new Progress(runs.length, redactor(secrets), io.stderr);
  await withProgress(`working on ${counted(runs.length, 'account')}`, io, async () => {
    await Promise.all(runs.map((run) => runAccount(run, { consent, slots, progress }, flags, io, runOne)));
  });
  await publishAccounts({ kept: reportOf(command, 'kept'), printed: reportOf(command, 'printed') }, hide, flags, io);
  if (consent.error !== undefined) throw new ReportsFailed(explainedProblems(consent.error, io.signal));
  return worst(runs.map(({ exitCode }) => exitCode));
}

/** The state that the runs of all accounts share. */
interface Shared {
  consent: JointConsent;
  slots: Slots;
  progress: Progress;
}

async function runAccount<Flags extends AllFlags & PlanFlags>(
  run: AccountRun,
  { consent, slots, progress }: Shared,
  flags: Flags,
  io: Io,
  runOne: RunOne<Flags>,
): Promise<void> {
  const { name, files } = run.account;
  await slots.take();
  const stderr = progress.output(name);
  const accountIo: Io = {
    ...io,
    stdout: { write: () => true },
    stderr,
    takeReport: (report: Report, use) => run.take(report, use),
    async confirm() {
      progress.ended(name, 'planned');
      slots.give();
      const answer = await consent.ask();
      await slots.take();
      return answer;
    },
  };
  const accountFlags = { ...flags, all: undefined, file: files, report: undefined, format: 'text' as const };
  try {
    if (run.account.gone !== undefined) run.miss(goneProblem(run.account.gone), accountFlags);
    else run.exitCode = await runOne(run.account, accountFlags, accountIo);
  } catch (error) {
    run.fail(error, io);
  }
  stderr.end();
  progress.ended(name, accountState(run.report('printed')).words);
  slots.give();
  consent.ended();
}

/** Returns the most severe exit code: an error, then changes or drift. */
function worst(codes: readonly ExitCode[]): ExitCode {
  const order = [exitCodes.error, exitCodes.changes];
  return order.find((code) => codes.includes(code)) ?? exitCodes.done;
}

function assertReportsApart(accounts: readonly AccountFile[], { report = [] }: PlanFlags, io: Io): void {
  const outputs = report.map(({ format, file }) => ({ what: `--report ${format}=${file}`, file }));
  const files = new Set(accounts.flatMap((account) => account.files));
  assertNotOverwritten(
    outputs,
    [...files].map((file) => ({ what: 'the declaration', file })),
    io,
  );
}

type Use = 'printed' | 'kept';

/** The run of one account, with its last reports. */
class AccountRun {
  readonly account: AccountFile;
  exitCode: ExitCode = exitCodes.done;
  readonly #command: AccountsReport['command'];
  readonly #plans: Partial<Record<Use, PlanReport>> = {};
  readonly #last: Partial<Record<Use, Report>> = {};
  /** The report that the user has seen with the question. */
  #shown: Report | undefined;

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

  wasShown(): void {
    this.#shown = this.#last.printed;
  }

  report(use: Use): AccountReport {
    const { name: account, file } = this.account;
    const report = this.#last[use] ?? this.#empty([]);
    const plan = this.#plans[use];
    const before = plan !== report && this.#shown === undefined ? plan : undefined;
    const isShown = use === 'printed' && report === this.#shown ? (false as const) : undefined;
    return { account, file, exitCode: this.exitCode, report, before, isShown };
  }

  #empty(problems: PlanReport['problems']): PlanReport {
    return unplanned(this.#command === 'drift' ? 'drift' : 'plan', problems);
  }
}

/** Asks once for all accounts that wait for an answer, when all others have ended. */
class JointConsent {
  /** The error of the question, such as a missing terminal. All accounts were then declined. */
  error: unknown;
  #open: number;
  readonly #waiting: ((answer: boolean) => void)[] = [];
  readonly #question: (count: number) => Promise<boolean>;

  constructor(accounts: number, question: (count: number) => Promise<boolean>) {
    this.#open = accounts;
    this.#question = question;
  }

  ask(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waiting.push(resolve);
    void this.#askIfComplete();
    return promise;
  }

  ended(): void {
    this.#open -= 1;
    void this.#askIfComplete();
  }

  async #askIfComplete(): Promise<void> {
    if (this.#waiting.length === 0 || this.#waiting.length < this.#open) return;
    const waiting = this.#waiting.splice(0);
    const answer = await this.#question(waiting.length).catch((error: unknown) => {
      this.error = error;
      return false;
    });
    for (const resolve of waiting) resolve(answer);
  }
}

/** Limits the accounts that are handled at a time. An account that waits for the answer of the user has no slot. */
class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async take(): Promise<void> {
    this.#free -= 1;
    if (this.#free < 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  give(): void {
    this.#free += 1;
    this.#waiting.shift()?.();
  }
}

/** Progress on stderr: a line for each account that ends a phase, and the messages of the accounts with their names. */
class Progress {
  readonly #total: number;
  readonly #hide: (text: string) => string;
  readonly #stderr: Output;
  readonly #counts = new Map<string, number>();

  constructor(total: number, hide: (text: string) => string, stderr: Output) {
    this.#total = total;
    this.#hide = hide;
    this.#stderr = stderr;
  }

  ended(account: string, state: string): void {
    const phase = state === 'planned' ? state : 'ended';
    const count = (this.#counts.get(phase) ?? 0) + 1;
    this.#counts.set(phase, count);
    this.#line(account, `${state} (${count} of ${this.#total})`);
  }

  /** Returns an output that writes whole lines, each with the name of the account. */
  output(account: string): Output & { end(): void } {
    let rest = '';
    return {
      isTTY: this.#stderr.isTTY,
      write: (text) => {
        const lines = (rest + Buffer.from(text).toString()).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) this.#line(account, line);
      },
      end: () => {
        if (rest !== '') this.#line(account, rest);
      },
    };
  }

  #line(account: string, text: string): void {
    this.#stderr.write(printableLine(this.#hide(`${account}: ${text}`)));
  }
}
