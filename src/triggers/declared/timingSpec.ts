/** The declared form of a schedule's timing. */
import { z } from 'zod';
import { didYouMean } from '../../base/diagnostics/nearest.ts';
import type { Problem } from '../../base/diagnostics/problem.ts';
import { shorten } from '../../base/diagnostics/valueWords.ts';
import { raising } from '../../base/diagnostics/zodProblems.ts';
import { isTimeZone } from '../timing/timeZone.ts';
import { cronProblem } from './cronProblem.ts';

export const cronText = z
  .string()
  .superRefine(raising(cronProblem))
  .describe(
    'A cron expression: minute, hour, day of month, month and day of week, optionally with seconds first; or a nickname such as `@daily`. If both day fields restrict the days, either may match; if one begins with `*`, also as `*/2`, both must match, as in cron.',
  )
  .meta({ pattern: '^\\s*(@[a-z]+|\\S+(\\s+\\S+){4,5})\\s*$', examples: ['0 3 * * *', '*/15 8-18 * * MON-FRI'] });

export const timeZoneName = z
  .string()
  .superRefine(raising(timeZoneProblem))
  .describe('The time zone of the expression.')
  .meta({ pattern: '^[A-Z][A-Za-z0-9_+-]*(/[A-Z][A-Za-z0-9_+-]*)*$', examples: ['Europe/Berlin'] });

function timeZoneProblem(name: string): Problem | undefined {
  const isKnown = /^[A-Z]{3}$/.test(name) ? abbreviations.has(name) : /^[A-Z]/.test(name) && isTimeZone(name);
  if (isKnown) return undefined;
  return {
    code: 'unknown-time-zone',
    found: `\`${shorten(name)}\` is not a time zone`,
    allowed: 'a name of the time zone database, such as Europe/Berlin or UTC',
    fix: didYouMean(name, ['UTC', ...Intl.supportedValuesOf('timeZone')]) ?? 'use the continent and a city of the zone',
  };
}

/** Those of the time zone database. `Intl` takes others, some for a place that few people mean, such as BST for Dhaka. */
const abbreviations: ReadonlySet<string> = new Set('CET EET EST GMT HST MET MST PRC ROC ROK UCT UTC WET'.split(' '));

const durationWords = 'a positive whole number with the unit s, m, h or d, such as 30s, 10m or 1d; at most 366d';

/** Stays text, because it is registered and compared as text; `durationMs` parses it. */
export const duration = z
  .string(durationWords)
  .superRefine(raising(durationProblem))
  .describe('A whole number of seconds, minutes, hours or days.')
  .meta({ pattern: '^0*[1-9][0-9]*[smhd]$', examples: ['10m'] });

/** Parses a valid `duration`. */
export function durationMs(text: string): number {
  const [, number, unit = ''] = form.exec(text) ?? [];
  return Number(number) * (unitMs.get(unit) ?? Number.NaN);
}

const form = /^(\d+)([smhd])$/;
const unitMs = new Map([
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);
const LONGEST_MS = 366 * 86_400_000;

function durationProblem(text: string): Problem | undefined {
  const ms = durationMs(text);
  if (ms >= 1000 && ms <= LONGEST_MS) return undefined;
  return { code: 'wrong-duration', found: `\`${shorten(text)}\` is not a duration`, allowed: durationWords };
}
