/** `webdata doctor`: one line a check, its result and a fix; then the detected service profile, ready to paste. */
import type { Command } from 'commander';
import { ProblemError } from '../../base/diagnostics/problem.ts';
import { jsonText, printable } from '../../base/values/printable.ts';
import { requestLine } from '../../cli/execution/commandContext.ts';
import { showPause, withProgress } from '../../cli/execution/progress.ts';
import { type ConnectionFlags, withConnection, withJournal } from '../../cli/options/options.ts';
import { addExamples, formatOption } from '../../cli/options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../cli/output/io.ts';
import { textOptions } from '../../cli/output/textOptions.ts';
import { profileYaml } from '../../client/profile.ts';
import { withBackend } from '../../engine/doors/backend.ts';
import { type AddressOptions, isDeclarationThere } from '../../engine/doors/connection.ts';
import { bareConfigFrom, type Config, configFrom } from '../../engine/doors/declaration.ts';
import { styleOf, type TextOptions } from '../../report/model/style.ts';
import { hanging } from '../../report/text/layout.ts';
import { version } from '../../version.ts';
import { type Check, declarationCheck, failedCheck, groupedByCause } from './check.ts';
import { type Diagnosis, diagnose, isHealthy } from './diagnose.ts';
import type { DoctorDocument } from './schema.ts';

interface Flags extends ConnectionFlags, AddressOptions {
  format: 'text' | 'json';
  color?: boolean;
}

export function addDoctor(command: Command, { io, end }: Shell): void {
  withJournal(withConnection(command))
    .addOption(formatOption(['text', 'json']))
    .option('--no-color', 'disable colors, as NO_COLOR does')
    .action(async (flags: Flags) => end(await doctor(flags, io)));
  addExamples(command, {
    'webdata doctor': 'check webdata.yaml and the service that it names',
    'webdata doctor -f base.yaml -f prod.yaml': 'check another declaration',
    'webdata doctor --format json': 'the checks as JSON, for scripts',
  });
}

async function doctor(flags: Flags, io: Io): Promise<ExitCode> {
  const { config, check } = await readDeclaration(flags, io);
  const diagnosis = await withProgress('checking the setup', io, () =>
    diagnose(config, check, (action) => withBackend(flags, io, config, action), flags, {
      onPause: (pause) => showPause(io, pause),
      onRequest: flags.logHttp ? (event) => io.stderr.write(requestLine(event)) : undefined,
      env: io.env,
      signal: io.signal,
    }),
  );
  io.stdout.write(flags.format === 'json' ? jsonOf(diagnosis) : diagnosisText(diagnosis, textOptions(flags, io)));
  return isHealthy(diagnosis) ? exitCodes.done : exitCodes.error;
}

/** Reports a broken declaration as a failed check. The service is then checked with the settings of options and the environment. */
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

/** Formats the checks. On a terminal, long texts wrap; in files and for programs, each check is one line. */
function diagnosisText(diagnosis: Diagnosis, { width = Number.MAX_SAFE_INTEGER, color }: TextOptions): string {
  const { profile, ...diagnosed } = printable(diagnosis);
  const checks = groupedByCause(diagnosed.checks);
  const { paint } = styleOf({ color });
  const paints = { ok: paint.green, note: paint.yellow, skipped: paint.dim, failed: paint.red };
  const column = Math.max(...checks.map(({ name }) => (name.length > widestName ? 0 : name.length)));
  const lines = checks.flatMap(({ name, result, text, fix }) => {
    const head = `${paints[result](marks[result])} ${name.padEnd(column)}  `;
    const below = ' '.repeat(marks.ok.length + 1 + column + 2);
    const advice = fix === undefined ? [] : hanging(below, ['fix:', ...fix.split(' ')], belowIndent, width);
    return [...hanging(head, text.split(' '), belowIndent, width), ...advice];
  });
  const hasProfile = Object.keys(profile).length > 0;
  const all = [
    ...lines,
    ...(hasProfile ? ['', 'Service profile, for the declaration:', '', profileYaml(profile)] : []),
  ];
  return `${all.join('\n')}\n`;
}

const marks = { ok: 'ok    ', note: 'note  ', skipped: 'skip  ', failed: 'FAILED' } as const;
/** Names that are longer than this, such as URLs of managers, do not widen the column. */
const widestName = 20;
/** The indentation of texts that do not fit beside their names. */
const belowIndent = 4;

function jsonOf(diagnosis: Diagnosis): string {
  const { checks, profile } = diagnosis;
  const document = {
    format: 'webdata.doctor/1',
    version,
    result: isHealthy(diagnosis) ? 'ok' : 'failed',
    checks,
    profile: { ...profile },
  } satisfies DoctorDocument;
  return jsonText(document);
}
