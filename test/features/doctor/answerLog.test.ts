/** What a diagnosis reads from all answers: values that do not fit, and clocks that differ. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
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

describe('the clock', () => {
  const checked = (...clocks: [server: string, ahead: number, within: number][]) => {
    const log = new AnswerLog();
    for (const [server, ahead, within] of clocks) log.addClock(server, ahead, within);
    const { result, text } = log.clockCheck();
    return { result, text };
  };

  it.each<[[string, number, number][], string, string]>([
    [[], 'skipped', 'no answer contained the time of a server'],
    [[['a', 5000, 0]], 'ok', 'within 5 s of every server'],
    [[['a', 5001, 0]], 'note', '5 s behind a'],
    [[['a', -61_000, 0]], 'note', '61 s ahead of a'],
    [[['a', 5900, 1000]], 'ok', 'within 5 s of every server'],
    [
      [
        ['a', 9000, 0],
        ['b', 0, 0],
        ['c', -9000, 0],
      ],
      'note',
      '9 s behind a; 9 s ahead of c',
    ],
    // The most certain reading counts.
    [
      [
        ['a', 9000, 500],
        ['a', 0, 100],
        ['a', 9000, 200],
      ],
      'ok',
      'within 5 s of every server',
    ],
  ])('%j is %s', (clocks, result, text) => {
    expect(checked(...clocks)).toEqual({ result, text });
  });

  it('of a server is read from the date of its answers', () => {
    const check = (seconds: number, ms = 0) => {
      const log = new AnswerLog();
      log.add(event({ date: new Date(Date.now() + seconds * 1000).toUTCString(), ms }));
      return log.clockCheck();
    };
    expect(check(0)).toMatchObject({ result: 'ok' });
    expect(check(30)).toMatchObject({
      result: 'note',
      text: expect.stringMatching(/^(29|30|31) s behind http:\/\/service\.example$/),
    });
    expect(check(-30).text).toMatch(/^(29|30|31) s ahead of http:\/\/service\.example$/);
    // A slow answer is less certain.
    expect(check(3, 10_000)).toMatchObject({ result: 'ok' });
    expect(check(30).fix).toBe(
      'synchronize the clocks (NTP): the expiry of keys, due ticks and waits for listings depend on them',
    );
    const silent = new AnswerLog();
    silent.add(event({ date: 'soon' }));
    silent.add(event());
    expect(silent.clockCheck().result).toBe('skipped');
  });

  it('is taken as that of the middle of a request, and of the middle of a second', () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1, 12, 0, 30) });
    onTestFinished(() => void vi.useRealTimers());
    const check = (date: string, ms: number) => {
      const log = new AnswerLog();
      log.add(event({ date: `Thu, 01 Jan 2026 ${date} GMT`, ms }));
      return log.clockCheck();
    };
    const ok = { name: 'clock', result: 'ok', text: 'within 5 s of every server' };
    const fix = 'synchronize the clocks (NTP): the expiry of keys, due ticks and waits for listings depend on them';
    const note = (text: string) => ({ name: 'clock', result: 'note', text: `${text} http://service.example`, fix });
    expect(check('12:00:35', 0)).toEqual(ok);
    expect(check('12:00:36', 0)).toEqual(note('7 s behind'));
    expect(check('12:00:24', 0)).toEqual(ok);
    expect(check('12:00:23', 0)).toEqual(note('7 s ahead of'));
    // With a request of 4 s, the server made its answer 2 s ago, give or take 2.5 s.
    expect(check('12:00:35', 4000)).toEqual(ok);
    expect(check('12:00:36', 4000)).toEqual(note('9 s behind'));
    expect(check('12:00:20', 4000)).toEqual(ok);
    expect(check('12:00:19', 4000)).toEqual(note('9 s ahead of'));
  });
});
