/** Comments and issues as Markdown, and the hidden markers that they are found again by. */
import { createHash } from 'node:crypto';
import { shorten } from '../input/values.ts';
import { code, escaped } from '../report/markdownText.ts';
import { printableText } from '../report/printable.ts';
import { folded } from './folded.ts';
import type { Outcome } from './front.ts';

/** What a text is about, and where it was made. */
export interface About {
  /** Tells the texts of one repository apart. */
  key: string;
  commit?: string | undefined;
  runUrl?: string | undefined;
}

/** The most characters that a forge takes in one comment. */
export const longestBody = 65_536;

/** Stands at the start of a body, unseen. No key can end it early, and no two keys have the same. */
export function markerOf(kind: 'plan' | 'drift', key: string): string {
  const encoded = encodeURIComponent(key.toWellFormed()).replaceAll('%2F', '/').replaceAll('%3A', ':');
  return `<!-- webdata:${kind}:${encoded.replaceAll('--', '-%2D')} -->`;
}

/** Stands after the marker of an issue: what had drifted when it was written. */
export function driftMark(fingerprint: string): string {
  return `<!-- webdata:drifted:${createHash('sha256').update(fingerprint).digest('hex').slice(0, 16)} -->`;
}

export function planComment(outcome: Outcome, about: About): string {
  return body([markerOf('plan', about.key)], outcome, about);
}

export function driftIssue(outcome: Outcome, about: About): { title: string; body: string } {
  const marks = [markerOf('drift', about.key), driftMark(outcome.fingerprint)];
  return { title: `Drift: ${shorten(printableText(about.key))}`, body: body(marks, outcome, about) };
}

export function driftChanged({ summary }: Outcome, { runUrl }: About): string {
  const sentences = ['What has drifted is not the same any more, and the description is up to date.', escaped(summary)];
  return [...sentences, linkTo(runUrl)].join(' ').trim();
}

export function driftEnded({ runUrl }: About, now: Date): string {
  return `No drift any more, as of ${atMinute(now)}. ${linkTo(runUrl)}`.trim();
}

/** For where the front writes none itself. */
export function stepSummary(outcome: Outcome, about: About): string {
  return body([], outcome, about);
}

function body(marks: readonly string[], outcome: Outcome, { key, commit, runUrl }: About): string {
  const of = [code(printableText(key)), ...(commit === undefined ? [] : [`at ${code(commit.slice(0, 7))}`])];
  const context = [...of, linkTo(runUrl)].join(' ').trim();
  const start = [...marks, context, '', ''].join('\n');
  return `${start}${content(outcome, longestBody - start.length - 1)}\n`;
}

function content({ markdown, text, summary }: Outcome, room: number): string {
  const report = markdown.trim();
  if (report !== '' && report.length <= room) return report;
  const heading = `### ${escaped(summary)}\n\n`;
  return heading + folded('Output', text, room - heading.length);
}

function linkTo(runUrl: string | undefined): string {
  return runUrl === undefined ? '' : `([the run](${runUrl}))`;
}

function atMinute(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
