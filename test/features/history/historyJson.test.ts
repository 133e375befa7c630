import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { historyJson, historySchema } from '../../../src/features/history/historyJson.ts';
import { historyText } from '../../../src/features/history/text.ts';
import { anyRuns, run } from '../../report/samples.ts';

const at = '2026-07-01T10:00:01.000Z';

describe('the history as JSON', () => {
  it('holds the newest run first, and only the name of a plan file that was given by its full path', () => {
    const runs = [run('a', [], { ended: { at, result: 'done' }, plan: '/tmp/plans/friday.plan' }), run('b', [])];
    expect([...historyJson(runs)]).toHaveLength(runs.length);
    expect(historySchema().parse(JSON.parse([...historyJson(runs)].join(''))).runs).toMatchObject([
      { id: 'b', result: 'interrupted' },
      { id: 'a', result: 'done', endedAt: at, plan: 'friday.plan' },
    ]);
  });

  it('is what its schema says', () => {
    fc.assert(
      fc.property(anyRuns, (runs) => {
        const document = JSON.parse([...historyJson(runs)].join(''));
        expect(historySchema().parse(document)).toEqual(document);
      }),
    );
  });

  it('has a schema that can be published', () => {
    expect(z.toJSONSchema(historySchema())).toMatchObject({ type: 'object', description: expect.any(String) });
  });
});

it('lets no control character of the runs through, in text and in JSON, and ends with one line break', () => {
  fc.assert(
    fc.property(anyRuns, (runs) => {
      for (const text of [[...historyText(runs, { color: false })].join(''), [...historyJson(runs)].join('')]) {
        expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        expect(text).toMatch(/[^\n]\n$/);
      }
    }),
  );
});
