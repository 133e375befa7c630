/** Fixes in the words of a Pulumi stack. */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { formatFor } from '../../providers/core/problems.ts';
import { renderFix } from '../../src/base/diagnostics/fix.ts';

it('renders a fix for each front, and only once if they have the same words', () => {
  expect(renderFix('Try again later.', 'It asks to wait 2 s.')).toEqual({
    fix: 'Try again later. It asks to wait 2 s.',
  });
  expect(renderFix('Look first.', ({ allowMoves }) => `Then ${allowMoves(3)}.`)).toEqual({
    fix: 'Look first. Then pass --max-moves 3.',
    fixFor: {
      pulumi: 'Look first. Then run `pulumi config set webdata:allowMoves 3`.',
      pulumiProvider: 'Look first. Then set `allowMoves: 3` of the provider.',
      terraform: 'Look first. Then set `allow_moves = 3` in the provider block.',
    },
  });
});

it('shows the words of Pulumi, and otherwise the general ones', () => {
  const problems = [
    { code: 'one', found: 'the URL of the service is not known', ...renderFix(({ setApiUrl }) => setApiUrl) },
    { code: 'two', found: 'zone `chekout` does not exist', ...renderFix('correct the name') },
  ];
  expect(formatFor('pulumi', problems)).toBe(
    [
      'the URL of the service is not known',
      '  fix: run `pulumi config set webdata:apiUrl URL`',
      '  docs: node_modules/pulumi-webdata/docs/errors.md#one',
      'zone `chekout` does not exist',
      '  fix: correct the name',
      '  docs: node_modules/pulumi-webdata/docs/errors.md#two',
    ].join('\n'),
  );
});

it('has words for every option and variable that a fix of a kind or of the service names', () => {
  const files = globSync('src/{kinds,client}/**/*.ts');
  const offending = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => /\bfix: .*(--[a-z]|WEBDATA_|`webdata (?!triggers))/.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  // An undo is a command of the command line only.
  expect(offending.filter((line) => !/undo/i.test(line))).toEqual([]);
});
