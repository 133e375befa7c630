/** Reports as SARIF 2.1.0 for code scanning and editors. */
import { createHash } from 'node:crypto';
import type { Location } from '../base/diagnostics/problem.ts';
import { counted } from '../base/diagnostics/valueWords.ts';
import { jsonText } from '../base/values/printable.ts';
import { noteDescription } from '../kinds/knownNotes.ts';
import { documentFormat } from './model/accounts.ts';
import { type Finding, findingsOf } from './model/findings.ts';
import { isFailure, type Report } from './model/report.ts';

/** A log has a run for each account. GitHub tells the runs apart by the names of the accounts. */
export const sarifFormat = documentFormat({
  one: (report) => logOf([runOf(report)]),
  accounts: ({ accounts }) => logOf(accounts.map(({ account, report }) => runOf({ ...report, account }))),
});

function logOf(runs: readonly object[]): string {
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs };
  return jsonText(log);
}

/** GitHub shows at most 5,000 results per upload. */
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
    ...(report.account === undefined ? {} : { automationDetails: { id: `webdata/${report.account}/` } }),
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
  const text = `${counted(leftOut, 'more finding')} not shown: the JSON and HTML reports have all of them`;
  return { toolExecutionNotifications: [{ level: 'warning', message: { text } }] };
}

interface Rule {
  id: string;
  [property: string]: unknown;
}

function rulesOf(findings: readonly Finding[]): Rule[] {
  const levels = new Map(findings.map(({ rule, level }) => [rule, level]));
  return [...levels].map(([id, level]) => {
    const description = {
      text: descriptions[id] ?? noteDescription(id)?.replace(/\.$/, '') ?? id.replaceAll('-', ' '),
    };
    return {
      id,
      shortDescription: description,
      fullDescription: description,
      help: { text: 'Each result names the problem and, if known, what is allowed and how to fix it.' },
      defaultConfiguration: { level },
    };
  });
}

const descriptions: Readonly<Record<string, string>> = {
  drift: 'The live state differs from the declaration',
  pending: 'The declaration has changed since it was last applied',
  'drift-and-pending': 'Both the live state and the declaration have changed since the last apply',
  'muted-drift': 'Drift whose alarm an exception mutes',
  'expired-exception': 'An exception has expired: its drift counts again',
  change: 'An apply would change the live state',
  failed: 'A resource could not be changed as declared',
  skipped: 'A resource was skipped because an earlier call failed',
};

/** Returns the top of the declaration, for findings without a location: GitHub requires one for each result. */
function fallbackPlace(report: Report, findings: readonly Finding[]): Location {
  const { resources } = report.about === 'plan' ? report.plan : report.result.plan;
  const place = [...findings, ...resources].find((each) => each.place !== undefined)?.place;
  return { file: place?.file ?? 'webdata.yaml', line: 1, column: 1 };
}

function locationOf({ file, line, column }: Location): object {
  // The schema requires numbers from 1.
  const region = { startLine: Math.max(1, line), startColumn: Math.max(1, column) };
  return { physicalLocation: { artifactLocation: { uri: uriOf(file) }, region } };
}

/** Returns a relative URI with each name of the path encoded. */
function uriOf(file: string): string {
  return file
    .split('/')
    .map((name) => encodeURIComponent(name))
    .join('/');
}

/** Escapes text that would be read as a link or as a placeholder. */
function messageOf(text: string): { text: string } {
  return { text: text.replaceAll('](', '] (').replaceAll(/\{(\d+)\}/g, '{{$1}}') };
}

/** Returns fingerprints that are unique in a report and stable across reports: the hash of a key and its number among equal keys. */
function numbered(keys: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return keys.map((key) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return `${createHash('sha256').update(key).digest('hex').slice(0, 32)}:${count}`;
  });
}
