/** What becomes of migrations that the service carries out in full, in part, late, or not at all. */
import { describe, expect, it } from 'vitest';
import { ProblemError } from '../../../../src/base/diagnostics/problem.ts';
import { sendBatches } from '../../../../src/kinds/zoneIpAllocation/calls/sendMigrations.ts';
import type { MigrateBatch } from '../../../../src/kinds/zoneIpAllocation/solver/model.ts';
import { migrate } from '../../../report/samples.ts';
import { type Answer, serviceThatAnswers } from '../migratingService.ts';

const [first, second, third] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'];
async function sent(batches: readonly MigrateBatch[], answers: readonly Answer[], parallelism = 1) {
  const zones = { checkout: [], pricing: [first, second], blog: [third], parked: [] };
  const service = serviceThatAnswers(zones, answers, parallelism);
  const outcome = await sendBatches(batches, Object.keys(zones), service.context).then(
    ({ moved, elsewhere, isAccepted }) => ({ moved: [...moved], elsewhere: [...elsewhere], isAccepted }),
    (error: Error) => ({ error }),
  );
  return { outcome, ...service.seen() };
}

const both = migrate('pricing', 'checkout', [first, second]);
const other = migrate('blog', 'checkout', [third]);

function problemOf({ outcome }: Awaited<ReturnType<typeof sent>>) {
  if (!('error' in outcome)) throw new TypeError('nothing was thrown');
  const { error } = outcome;
  return error instanceof ProblemError ? error.problems.map(({ code, found }) => [code, found]) : error;
}

describe('calls that are answered', () => {
  it('are done once the listings show all of their IPs', async () => {
    expect(await sent([both, other], [{ count: 2 }, { count: 1 }])).toEqual({
      outcome: { moved: [first, second, third], elsewhere: [], isAccepted: true },
      events: [
        `${first},${second} answered 2`,
        `${third} answered 1`,
        `${first},${second} seen 2,0,0,0`,
        `${third} seen 1,0,0,0`,
      ],
      calls: 2,
      pauses: 0,
    });
  });

  it('are read back before the next one if they do not count', async () => {
    const { outcome, calls, pauses } = await sent([both, other], [{ moves: [first], late: [second] }, {}]);
    expect(outcome).toMatchObject({ moved: [first, second, third], isAccepted: true });
    expect([calls, pauses]).toEqual([2, 1]);
    const incomplete = await sent([both, other], [{ moves: [first] }]);
    expect(problemOf(incomplete)).toEqual([
      [
        'not-yet-visible',
        `moving 2 IPs from pricing to checkout: the service does not say how many it moved; not visible in checkout yet: ${second}`,
      ],
    ]);
    expect(incomplete.calls).toBe(1);
  });

  it('end the run if they count fewer IPs, unless the others moved all the same', async () => {
    const fewer = await sent([both, other], [{ moves: [first], count: 1 }]);
    expect(problemOf(fewer)).toEqual([
      [
        'did-not-move',
        `moving 2 IPs from pricing to checkout: the service says that it moved 1; ${second} stayed in pricing`,
      ],
    ]);
    expect(fewer.events).toEqual([`${first},${second} answered 1`, `${first},${second} seen 1,1,0,0`]);
    expect(fewer.pauses).toBe(0);
    expect((await sent([both, other], [{ moves: [first, second], count: 1 }])).outcome).toEqual({
      moved: [first, second],
      elsewhere: [],
      isAccepted: false,
    });
  });

  it('count as moved where something else has moved the IPs on, if the answer counted them', async () => {
    const uncounted = await sent([both, other], [{ moves: [first], taken: [second] }]);
    expect(uncounted.outcome).toEqual({ moved: [first], elsewhere: [second], isAccepted: false });
    expect(uncounted.calls).toBe(1);
    expect((await sent([both], [{ count: 2, moves: [first], taken: [second] }])).outcome).toEqual({
      moved: [first, second],
      elsewhere: [second],
      isAccepted: true,
    });
  });
});

describe('calls that fail', () => {
  it('end the run, which reads back what they did', async () => {
    const refused = await sent([both, other], [{ moves: [], error: ['refused', 400] }]);
    expect(problemOf(refused)).toMatchObject({ code: 'refused' });
    expect(refused.events).toEqual([`${first},${second} failed refused none`, `${first},${second} seen 0,2,0,0`]);
    expect(refused.pauses).toBe(0);
    const lost = await sent([both, other], [{ moves: [first], error: ['timed-out'] }]);
    expect(problemOf(lost)).toMatchObject({ code: 'timed-out' });
    expect(lost.events).toEqual([`${first},${second} failed timed-out unknown`, `${first},${second} seen 1,0,0,1`]);
    expect(lost.calls).toBe(1);
    expect(lost.pauses).toBeGreaterThan(1);
  });

  it('do not matter if the listings show that all IPs moved', async () => {
    const { outcome, calls } = await sent([both, other], [{ moves: [first], late: [second], error: ['timed-out'] }]);
    expect(outcome).toEqual({ moved: [first, second], elsewhere: [], isAccepted: false });
    expect(calls).toBe(1);
  });

  it('do not matter if they were refused because the IPs were gone already', async () => {
    const gone = { moves: [], taken: [first], error: ['refused', 400] } satisfies Answer;
    expect((await sent([both], [gone])).outcome).toEqual({ moved: [], elsewhere: [first], isAccepted: false });
    const forbidden = await sent([both], [{ ...gone, error: ['forbidden', 403] }]);
    expect(problemOf(forbidden)).toMatchObject({ code: 'forbidden' });
  });

  it('are reported with a refused key first', async () => {
    const apart = migrate('blog', 'parked', [third]);
    const failures: Answer[] = [
      { moves: [], error: ['server-error', 500] },
      { moves: [], error: ['forbidden', 403] },
    ];
    const result = await sent([both, apart], failures, 2);
    expect(problemOf(result)).toMatchObject({ code: 'forbidden' });
    expect(result.calls).toBe(2);
  });
});
