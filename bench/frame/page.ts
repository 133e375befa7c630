/** Generates docs/evidence/performance.md. */
import type { Row } from './benchmark.ts';
import type { Machine } from './machine.ts';
import { tableMarkdown } from './table.ts';
import { inTime } from './units.ts';

/** The results of one benchmark. */
export interface Measured {
  about: string;
  rows: Row[];
  failed: boolean;
}

export function performancePage(measured: readonly Measured[], { text, tookMs }: Machine & { tookMs: number }): string {
  const rows = measured.flatMap((each) => each.rows);
  const abouts = measured.filter(({ about }) => about !== '').map(({ about }) => `- ${about}`);
  return `# Performance

How \`webdata\` compares with the least that its work can cost. The figures of a row are from one run, on one machine. Ours is compared with a
floor, which is a bare program that does only the unavoidable work, or with a peer, which is another tool that does a comparable job. Times
depend on the machine; ratios hardly do.

${tableMarkdown(rows)}

Taken in ${inTime(tookMs)} on: ${text}.

## How it is measured

\`webdata\` ("ours") and the floor run in pairs, after one pair that does not count; each of the two runs first in every other pair. The ratio is
the median of the ratios of all pairs, followed by the lowest and the highest. Programs that a user starts are measured as whole processes,
including their start. Both use the emulator instead of the service; it runs in a process of its own on the same machine. A peer that is not
installed is marked as absent.

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

\`bench:peers\` and \`pulumi:install\` install the peers, once; without them, their rows say so. \`npm run bench\` runs all benchmarks. With names, it runs
only those. \`--json\` saves the figures, and \`--write\` writes this page.
`;
}
