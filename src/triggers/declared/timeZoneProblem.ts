/** Explains why a text is not a name of the time zone database. */
import { didYouMean } from '../../base/diagnostics/nearest.ts';
import type { Problem } from '../../base/diagnostics/problem.ts';
import { shorten } from '../../base/diagnostics/valueWords.ts';
import { boundedCache } from '../../base/values/boundedCache.ts';
import { knownTimeZone } from '../timing/timeZone.ts';

/** Returns undefined for a name of the database. */
export function timeZoneProblem(name: string): Problem | undefined {
  if (isTimeZone(name)) return undefined;
  const places = placesMeant(name.toUpperCase());
  return {
    code: 'unknown-time-zone',
    found: `time zone \`${shorten(name)}\` ${places === undefined ? 'does not exist' : 'is an abbreviation'}`,
    allowed: 'a name of the time zone database, such as Europe/Berlin or UTC',
    fix: places === undefined ? nearest(name) : `write ${places}`,
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

/** The places of abbreviations with two meanings. */
const ambiguous: Readonly<Record<string, readonly [string, string]>> = {
  ACT: ['Australia/Darwin', 'America/Rio_Branco'],
  ADT: ['America/Halifax', 'America/Anchorage'],
  AEST: ['Australia/Sydney', 'Australia/Brisbane'],
  AET: ['Australia/Sydney', 'Australia/Brisbane'],
  ART: ['America/Argentina/Buenos_Aires', 'Africa/Cairo'],
  AST: ['America/Halifax', 'Asia/Riyadh'],
  BST: ['Europe/London', 'Asia/Dhaka'],
  CDT: ['America/Chicago', 'America/Havana'],
  CEST: ['Europe/Berlin', 'Europe/Paris'],
  CST: ['America/Chicago', 'Asia/Shanghai'],
  ECT: ['Europe/Paris', 'America/Guayaquil'],
  EDT: ['America/New_York', 'America/Toronto'],
  IST: ['Asia/Kolkata', 'Europe/Dublin'],
  MDT: ['America/Denver', 'America/Edmonton'],
  MIT: ['Pacific/Apia', 'Pacific/Marquesas'],
  NST: ['America/St_Johns', 'Pacific/Auckland'],
  PDT: ['America/Los_Angeles', 'America/Vancouver'],
  PST: ['America/Los_Angeles', 'Asia/Manila'],
  SST: ['Pacific/Guadalcanal', 'Pacific/Pago_Pago'],
};

/** Returns undefined for a text that is no abbreviation. */
function placesMeant(name: string): string | undefined {
  if (Object.hasOwn(ambiguous, name)) return `${ambiguous[name]?.join(' or ')}`;
  return /^[A-Z]{3}$/.test(name) && !databaseAbbreviations.has(name) ? knownTimeZone(name) : undefined;
}

function nearest(name: string): string {
  return didYouMean(name, [...Intl.supportedValuesOf('timeZone'), 'UTC']) ?? 'use the continent and a city of the zone';
}

function sameLetters(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
