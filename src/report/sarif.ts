/** Findings as SARIF 2.1.0, which code scanning and editors read. */
import { createHash } from 'node:crypto';
import type { Location } from '../diagnostics/problem.ts';
import { counted } from '../diagnostics/valueWords.ts';
import { type Finding, findingsOf } from './model/findings.ts';
import { portable } from './model/locations.ts';
import { printable, printableJson } from './model/printable.ts';
import { type Format, isFailure, type Report } from './model/report.ts';

export const sarif: Format = (report) => {
  const shown = printable(portable(report));
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [runOf(shown)] };
  return `${printableJson(JSON.stringify(log, null, 2))}\n`;
};

/** GitHub shows no more of one upload. */
const most = 5_000;

function runOf(report: Report): object {
  const all = findingsOf(report);
  const findings = all.slice(0, most);
  const rules = rulesOf(findings);
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  const elsewhere = fallbackPlace(report, all);
  const keys = numbered(findings.map(({ rule, key }) => JSON.stringify([rule, ...key])));
  return {
    tool: { driver: { name: 'webdata', version: report.version, rules } },
    columnKind: 'utf16CodeUnits',
    invocations: [{ executionSuccessful: !isFailure(report), ...notifications(all.length - findings.length) }],
    results: findings.map((finding, index) => ({
      ruleId: finding.rule,
      ruleIndex: indexes.get(finding.rule),
      ...resultOf(finding, finding.place ?? elsewhere),
      partialFingerprints: { primaryLocationLineHash: keys[index] },
    })),
  };
}

function resultOf({ level, text, also }: Finding, place: Location): object {
  const related = also.map((other) => ({ ...locationOf(other.place), message: messageOf(other.what) }));
  return {
    level,
    message: messageOf(text),
    locations: [locationOf(place)],
    ...(related.length > 0 ? { relatedLocations: related } : {}),
  };
}

function notifications(leftOut: number): object {
  if (leftOut === 0) return {};
  const text = `${counted(leftOut, 'more finding')} left out here: the JSON and HTML reports have all`;
  return { toolExecutionNotifications: [{ level: 'warning', message: { text } }] };
}

interface Rule {
  id: string;
  [property: string]: unknown;
}

function rulesOf(findings: readonly Finding[]): Rule[] {
  const levels = new Map(findings.map(({ rule, level }) => [rule, level]));
  return [...levels].map(([id, level]) => {
    const description = { text: descriptions[id] ?? id.replaceAll('-', ' ') };
    return {
      id,
      shortDescription: description,
      fullDescription: description,
      help: { text: 'Each result says what was found and, where that is known, what is allowed and what to do.' },
      defaultConfiguration: { level },
    };
  });
}

const descriptions: Readonly<Record<string, string>> = {
  drift: 'The live state is not as declared',
  change: 'An apply would change the live state',
  failed: 'A resource could not be made as declared',
  skipped: 'A resource was not tried, because something failed before it',
};

/** GitHub takes no result without a location, so that what has no place stands at the top of the declaration. */
function fallbackPlace(report: Report, findings: readonly Finding[]): Location {
  const { resources } = report.about === 'plan' ? report.plan : report.result.plan;
  const place = [...findings, ...resources].find((each) => each.place !== undefined)?.place;
  return { file: place?.file ?? 'webdata.yaml', line: 1, column: 1 };
}

function locationOf({ file, line, column }: Location): object {
  // Counted from 1 by the schema, whoever counted the place.
  const region = { startLine: Math.max(1, line), startColumn: Math.max(1, column) };
  return { physicalLocation: { artifactLocation: { uri: uriOf(file) }, region } };
}

/** Relative, each name of the path encoded. */
function uriOf(file: string): string {
  return file
    .split('/')
    .map((name) => encodeURIComponent(name))
    .join('/');
}

/** Brackets would be read as a link, and a number in braces as a placeholder. */
function messageOf(text: string): { text: string } {
  return { text: text.replaceAll('](', '] (').replaceAll(/\{(\d+)\}/g, '{{$1}}') };
}

/** Stable from report to report, and no two alike in one: the hash of what a finding is about, and its number among its likes. */
function numbered(keys: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return keys.map((key) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return `${createHash('sha256').update(key).digest('hex').slice(0, 32)}:${count}`;
  });
}
