/** What `pulumi` said, read as far as it is needed: the totals, and whether it found what it was told not to expect. */

/** The totals under `Resources:`, as in `1 to update, 3 unchanged`. Empty where it did not get that far. */
export function totalsIn(output: string): string[] {
  return resourceLines(output).map(({ text }) => text);
}

/** Whether a total is of something other than what is left alone. */
export function hasChangesIn(output: string): boolean {
  return resourceLines(output).some(({ symbol, text }) => symbol !== '' && !/unchanged|errored/.test(text));
}

/** What `--expect-no-changes` ends with where there are any; the words between differ from version to version. */
export function foundUnexpected(output: string): boolean {
  return /^\s*error: no changes were expected\b.* but changes /m.test(output);
}

/** Each line once, in an order of its own, without times, addresses and progress: the same whenever the same is found. */
export function withoutTimes(output: string): string {
  const lines = output
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => !passing.some((pattern) => pattern.test(line)));
  return [...new Set(lines)].sort().join('\n');
}

const passing = [
  /^(Duration:|View (in Browser|Live)|@ )/,
  // A resource on its way: `pulumi:pulumi:Stack test-dev running …`; how often that is said depends on the time it takes.
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
