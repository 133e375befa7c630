/** Annotations for GitHub Actions: workflow commands, one per line, which GitHub shows beside the lines of the files. */
import type { Location } from '../base/diagnostics/problem.ts';
import { isDrift } from '../engine/baseline/driftRules.ts';
import { isUnhealthy } from '../kinds/knownNotes.ts';
import { type AccountsFormat, accountsSummary, documentFormat } from './model/accounts.ts';
import { causeGroups } from './model/causes.ts';
import { differencesOf } from './model/differences.ts';
import { type Finding, findingsOf } from './model/findings.ts';
import type { PlanReport, Report, ReportFormat } from './model/report.ts';
import { listed, plainStyle, shortened } from './model/style.ts';
import { commandOf, onlyOf, summaryLine, summaryOf } from './model/summary.ts';

const annotations: ReportFormat = (report) => {
  const command = `webdata ${commandOf(report)}${report.account === undefined ? '' : ` ${report.account}`}`;
  return linesOf(annotationsOf(report), { level: 'notice', title: command, text: summaryOf(report) });
};

/** Returns the annotations of all accounts, whose names are in the titles. */
const accountsAnnotations: AccountsFormat = (report) => {
  const all = report.accounts.flatMap(({ account, report: its }) =>
    annotationsOf(its).map((each) => ({ ...each, title: `${each.title} (${account})` })),
  );
  const summaries = report.accounts.map((each) => `${each.account}: ${summaryOf(each.report)}`);
  const { shown, more } = shortened(summaries, fewAccounts, plainStyle);
  const text = [accountsSummary(report), ...shown, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n');
  return linesOf(all, { level: 'notice', title: `webdata ${report.command}`, text });
};

export const githubFormat = documentFormat({ one: annotations, accounts: accountsAnnotations });

const fewAccounts = 20;

function annotationsOf(report: Report): Annotation[] {
  const findings = findingsOf(report);
  const errors = findings.filter(({ level }) => level === 'error').map((each) => annotationOf(each, 'error'));
  return [...errors, ...warningsOf(report, findings)];
}

function linesOf(annotations: readonly Annotation[], notice: Annotation): string {
  const of = (level: Annotation['level']) => annotations.filter((each) => each.level === level);
  return `${[...bounded(of('error')), ...bounded(of('warning')), annotationLine(notice)].join('\n')}\n`;
}

interface Annotation {
  level: 'error' | 'warning' | 'notice';
  title: string;
  text: string;
  place?: Location | undefined;
}

/** GitHub shows at most ten annotations of each level per step. */
const most = 10;

function bounded(annotations: readonly Annotation[]): string[] {
  const [first] = annotations;
  if (first === undefined || annotations.length <= most) return annotations.map(annotationLine);
  const more = annotations.length - (most - 1);
  const last = { level: first.level, title: 'webdata', text: `and ${more} more: see the output of this step` };
  return [...annotations.slice(0, most - 1), last].map(annotationLine);
}

function annotationOf({ rule, text, place }: Finding, level: 'error' | 'warning'): Annotation {
  return { level, title: `webdata: ${rule}`, text, place };
}

/** Returns the warnings. Drift has one per resource, since one per difference could exceed the limit. */
function warningsOf(report: Report, findings: readonly Finding[]): Annotation[] {
  const isDriftReport = report.about === 'plan' && report.mode === 'drift';
  const isOwn = ({ rule }: Finding) => !isDriftReport || rule === 'expired-exception';
  const warnings = findings.filter((finding) => finding.level === 'warning' && isOwn(finding));
  const shown = warnings.map((each) => annotationOf(each, 'warning'));
  return isDriftReport ? [...shown, ...driftWarnings(report)] : shown;
}

const fewDifferences = 6;

function driftWarnings(report: PlanReport): Annotation[] {
  return report.plan.resources
    .filter((resource) => isDrift(resource, report))
    .map((resource) => {
      const { collection, name, place } = resource;
      const unhealthy = resource.notes.filter((note) => isUnhealthy(note) && !note.muted).map(({ text }) => text);
      const causes = causeGroups(resource, report).map(
        ({ label, items }) => `${label}: ${listed(items, plainStyle).join(' ')}`,
      );
      const differences = [...differencesOf(resource, 'drift').map(({ text }) => text), ...causes, ...unhealthy];
      const { shown, more } = shortened(differences, fewDifferences, plainStyle);
      const sentence = summaryLine(onlyOf(report, { ...resource, problems: [] }), plainStyle);
      return {
        level: 'warning',
        title: `webdata drift: ${collection}/${name}`,
        text: [sentence, ...shown, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n'),
        place,
      };
    });
}

/** Formats a workflow command. Escapes line breaks, so that no text can start another command. */
export function annotationLine({ level, title, text, place }: Annotation): string {
  const where = place ? [`file=${property(place.file)}`, `line=${place.line}`, `col=${place.column}`] : [];
  return `::${level} ${[...where, `title=${property(title)}`].join(',')}::${data(text)}`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
