/** What a diagnosis reads from all answers: values that do not fit. */
import { describe, expect, it } from 'vitest';
import type { RequestEvent } from '../../../src/client/transport/requestLog.ts';
import { AnswerLog } from '../../../src/features/doctor/answerLog.ts';

const event = (more: Partial<RequestEvent> = {}) =>
  ({ method: 'GET', url: 'http://service.example/zone/ips?zone=a', ms: 0, ...more }) as RequestEvent;

const misfit = (path: string) => ({ path, found: 'a text', expected: 'a number' });

describe('values that do not fit', () => {
  it('are named by request, without its query', () => {
    const log = new AnswerLog();
    log.add(event());
    log.add(event({ misfits: [misfit('a.b'), misfit('c')] as never }));
    log.add(event({ url: 'nowhere', misfits: [misfit('d')] as never }));
    expect(log.misfitChecks()).toEqual([
      {
        name: 'misfits',
        result: 'note',
        text: 'GET /zone/ips: a.b is a text, not a number; c is a text, not a number',
      },
      { name: 'misfits', result: 'note', text: 'GET nowhere: d is a text, not a number' },
    ]);
  });

  it('are at most 5', () => {
    const textOf = (count: number) => {
      const log = new AnswerLog();
      log.add(event({ misfits: Array.from({ length: count }, (_, index) => misfit(`p${index}`)) as never }));
      return log.misfitChecks()[0]?.text;
    };
    expect(textOf(5)).toMatch(/p4 is a text, not a number$/);
    expect(textOf(6)).toMatch(/p4 is a text, not a number; 1 more with --log-http$/);
    expect(textOf(7)).toMatch(/p4 is a text, not a number; 2 more with --log-http$/);
  });
});
