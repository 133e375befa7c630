/** The step that undoes the last run: completely, or refused before the first call if an IP has moved since or a guard forbids it. */
import { allowing } from './planning.ts';
import { brokenGuards, inverseOf } from './rules.ts';
import { insistEqual, type ModelCommand, step } from './step.ts';
import { orderText } from './tool.ts';

export const undoCommand = (allowMoves: number | undefined, parallelism: number): ModelCommand =>
  step(`undo ${allowing(allowMoves).join(' ')}, ${parallelism} at a time`, async (account, { tool, count }) => {
    const run = account.undoable;
    const back = run && inverseOf(run.calls, account.where);
    const broken = back && brokenGuards(back, account.declaration, account.where, { allowMoves });
    const isRefused = back === undefined || (broken ?? []).length > 0;
    const { code, stdout, stderr } = await tool.webdata([
      'undo',
      '--yes',
      ...allowing(allowMoves),
      '--parallelism',
      String(parallelism),
    ]);
    const why = `(${broken?.join(', ')}) ${stdout}${stderr}`;
    const expected = orderText(isRefused ? [] : back, parallelism);
    insistEqual(`calls of an undo ${why}`, expected, orderText(tool.effects(), parallelism));
    insistEqual(`the exit code of an undo ${why}`, isRefused ? 1 : 0, code);
    count(isRefused ? 'refusals' : 'undos');
    if (isRefused || back.length === 0 || run === undefined) return;
    account.carryOut(back);
    account.runs.push({ calls: back, done: true, undoes: run });
    for (const _ of back) count('calls');
  });
