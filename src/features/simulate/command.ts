/** `webdata simulate`. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { accountFrom } from '../../cli/execution/openedAccount.ts';
import { withProgress } from '../../cli/execution/progress.ts';
import {
  enforceOption,
  type PlanFlags,
  pruneOption,
  resendOption,
  selectOption,
  withOutput,
  withPlanGuards,
} from '../../cli/options/coreCommands.ts';
import { withConnection, withJournal } from '../../cli/options/options.ts';
import { addExamples, positiveNumber } from '../../cli/options/values.ts';
import { forecastDocument, forecastText, type PricedForecast } from '../../cli/output/forecastOutput.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../cli/output/io.ts';
import { textOptions } from '../../cli/output/textOptions.ts';
import { withBudgets } from '../../engine/budgets.ts';
import type { Config } from '../../engine/declaration/config.ts';
import { forecast } from '../../engine/forecast/forecast.ts';
import { countMoves, type Plan } from '../../engine/plan/plan.ts';
import { planLive } from '../../engine/planAccount.ts';
import type { Meta } from '../../report/model/report.ts';
import { durationMs } from '../../triggers/declared/timingSpec.ts';
import { type FailureKind, failureKinds } from './failures.ts';
import { simulate } from './simulate.ts';
import { resultOf, simulationJson } from './simulationJson.ts';
import { simulationText } from './simulationText.ts';

interface Flags extends PlanFlags {
  failAt?: number;
  failure: FailureKind;
  for?: number;
  jobTime?: number;
}

const usage = {
  'webdata simulate': 'apply the plan to a copy of the account, call by call',
  'webdata simulate --fail-at 2': 'show what a refused second call leaves, and what plan and undo would then do',
  'webdata simulate --for 30d --job-time 20m': 'the ticks, overlaps, triggers and costs of the next 30 days, too',
  'webdata simulate --fail-at 1 --failure killed': 'the same if webdata is killed during the first call',
};

export function addSimulate(command: Command, { io, end }: Shell): void {
  withPlanGuards(withJournal(withOutput(withConnection(command))).addOption(selectOption()))
    .addOption(pruneOption())
    .addOption(resendOption())
    .option('--fail-at <call>', 'number of the call that fails, from 1', positiveNumber)
    .addOption(new Option('--failure <kind>', 'failure of that call').choices(failureKinds).default('refused'))
    .option('--for <time>', 'forecast the declared schedules for a period, such as 30d; at most 92d', forecastTime)
    .option('--job-time <time>', 'assumed duration of a job, for schedules without maxTime, such as 20m', timeOption)
    .addOption(enforceOption())
    .action(async (flags: Flags) => end(await simulateApply(flags, io)));
  addExamples(command, usage);
}

async function simulateApply(flags: Flags, io: Io): Promise<ExitCode> {
  await using account = await accountFrom(flags, io);
  return await account.read(async (context) => {
    const { failAt, failure: how, format } = flags;
    const planned = await planLive(context, flags, 'update');
    const failure = failAt === undefined ? undefined : { at: failAt, how };
    const simulation = await withProgress('simulating', io, () => simulate(context, planned, { ...flags, failure }));
    const meta: Meta = context.meta;
    const { plan } = simulation;
    const { problems, warnings } = await withBudgets(
      { problems: [], warnings: context.warnings },
      context,
      plan,
      flags,
    );
    const forecasted = flags.for === undefined ? undefined : forecastOf(context.config, plan, flags.for, flags.jobTime);
    if (format === 'json') {
      const remarks = { problems, warnings, forecast: forecasted && forecastDocument(forecasted) };
      io.stdout.write(simulationJson(simulation, meta, remarks));
    } else {
      const options = textOptions(flags, io);
      const text = simulationText(simulation, { ...meta, problems, warnings }, options);
      io.stdout.write(forecasted === undefined ? text : `${text}\n${forecastText(forecasted, options)}`);
    }
    const result = resultOf(simulation);
    const isExpected = result === 'done' || (failure !== undefined && result !== 'refused');
    return isExpected && problems.length === 0 ? exitCodes.done : exitCodes.error;
  });
}

function forecastOf({ declared, prices }: Config, plan: Plan, ms: number, jobMs: number | undefined): PricedForecast {
  const from = Date.now();
  return { ...forecast(declared, { from, until: from + ms, jobMs }), moves: countMoves(plan), prices };
}

/** Parses a time such as `20m`. */
function timeOption(text: string): number {
  if (!/^0*[1-9]\d{0,8}[smhd]$/.test(text)) throw new InvalidArgumentError('It must be a number with s, m, h or d.');
  return durationMs(text);
}

const longestForecast = '92d';

function forecastTime(text: string): number {
  const ms = timeOption(text);
  if (ms > durationMs(longestForecast)) throw new InvalidArgumentError(`It must be at most ${longestForecast}.`);
  return ms;
}
