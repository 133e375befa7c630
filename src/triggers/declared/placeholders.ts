/** Placeholders in endpoints and bucket targets, which become what the ledger knows of a run when its trigger is sent. */
import { didYouMean } from '../../base/diagnostics/nearest.ts';
import type { Problem } from '../../base/diagnostics/problem.ts';
import { shorten } from '../../base/diagnostics/valueWords.ts';

const names = ['owner', 'schedule', 'tick', 'run'] as const;
const placeholder = new RegExp(`\\{(${names.join('|')})\\}`, 'g');

export type PlaceholderValues = Readonly<Record<(typeof names)[number], string>>;

/** Returns a problem about a brace that belongs to no placeholder. */
export function placeholderProblem(text: string): Problem | undefined {
  const [brace] = /\{[^{}]*\}?|\}/.exec(text.replaceAll(placeholder, '')) ?? [];
  if (brace === undefined) return undefined;
  const allowed = names.map((name) => `{${name}}`);
  return {
    code: 'unknown-placeholder',
    found: `\`${shorten(brace)}\` is not a placeholder`,
    allowed: allowed.join(', '),
    fix: didYouMean(brace, allowed) ?? 'write a brace that is meant as %7B or %7D',
  };
}

/** Replaces the placeholders by values. */
export function fillPlaceholders(text: string, values: PlaceholderValues, encode: (value: string) => string): string {
  return text.replaceAll(placeholder, (_, name: keyof PlaceholderValues) => encode(values[name]));
}

/** Returns the time of a tick in a form that can be part of every file name, such as `2026-03-01T02-00-00Z`. */
export function tickText(tickAt: number): string {
  return new Date(tickAt)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-');
}
