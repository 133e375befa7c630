/** The sentence that every report says first or last: the same in all formats. */

import type { PlanReport, Report } from '../model/report.ts';
import { runSummary } from './applySummary.ts';
import { summaryLine } from './planSummary.ts';
import { styleOf } from './style.ts';

const plain = styleOf({ color: false });

/** `Plan: 3 IPs move in 2 calls (may incur charges).`; nothing of it comes from outside. */
export function summaryOf(report: Report): string {
  return report.about === 'plan' ? summaryLine(report, plain) : runSummary(report, plain);
}

/** `webdata plan: 3 IPs move`, `webdata apply failed: 1 of 4 calls made`, `webdata drift: No drift.` */
export function titledSummary(report: Report): string {
  const sentence = summaryOf(report);
  const command = commandOf(report);
  const isTitled = sentence.toLowerCase().startsWith(command);
  return isTitled ? `webdata ${command}${sentence.slice(command.length)}` : `webdata ${command}: ${sentence}`;
}

/** Only what the report says of one of its resources. */
export function onlyOf(report: PlanReport, resource: PlanReport['plan']['resources'][number]): PlanReport {
  return { ...report, plan: { resources: [resource] }, problems: [] };
}

/** `plan`, `apply`: the command whose report it is. */
export function commandOf(report: Report): string {
  return report.about === 'plan' ? report.mode : report.command;
}
