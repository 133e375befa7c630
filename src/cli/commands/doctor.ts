/** `webdata doctor`: one line a check, its result and a fix; then the detected service profile, ready to paste. */
import { type Command, Option } from 'commander';
import { ProblemError } from '../../diagnostics/problem.ts';
import { bareConfigFrom, configFrom, isDeclarationThere } from '../../operations/declaration.ts';
import { printableLines } from '../../report/model/printable.ts';
import { profileYaml } from '../../service/profile.ts';
import type { Config } from '../../sync/config/config.ts';
import { type Check, type Diagnosis, declarationCheck, diagnose, failedCheck, isHealthy } from '../../sync/doctor.ts';
import { version } from '../../version.ts';
import { requestLine } from '../execution/commandContext.ts';
import { addExamples, type ConnectionFlags, withConnection } from '../options/options.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../output/io.ts';

interface Flags extends ConnectionFlags {
  format: 'text' | 'json';
}

const usage = {
  'webdata doctor': 'check webdata.yaml and the service that it names',
  'webdata doctor -f base.yaml -f prod.yaml': 'check another declaration',
  'webdata doctor --format json': 'the checks as JSON, for scripts',
};

export function addDoctor(command: Command, { io, end }: Shell): void {
  withConnection(command)
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'))
    .action(async (flags: Flags) => end(await doctor(flags, io)));
  addExamples(command, usage);
}

async function doctor(flags: Flags, io: Io): Promise<ExitCode> {
  const { config, check } = await readDeclaration(flags, io);
  const diagnosis = await diagnose(config, check, {
    timeoutMs: flags.timeout === undefined ? undefined : flags.timeout * 1000,
    retry: flags.retries === undefined ? undefined : { retries: flags.retries },
    onRequest: flags.logHttp ? (event) => io.stderr.write(requestLine(event)) : undefined,
    signal: io.signal,
  });
  io.stdout.write(flags.format === 'json' ? jsonOf(diagnosis) : textOf(diagnosis));
  return isHealthy(diagnosis) ? exitCodes.done : exitCodes.error;
}

/** A broken declaration is a failed check; the service is then checked with flags and the environment. */
async function readDeclaration(flags: Flags, io: Io): Promise<{ config: Config; check: Check }> {
  if (!isDeclarationThere(flags, io)) return { config: bareConfigFrom(flags, io), check: declarationCheck(undefined) };
  try {
    const config = await configFrom(flags, io);
    return { config, check: declarationCheck(config.declared.length) };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return { config: bareConfigFrom(flags, io), check: failedCheck('declaration', error.problems) };
  }
}

function textOf({ checks, profile }: Diagnosis): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.flatMap(({ name, result, text, fix }) => [
    `${marks[result]} ${name.padEnd(width)}  ${text}`,
    ...(fix === undefined ? [] : [`  ${' '.repeat(width)}  fix: ${fix}`]),
  ]);
  const hasProfile = Object.keys(profile).length > 0;
  const all = [
    ...lines,
    ...(hasProfile ? ['', 'Service profile, for the declaration:', '', profileYaml(profile)] : []),
  ];
  return printableLines(`${all.join('\n')}\n`);
}

const marks = { ok: 'ok    ', note: 'note  ', skipped: 'skip  ', failed: 'FAILED' } as const;

function jsonOf(diagnosis: Diagnosis): string {
  const { checks, profile } = diagnosis;
  const document = {
    format: 'webdata.doctor/1',
    version,
    result: isHealthy(diagnosis) ? 'ok' : 'failed',
    checks,
    profile,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
