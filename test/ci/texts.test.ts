/** The texts that a forge gets, whatever is in them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outputLines } from '../../src/ci/outputs.ts';
import type { Outcome } from '../../src/ci/runner.ts';
import { pulumiRunner } from '../../src/ci/runners/pulumi.ts';
import { foundUnexpected, hasChangesIn, totalsIn, withoutTimes } from '../../src/ci/runners/pulumiOutput.ts';
import { folded, longestBody, markerOf, planComment } from '../../src/ci/texts.ts';

const words = fc.string({ unit: fc.constantFrom('a', '-', '>', '%', '/', ':', '<!--', '-->', ' ', '\n', 'ü', '`') });

describe('markers', () => {
  it('are one line, and end where they end', () => {
    fc.assert(
      fc.property(words, (key) => {
        expect(markerOf('plan', key)).toMatch(/^<!-- webdata:plan:((?!--|>)[!-~])* -->$/);
      }),
    );
  });

  it('differ where keys differ', () => {
    fc.assert(
      fc.property(words, words, (one, other) => {
        expect(markerOf('plan', one) === markerOf('plan', other)).toBe(one === other);
      }),
    );
  });
});

describe('output in a fold', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '`', '```', '\n', '@ada ', '</details>', '😀'), maxLength: 400 });

  it('is a block that nothing in it can end, within its limit, and has the end of the text', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 200, max: 600 }), (output, longest) => {
        const result = folded('Output', output, longest + 2 * output.length);
        const short = folded('Output', output.replaceAll('`', "'"), longest);
        expect(short.length).toBeLessThanOrEqual(longest);
        expect(short.isWellFormed()).toBe(true);
        const [, fence = '', inside = ''] = /\n\n(`{3,})text\n([\s\S]*)\n\1\n\n<\/details>$/.exec(result) ?? [];
        expect(inside).toBe(output.trimEnd());
        expect(inside).not.toContain(fence);
        const last = output.trimEnd().split('\n').at(-1)?.replaceAll('`', "'") ?? '';
        if (last.length < 60) expect(short).toContain(`${last}\n\`\`\``);
      }),
    );
  });

  it('says how much was left out', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n');
    const result = folded('Output', lines, 300);
    const [, cut = ''] = /^… (\d+) characters are left out here; the log of the job has them\.$/m.exec(result) ?? [];
    const shown = result.slice(result.indexOf('them.\n') + 'them.\n'.length, result.indexOf('\n```\n\n</details>'));
    expect(Number(cut) + shown.length).toBe(lines.length);
    expect(shown).toMatch(/^line \d+\n/);
    expect(shown.endsWith('line 99')).toBe(true);
  });
});

describe('a comment', () => {
  const outcome: Outcome = {
    code: 0,
    changes: true,
    summary: 'all @ada',
    markdown: '',
    text: 'x\n'.repeat(90_000),
    fingerprint: '',
  };

  it('is no longer than a forge takes, and mentions nobody', () => {
    const comment = planComment(outcome, { key: 'a'.repeat(500), jobUrl: 'https://forge.test/run' });
    expect(comment.length).toBeLessThanOrEqual(longestBody);
    expect(comment.length).toBeGreaterThan(longestBody - 200);
    expect(comment).not.toMatch(/(?<!`)@ada(?!`)/);
  });

  it('falls back on the text where the report is too long', () => {
    const comment = planComment({ ...outcome, markdown: `### long\n${'y'.repeat(longestBody)}` }, { key: 'a' });
    expect(comment.length).toBeLessThanOrEqual(longestBody);
    expect(comment).not.toContain('yyy');
  });
});

describe('outputs of a step', () => {
  it('are one for each name, whatever the values are', () => {
    const text = outputLines({ changes: 'true', summary: 'fine\nEOF\nchanges=false\nchanges<<end\nfalse' }, 'end-1');
    expect(text).toBe(
      'changes<<end-1\ntrue\nend-1\nsummary<<end-1\nfine\nEOF\nchanges=false\nchanges<<end\nfalse\nend-1\n',
    );
  });
});

describe('what pulumi says', () => {
  const preview =
    'Previewing update (dev):\n ~ x\nResources:\n    ~ 1 to update\n    +-1 to replace\n    5 unchanged\n\nDuration: 3s\n';

  it('is read for its totals', () => {
    expect(totalsIn(preview)).toEqual(['1 to update', '1 to replace', '5 unchanged']);
    expect(hasChangesIn(preview)).toBe(true);
    expect(hasChangesIn('Resources:\n    5 unchanged\n')).toBe(false);
    expect(hasChangesIn('Resources:\n    5 unchanged\n    1 errored\n')).toBe(false);
    expect(totalsIn('error: no stack selected\n')).toEqual([]);
  });

  it('is drift only by its own words, in those of each version', () => {
    expect(foundUnexpected('error: no changes were expected but changes were proposed\n')).toBe(true);
    expect(foundUnexpected('x\nerror: no changes were expected for preview but changes were proposed\n')).toBe(true);
    expect(foundUnexpected('error: no stack selected\n')).toBe(false);
  });

  it('is the same whatever the time and the order', () => {
    const other = preview.replace(' ~ x\n', '    pulumi:pulumi:Stack test-dev running \n ~ x\n').replace('3s', '4s');
    expect(withoutTimes(other)).toBe(withoutTimes(preview));
    expect(withoutTimes(preview.replace('~ x', '~ y'))).not.toBe(withoutTimes(preview));
  });
});

it.each([
  [['-C', 'infra', '--stack=prod', '--diff'], 'pulumi infra prod'],
  [['--cwd', 'infra', '-sprod', '-t', 'b', '--target', 'a', '-t', 'b'], 'pulumi infra prod, a, b'],
  [['--suppress-outputs', '-C'], 'pulumi'],
])('pulumi %j has its name from folder, stack and targets', (args, name) => {
  expect(pulumiRunner(args).subject((path) => path)).toBe(name);
});
