/** Problems and messages as diagnostics, which Terraform shows beside the configuration. */
import { mergeByItem, type Problem } from '../../src/base/diagnostics/problem.ts';
import { formatProblem } from '../../src/report/text/problems.ts';
import { inWordsOf } from '../core/problems.ts';
import { attributePath } from './attributePath.ts';
import type { Attribute } from './attributes.ts';

export interface Diagnostic {
  severity: 'ERROR' | 'WARNING';
  summary: string;
  detail: string;
  attribute?: { steps: object[] };
}

/** `attributes` are those of the configuration in which the problems are. */
export function errorsFrom(problems: readonly Problem[], attributes: readonly Attribute[]): Diagnostic[] {
  return mergeByItem(problems).map((problem) => errorFrom(problem, attributes));
}

function errorFrom({ path = [], ...problem }: Problem, attributes: readonly Attribute[]): Diagnostic {
  const [summary = '', ...details] = formatProblem(inWordsOf('terraform', problem), { docs: true }).split('\n');
  const attribute = attributePath(attributes, path);
  return {
    severity: 'ERROR',
    summary: summary.trim(),
    detail: details.map((line) => line.trim()).join('\n'),
    ...(attribute.steps.length > 0 && { attribute }),
  };
}

export function warningFrom(text: string): Diagnostic {
  const [summary = '', ...details] = text.split('\n');
  return { severity: 'WARNING', summary, detail: details.join('\n') };
}
