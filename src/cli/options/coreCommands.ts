/** Options of commands that make a plan or print a report. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { PlanningOptions } from '../../engine/doors/connection.ts';
import { type FormatName, formatNames } from '../../report/formats.ts';
import {
  type ConsentFlags,
  type ContextFlags,
  parallelismOption,
  withAll,
  withConnection,
  withGuardOptions,
  withJournal,
} from './options.ts';
import { collect, formatOption } from './values.ts';

interface OutputFlags {
  format: FormatName;
  report?: ReportTarget[];
  color?: boolean;
  full?: boolean;
}

export interface PlanFlags extends ContextFlags, OutputFlags, PlanningOptions {}

export interface ApplyFlags extends PlanFlags, ConsentFlags {}

export function withOutput(command: Command, formats: readonly FormatName[] = ['text', 'json']): Command {
  return command
    .addOption(formatOption(formats))
    .option('--full', 'show every IP and every note')
    .option('--no-color', 'disable colors, as NO_COLOR does');
}

export function withReports(command: Command): Command {
  return withOutput(command, formatNames).option(
    '--report <format=file>',
    'report file, besides the output; repeatable',
    reportTarget,
  );
}

interface ReportTarget {
  format: FormatName;
  file: string;
}

function reportTarget(text: string, before: ReportTarget[] = []): ReportTarget[] {
  const [name = '', ...rest] = text.split('=');
  const format = formatNames.find((each) => each === name);
  const file = rest.join('=');
  if (format === undefined || file === '') {
    throw new InvalidArgumentError(`It must be FORMAT=FILE, with one of the formats ${formatNames.join(', ')}.`);
  }
  if (before.some((other) => other.file === file))
    throw new InvalidArgumentError('Another --report writes to this file.');
  return [...before, { format, file }];
}

export function selectOption(): Option {
  return new Option('--select <kind/name>', 'only this resource; repeatable').argParser(collect);
}

export function withPlanning(command: Command, select = selectOption()): Command {
  const planning = withJournal(withReports(withConnection(command)))
    .addOption(select)
    .addOption(parallelismOption());
  return withGuardOptions(planning)
    .addOption(unclearListingOption())
    .option('--force-ports', 'delete absentPorts even if the manager does not list its ports');
}

/** Adds the options of a plan of the whole declaration, and of its apply. */
export function withWholePlan(command: Command): Command {
  return withAll(withPlanning(command))
    .addOption(
      new Option('--zone <zone>', 'only moves that touch this zone; repeatable')
        .argParser(collect)
        .conflicts(['select', 'prune', 'all']),
    )
    .addOption(
      new Option(
        '--prune',
        "remove schedules and deliveries of the declaration's `name` that are registered but no longer declared",
      ).conflicts('select'),
    )
    .addOption(resendOption())
    .addOption(allowRemovedOption())
    .option('--strict', 'refuse a plan that takes back moves of an earlier run, as an older checkout does');
}

export function allowRemovedOption(): Option {
  return new Option('--allow-removed', 'accept that resources that were applied are no longer declared');
}

export function unclearListingOption(): Option {
  const summary = 'move IPs although a listing is not a whole list, or says another country';
  return new Option('--allow-unclear-listing', summary);
}

/** The option of plan and of every command that moves IPs. */
export function resendOption(): Option {
  return new Option('--resend', 'resend moves that the service accepted but no listing shows; may be charged twice');
}
