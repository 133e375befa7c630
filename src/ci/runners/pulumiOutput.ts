/** Reads the totals and the result of `--expect-no-changes` from the output of `pulumi`. */

/** The totals under `Resources:`, such as `1 to update`, `3 unchanged`. Empty if `pulumi` ended before it printed them. */
export function totalsIn(output: string): string[] {
  return resourceLines(output).map(({ text }) => text);
}

/** Returns true if there is a total of resources other than unchanged or failed ones. */
export function hasChangesIn(output: string): boolean {
  return resourceLines(output).some(({ symbol, text }) => symbol !== '' && !/unchanged|errored/.test(text));
}

/** The error of `--expect-no-changes`; the words in between differ by version. */
export function foundUnexpected(output: string): boolean {
  return /^\s*error: no changes were expected\b.* but changes /m.test(output);
}

/** The sorted distinct lines without times, URLs and progress, so that equal results give equal text. */
export function withoutTimes(output: string): string {
  const lines = output
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => !passing.some((pattern) => pattern.test(line)));
  return [...new Set(lines)].sort().join('\n');
}

const passing = [
  /^(Duration:|View (in Browser|Live)|@ )/,
  // Progress of a resource, `pulumi:pulumi:Stack test-dev running …`, printed as often as its duration allows.
  /^([+~=><-]+ +)?[\w./-]+:[\w./-]*:[\w./-]+ \S+ +(\w+ing\b|\d+ (warning|message|error))/,
  /\(\d+(\.\d+)?m?s\)$/,
];

function resourceLines(output: string): { symbol: string; text: string }[] {
  const lines = output.split(/\r?\n/);
  const start = lines.findLastIndex((line) => line.trim() === 'Resources:');
  if (start < 0) return [];
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => !/^\s+\S/.test(line));
  return (end < 0 ? rest : rest.slice(0, end)).map((line) => {
    const [, symbol = '', text = ''] = /^\s+([^\s\d]*)\s*(.*)$/.exec(line) ?? [];
    return { symbol, text };
  });
}
