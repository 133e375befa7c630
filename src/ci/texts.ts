/** Comments and issues as Markdown, with the hidden markers by which later runs find them. */
import { createHash } from 'node:crypto';
import { shorten } from '../base/diagnostics/valueWords.ts';
import { printableText } from '../base/values/printable.ts';
import { code, escaped, fenced } from '../report/markdown/markup.ts';
import { policyMarkdown } from './policy.ts';
import type { Outcome } from './runner.ts';

/** The subject of a text, and the job that wrote it. */
export interface About {
  /** Distinguishes the texts of one repository. */
  key: string;
  commit?: string | undefined;
  jobUrl?: string | undefined;
}

/** The limit of GitHub and GitLab for one comment, in characters. */
export const longestBody = 65_536;

/** An HTML comment at the start of a body. No key can end the comment early, and no two keys have the same marker. */
export function markerOf(kind: 'plan' | 'drift' | 'proposal', key: string): string {
  const encoded = encodeURIComponent(key.toWellFormed()).replaceAll('%2F', '/').replaceAll('%3A', ':');
  return `<!-- webdata:${kind}:${encoded.replaceAll('--', '-%2D')} -->`;
}

/** An HTML comment: identifies the drift that an issue reports. */
export function driftMarkOf(fingerprint: string): string {
  return `<!-- webdata:drifted:${hashOf(fingerprint)} -->`;
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

export function planComment(outcome: Outcome, about: About): string {
  return messageBody([markerOf('plan', about.key)], outcome, about, policyMarkdown(outcome));
}

export function driftIssue(outcome: Outcome, about: About): { title: string; body: string } {
  const marks = [markerOf('drift', about.key), driftMarkOf(outcome.fingerprint)];
  return { title: `Drift: ${shorten(printableText(about.key))}`, body: messageBody(marks, outcome, about) };
}

export function driftChanged({ summary }: Outcome, { jobUrl }: About): string {
  const sentences = ['The drift has changed; the description is up to date.', escaped(summary)];
  return [...sentences, linkTo(jobUrl)].join(' ').trim();
}

export function driftEnded({ jobUrl }: About): string {
  return `No drift as of ${atMinute(new Date())}. ${linkTo(jobUrl)}`.trim();
}

/** `intro` is Markdown, shown before the report. */
export function messageBody(
  marks: readonly string[],
  outcome: Outcome,
  { key, commit, jobUrl }: About,
  intro = '',
): string {
  const subject = [code(printableText(key)), ...(commit === undefined ? [] : [`at ${code(commit.slice(0, 7))}`])];
  const context = [...subject, linkTo(jobUrl)].join(' ').trim();
  const start = [...marks, context, '', intro].join('\n');
  return `${start}${contentOf(outcome, longestBody - start.length - 1)}\n`;
}

function contentOf({ markdown, text, summary }: Outcome, room: number): string {
  const report = markdown.trim();
  if (report !== '' && report.length <= room) return report;
  const heading = `### ${escaped(summary)}\n\n`;
  return heading + folded('Output', text, room - heading.length);
}

/**
 * A collapsed code block of at most `longest` characters, with a summary that expands it. Nothing in the text acts as Markdown. Long text loses
 * its beginning, because the summary is at its end.
 */
export function folded(title: string, text: string, longest: number): string {
  const inFold = (block: string) => `<details>\n<summary>${title}</summary>\n\n${block}\n\n</details>`;
  const whole = text.trimEnd();
  // A shortened text never needs a longer fence than the whole.
  const around = inFold(fenced('text', [whole])).length - whole.length;
  return inFold(fenced('text', [endOf(whole, longest - around)]));
}

/** The last whole lines, after a line that says how much is missing. */
function endOf(text: string, room: number): string {
  if (text.length <= room) return text;
  const note = (cut: number) => `… ${cut} characters are left out here; the log of the job has them.\n`;
  const start = text.length - Math.max(0, room - note(text.length).length);
  const line = text.indexOf('\n', start - 1) + 1;
  // A single long line is cut anywhere except inside a surrogate pair.
  const from = line > 0 && line < text.length ? line : start;
  return note(from) + text.slice(from).replace(/^[\uDC00-\uDFFF]/, '');
}

export function linkTo(jobUrl: string | undefined): string {
  return jobUrl === undefined ? '' : `([job](${jobUrl}))`;
}

export function atMinute(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
