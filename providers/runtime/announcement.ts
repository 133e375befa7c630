/** What a preview says of a resource beyond the difference of its inputs. */
import { formatPath } from '../../src/diagnostics/path.ts';
import type { Problem } from '../../src/diagnostics/problem.ts';
import type { Diff } from '../../src/kinds/kind.ts';
import { isUnmanaged } from '../../src/kinds/knownNotes.ts';
import { printable } from '../../src/report/model/printable.ts';
import { plannedRows } from '../../src/report/text/callRows.ts';
import { table } from '../../src/report/text/layout.ts';
import { formatProblems } from '../../src/report/text/problems.ts';
import { styleOf } from '../../src/report/text/style.ts';
import { totalParts } from '../../src/report/text/summary.ts';
import { summarize } from '../../src/sync/plan/plan.ts';
import { inPulumiWords } from './failure.ts';
import type { Target } from './target.ts';

const style = styleOf({ color: false, width: 100 });

/** Undefined where there is nothing to say: of a resource that is as declared, and was before. */
export function announcement(target: Target, diff: Diff | undefined): string | undefined {
  if (diff === undefined) return undefined;
  const { calls, changes, notes } = printable(diff);
  if (calls.length === 0 && !target.isNew) return undefined;
  const rows = table(plannedRows({ calls, changes }, style), 2, style.width);
  // Of a resource that was there before, unmanaged IPs are an output, and no news.
  const said = notes.filter((note) => target.isNew || !isUnmanaged(note)).map(({ text }) => `  note: ${text}`);
  return [`${titleOf(target)}: ${summary(diff)}`, ...rows, ...said].join('\n');
}

export function warning(target: Target, problems: readonly Problem[]): string {
  const told = formatProblems(problems.map(inPulumiWords)).split('\n');
  const title = `${titleOf(target)}: warning: as things stand now, this can't be done, unless a resource that is declared later gives what it wants`;
  return [title, ...told.map((line) => `  ${line}`)].join('\n');
}

/** The machine of a proxy manager may be made by the same stack. */
export function unreachableYet(target: Target, problems: readonly Problem[]): string {
  return `${titleOf(target)}: warning: its calls can't be told, as it does not answer yet: ${problems.map(({ found }) => found).join('; ')}`;
}

/** What is not known yet in a preview. */
export function notKnownYet(kind: string, paths: readonly PropertyKey[][]): string {
  const named = paths.slice(0, 3).map(formatPath).join(', ');
  return `${kind}: its calls can be told once ${named}${paths.length > 3 ? ', …' : ''} is known`;
}

function titleOf({ adapter, spec, context }: Target): string {
  return `${adapter.kind.name} ${adapter.title(spec, context())}`;
}

function summary(diff: Diff): string {
  if (diff.calls.length === 0) return 'is as declared already; it is adopted, and nothing is called';
  const plan = { resources: [{ kind: '', collection: '', name: '', fingerprints: {}, ...diff }] };
  const { totals } = summarize(plan);
  const isRegistration = ({ total }: (typeof totals)[number]) => total.name === 'registrations';
  const isRegistered = totals.some((each) => isRegistration(each) && each.count > 0);
  const verb = diff.changes.some(({ kind }) => kind !== 'add') ? 'is changed' : 'is registered';
  const others = totals.filter((each) => !isRegistration(each));
  return [...totalParts({ totals: others }, 'plan'), ...(isRegistered ? [verb] : [])].join(', ');
}
