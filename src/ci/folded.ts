/** Output of a program inside Markdown, where nothing in it is Markdown: no link, no mention, no end of the block. */
import { fenced } from '../report/markdownText.ts';

/** A code block behind a line that opens it, at most `longest` characters; the end is kept, since summaries stand there. */
export function folded(title: string, text: string, longest: number): string {
  const inFold = (block: string) => `<details>\n<summary>${title}</summary>\n\n${block}\n\n</details>`;
  const whole = text.trimEnd();
  // What is cut has no longer fence than the whole.
  const around = inFold(fenced('text', [whole])).length - whole.length;
  return inFold(fenced('text', [endOf(whole, longest - around)]));
}

/** Whole lines from the end, after a line that says what was left out. */
function endOf(text: string, room: number): string {
  if (text.length <= room) return text;
  const note = (cut: number) => `… ${cut} characters are left out here; the log of the run has them.\n`;
  const start = text.length - Math.max(0, room - note(text.length).length);
  const line = text.indexOf('\n', start - 1) + 1;
  // A single line that is too long is cut where it is, but not in the middle of a character.
  const from = line > 0 && line < text.length ? line : start;
  return note(from) + text.slice(from).replace(/^[\uDC00-\uDFFF]/, '');
}
