/** Explains why a text is not a name of the time zone database. */
import { didYouMean } from '../../base/diagnostics/nearest.ts';
import type { Problem } from '../../base/diagnostics/problem.ts';
import { shorten } from '../../base/diagnostics/valueWords.ts';
import { boundedCache } from '../../base/values/boundedCache.ts';
import { knownTimeZone } from '../timing/timeZone.ts';

/** Returns undefined for a name of the database. */
export function timeZoneProblem(name: string): Problem | undefined {
  if (isTimeZone(name)) return undefined;
  const isAbbreviation = /^[A-Z]{3,4}$/.test(name);
  return {
    code: 'unknown-time-zone',
    found: `time zone \`${shorten(name)}\` ${isAbbreviation ? 'is an abbreviation' : 'does not exist'}`,
    allowed: 'a name of the time zone database, such as Europe/Berlin or UTC',
    fix: (isAbbreviation ? undefined : nearest(name)) ?? 'use the continent and a city of the zone',
  };
}

/** Case-sensitive, because time zones are files on other machines. Cached, because listing all names is slow. */
const isTimeZone = boundedCache(256, (name) => {
  if (/^[A-Z]{3}$/.test(name)) return databaseAbbreviations.has(name);
  const known = /^(?!SystemV)[A-Z]/.test(name) ? knownTimeZone(name) : undefined;
  if (known === undefined || known === name) return known === name;
  return ![...Intl.supportedValuesOf('timeZone'), known].some((other) => other !== name && sameLetters(other, name));
});

/** `Intl` takes many abbreviations that the database does not have, some for a place that few people mean, such as BST for Dhaka. */
const databaseAbbreviations: ReadonlySet<string> = new Set(
  'CET EET EST GMT HST MET MST PRC ROC ROK UCT UTC WET'.split(' '),
);

function nearest(name: string): string | undefined {
  return didYouMean(name, databaseAbbreviations, 0) ?? didYouMean(name, Intl.supportedValuesOf('timeZone'));
}

function sameLetters(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
