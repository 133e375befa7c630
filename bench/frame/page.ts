/** docs/performance.md, made of one run. */
import type { Row } from './benchmark.ts';
import type { Machine } from './machine.ts';
import { tableMarkdown } from './table.ts';
import { inTime } from './units.ts';

/** What one benchmark yielded. */
export interface Measured {
  about: string;
  rows: Row[];
  failed: boolean;
}

export function pageOf(measured: readonly Measured[], { text, tookMs }: Machine & { tookMs: number }): string {
  const rows = measured.flatMap((each) => each.rows);
  const abouts = measured.filter(({ about }) => about !== '').map(({ about }) => `- ${about}`);
  return `# Performance

What \`webdata\` costs beyond the least that its work can cost. Every figure was taken in one run, on one machine, against a
floor (a bare program that does only what cannot be left out) or a peer. A figure in milliseconds depends on the machine; the
ratios hardly do.

${tableMarkdown(rows)}

Taken in ${inTime(tookMs)} on: ${text}.

## How it is measured

Ours and the floor run in turn, each first in every other pair, after a pair that does not count. The ratio is the median of
the ratios of the pairs, with the least and the greatest. What a user runs as a process is measured as a whole process, its
start included. The emulator, which plays the service for both, is a process of its own on the same machine. A peer that the
machine does not have is named as absent.

${abouts.join('\n')}

## How to repeat it

\`\`\`sh
npm ci
npm run bench:peers
npm run pulumi:install
npm run bench
npm run bench -- plan startup
npm run bench -- --json bench.json
npm run bench -- --write
\`\`\`

\`bench:peers\` and \`pulumi:install\` fetch the peers once; without them, their rows say so. The third-last line is for some of the
benchmarks, the second-last keeps the figures as JSON, and the last makes this page.
`;
}
