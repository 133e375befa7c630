/** `webdata audit`. */
import type { Command } from 'commander';
import { assertNoProblems } from '../../base/diagnostics/problem.ts';
import { jsonText } from '../../base/values/printable.ts';
import { withContext } from '../../cli/execution/commandContext.ts';
import { withProgress } from '../../cli/execution/progress.ts';
import { type ConnectionFlags, withConnection } from '../../cli/options/options.ts';
import { addExamples, collect, formatOption } from '../../cli/options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../cli/output/io.ts';
import { textOptions } from '../../cli/output/textOptions.ts';
import { version } from '../../version.ts';
import { type Audit, readAudit } from './audit.ts';
import { auditLimits, auditText, callersByStatus } from './text.ts';

interface Flags extends ConnectionFlags {
  zone?: string[];
  strict?: boolean;
  format: 'table' | 'json';
  full?: boolean;
  color?: boolean;
}

export function addAudit(command: Command, { io, end }: Shell): void {
  withConnection(command)
    .option(
      '--zone <zone>',
      'only this zone; repeatable (default: zones used recently, with an allow list, or listed by the service)',
      collect,
    )
    .option(
      '--strict',
      'also exit with 2 for allowed addresses that were not seen and for callers that could not be compared',
    )
    .addOption(formatOption(['table', 'json']))
    .option('--full', 'show every caller and every entry')
    .option('--no-color', 'disable colors, as NO_COLOR does')
    .action(async (flags: Flags) => end(await audit(flags, io)));
  addExamples(command, {
    'webdata audit': 'callers of all zones, as far as they are known',
    'webdata audit --zone checkout': 'callers of one zone',
    'webdata audit --strict --format json': 'for programs; unseen entries count too',
  });
}

async function audit(flags: Flags, io: Io): Promise<ExitCode> {
  const { zone: zones = [], strict = false, format } = flags;
  return withContext(flags, io, async ({ config, session }) => {
    const found = await withProgress('reading the callers', io, () => readAudit(config, session, zones));
    const hasFindings = isFinding(found, strict);
    io.stdout.write(format === 'json' ? jsonOf(found, hasFindings) : auditText(found, textOptions(flags, io)));
    assertNoProblems(found.problems);
    return hasFindings ? exitCodes.changes : exitCodes.done;
  });
}

function isFinding({ zones, lists }: Audit, isStrict: boolean): boolean {
  const { 'not-allowed': notAllowed, unknown } = callersByStatus(zones);
  const isUnseen = lists.some(({ entries }) => entries.some(({ status }) => status === 'not-seen'));
  return notAllowed > 0 || (isStrict && (unknown > 0 || isUnseen));
}

function jsonOf({ service, zones, lists, problems }: Audit, hasFindings: boolean): string {
  const document = {
    format: 'webdata.audit/1',
    version,
    service,
    result: problems.length > 0 ? 'failed' : hasFindings ? 'findings' : 'ok',
    callers: callersByStatus(zones),
    zones,
    lists,
    limits: auditLimits,
    problems,
  };
  return jsonText(document);
}
