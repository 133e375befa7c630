/** The last part of every help: command lines that can be copied, each with what it is good for. */

/** From command line to purpose, for `addHelpText('after', …)`. */
export function examples(lines: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(lines).map((line) => line.length));
  const rows = Object.entries(lines).map(([line, purpose]) => `  ${line.padEnd(width)}  # ${purpose}`);
  return `\nExamples:\n${rows.join('\n')}`;
}
