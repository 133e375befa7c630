/** One check of `webdata doctor`, as data: text and JSON show the same. */
import type { Problem } from '../../base/diagnostics/problem.ts';
import { counted } from '../../base/diagnostics/valueWords.ts';
import { systemProblem } from '../../engine/doors/declaration.ts';
import { problemsOfError } from '../../engine/doors/session.ts';
import type { DoctorDocument } from './schema.ts';

export type Check = DoctorDocument['checks'][number];

/** The check that reading the declaration gave. `declared` is undefined if there is no file. */
export function declarationCheck(declared: number | undefined): Check {
  if (declared === undefined) {
    return { name: 'declaration', result: 'skipped', text: 'no declaration found; flags and environment are used' };
  }
  return { name: 'declaration', result: 'ok', text: `valid, declares ${counted(declared, 'resource')}` };
}

/** The first problem leads; `webdata validate` shows all of them. */
export function failedCheck(name: string, problems: readonly Problem[]): Check {
  const [first, ...more] = problems;
  const place = first?.place === undefined ? '' : `${first.place.file}:${first.place.line}:${first.place.column}: `;
  const others = more.length > 0 ? ` (and ${counted(more.length, 'more problem')})` : '';
  return { name, result: 'failed', text: `${place}${first?.found ?? 'failed'}${others}`, fix: first?.fix };
}

/** Turns an expected error of the action, also one of the file system, into a failed check. */
export async function attempt(name: string, action: () => Promise<Check[]>): Promise<Check[]> {
  try {
    return await action();
  } catch (error) {
    const problem = systemProblem(error);
    return [failedCheck(name, problem === undefined ? problemsOfError(error) : [problem])];
  }
}

/** Joins failed checks of one cause into the first of them, which names the others. Two requests to one server have one cause if they fail alike. */
export function groupedByCause(checks: readonly Check[]): Check[] {
  const groups = Map.groupBy(checks, (check) => (check.result === 'failed' ? causeOf(check) : check));
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined || others.length === 0) return first ?? [];
    const more = `${counted(others.length, 'more check')} failed for the same reason: ${others.map(({ name }) => name).join(', ')}`;
    return { ...first, text: `${first.text}; ${more}` };
  });
}

/** The text without what differs between requests to one server. */
function causeOf({ text }: Check): string {
  return text.replaceAll(/\b[A-Z]+ (https?:\/\/[^\s/?#]+)\S*/g, '$1');
}
