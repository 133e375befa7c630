/** A simulation as text: each call with the zones after it, then the failure, the next plan and the undo. */
import { mergeByCause, type Problem } from '../../base/diagnostics/problem.ts';
import { counted, formatNumber } from '../../base/diagnostics/valueWords.ts';
import { printable } from '../../base/values/printable.ts';
import { isSameResource } from '../../engine/plan/plan.ts';
import { callsLeft } from '../../engine/run/apply.ts';
import type { Meta, PlanReport } from '../../report/model/report.ts';
import { sentCalls } from '../../report/model/results.ts';
import { consecutive, type Style, shortened, styleOf, type TextOptions } from '../../report/model/style.ts';
import { runSummary } from '../../report/model/summary.ts';
import { changedZones, countryWords } from '../../report/model/zones.ts';
import { heading } from '../../report/text/callRows.ts';
import { prose, type TextRow, table } from '../../report/text/layout.ts';
import { outcomeRows } from '../../report/text/outcomeRows.ts';
import { formatProblems } from '../../report/text/problems.ts';
import { reportText } from '../../report/text/text.ts';
import type { FailureKind } from './failures.ts';
import { modelled, notModelled } from './model.ts';
import type { SimulatedCall, Simulation } from './simulate.ts';

interface Remarks extends Meta {
  problems: readonly Problem[];
  warnings: readonly Problem[];
}

export function simulationText(
  given: Simulation,
  { problems, warnings, ...meta }: Remarks,
  options: TextOptions,
): string {
  const { plan, calls, copied, next, undo, ...simulation } = printable(given);
  const style = styleOf(options);
  const paragraph = (text: string) => prose(text, options.width);
  const planOf = (its: PlanReport['plan'], mode: 'plan' | 'undo', blocking: PlanReport['problems'] = []) =>
    reportText({ about: 'plan', mode, plan: its, problems: blocking, ...meta }, options).trimEnd();
  const remarks = formatProblems([...problems, ...warnings], options);
  const blocks =
    copied === undefined
      ? [planOf(plan, 'plan'), remarks, paragraph('Nothing was simulated: an apply would refuse this plan.')]
      : [
          paragraph(`Simulated on a copy of ${meta.origin}: ${modelled(copied)}. The account itself was only read.`),
          callLines(calls, style).join('\n'),
          ...outcomeBlocks({ plan, calls, ...simulation }, options),
          ...(next === undefined ? [] : [style.paint.bold('`webdata plan` would then show:'), planOf(next, 'plan')]),
          ...(undo === undefined
            ? []
            : [style.paint.bold('`webdata undo` would then show:'), planOf(undo.plan, 'undo', undo.problems)]),
          remarks,
          paragraph(`Not modelled: ${notModelled.join('; ')}.`),
        ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

const fewCalls = 20;

function callLines(all: readonly SimulatedCall[], style: Style): string[] {
  const { shown, more } = shortened(all, fewCalls, style);
  const groups = consecutive(shown, (a, b) => isSameResource(a.resource, b.resource));
  const lines = groups.flatMap((group, index) => {
    const [first] = group;
    if (first === undefined) return [];
    const calls = group.map(({ sent }) => sent);
    const rows = group.flatMap((each) => callRows(each, style));
    return [...(index === 0 ? [] : ['']), heading({ ...first.resource, calls }, style), ...table(rows, 2, style.width)];
  });
  return more > 0 ? [...lines, style.paint.dim(`  … and ${counted(more, 'more call')}: --full shows them`)] : lines;
}

/** Returns the row of the call, and one for each zone that it changed. */
function callRows({ number, sent, zones }: SimulatedCall, style: Style): TextRow[] {
  const made = outcomeRows(sentCalls({ made: [sent] }, style), style).map(({ cells, words }) => ({
    cells: [`${number}.`, ...cells],
    words,
  }));
  const changed = changedZones(zones).map((its): TextRow => {
    const counts = `${formatNumber(its.before)} → ${formatNumber(its.after)} IPs`;
    return { cells: ['', style.paint.bold(its.zone), counts], words: countryWords(its, false, style) };
  });
  return [...made, ...changed];
}

/** Returns what is left of the plan, the problems and the summary of the run. */
function outcomeBlocks(
  { plan, calls, result, failure }: Pick<Simulation, 'plan' | 'calls' | 'result' | 'failure'>,
  options: TextOptions,
): string[] {
  if (calls.length === 0) return [];
  const style = styleOf(options);
  const left = plan.resources.flatMap((resource) => {
    const made = calls.filter((each) => isSameResource(each.resource, resource)).map(({ sent }) => sent.call);
    const rest = callsLeft(resource.calls, made);
    const unsent = sentCalls({ made: [], notMade: rest }, style);
    return rest.length === 0
      ? []
      : [heading({ ...resource, calls: unsent }, style), ...table(outcomeRows(unsent, style), 2, style.width)];
  });
  const failed =
    failure &&
    style.paint.yellow(prose(`Call ${failure.at} failed as asked: ${failureWords[failure.how]}.`, options.width));
  const problems = result === undefined ? [] : mergeByCause(result.resources.flatMap((resource) => resource.problems));
  const summary = result && prose(runSummary({ result, command: 'apply' }, style), options.width);
  return [left.join('\n'), failed ?? '', formatProblems(problems, options), summary ?? ''];
}

const failureWords: Readonly<Record<FailureKind, string>> = {
  refused: 'the server refuses it, and it has no effect',
  'lost-answer': 'it takes effect, and the connection breaks before its answer',
  killed: 'it takes effect, and webdata is killed before its answer; the journal has the call without an outcome',
};
