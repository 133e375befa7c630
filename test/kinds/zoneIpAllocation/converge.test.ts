/** Moves that are planned again until nothing is left, beside others who move IPs too. */
import { describe, expect, it } from 'vitest';
import { ProblemError } from '../../../src/base/diagnostics/problem.ts';
import { convergeMoves } from '../../../src/kinds/zoneIpAllocation/converge.ts';
import type { MigrateBatch } from '../../../src/kinds/zoneIpAllocation/solver/model.ts';
import { migrate } from '../../report/samples.ts';
import { listingsOf, type Zones } from './listings.ts';
import { type Answer, serviceThatAnswers } from './migratingService.ts';

/** Moves what is in pricing to checkout, except IPs that something else has moved away. `disturb` runs after each round. */
async function converged(
  pricing: readonly string[],
  answers: readonly Answer[],
  {
    disturb = () => {},
    isPlanned,
    atOnce = 100,
  }: {
    atOnce?: number;
    disturb?: (put: (ips: string[], to: string) => void) => void;
    isPlanned?: () => boolean;
  } = {},
) {
  const { context, zones, put, seen } = serviceThatAnswers({ pricing, checkout: [], parked: [] }, answers);
  let lostSoFar: string[] = [];
  let movedSoFar: string[] = [];
  const read = (lost: ReadonlySet<string>) => ({ zones: { ...zones } as Zones, lost, listings: listingsOf(zones) });
  const result = await convergeMoves(
    read(new Set()),
    {
      zones: Object.keys(zones),
      observe: async ({ lost, putIn }) => {
        disturb(put);
        lostSoFar = [...lost];
        movedSoFar = [...putIn.keys()];
        return read(lost);
      },
      plan: (state): { batches: MigrateBatch[]; problems: [] } => {
        const left = (state.zones.pricing ?? []).filter((ip) => !state.lost.has(ip));
        const calls = Array.from({ length: Math.ceil(left.length / atOnce) }, (_, index) =>
          migrate('pricing', 'checkout', left.slice(index * atOnce, (index + 1) * atOnce)),
        );
        return { batches: calls, problems: [] };
      },
    },
    { ...context, isPlanned },
  ).catch((error: unknown) => error);
  const { calls } = seen();
  if (!(result instanceof ProblemError)) return { moved: movedSoFar, calls, lost: lostSoFar };
  return { problems: result.problems.map(({ code, found }) => [code, found]), calls };
}

const [first, second] = ['192.0.2.1', '192.0.2.2'];

describe('moves', () => {
  it('end when nothing is left, also after an answer that was lost or that counted fewer', async () => {
    const lost = await converged([first, second], [{ error: ['timed-out'] }]);
    expect(lost).toMatchObject({ moved: [first, second], calls: 1 });
    const fewer = await converged([first, second], [{ count: 1 }]);
    expect(fewer).toMatchObject({ moved: [first, second], calls: 1 });
    expect(await converged([], [])).toMatchObject({ moved: [], calls: 0 });
  });

  it('go on after more answers than rounds were lost, if the IPs moved all the same', async () => {
    const ips = Array.from({ length: 7 }, (_, index) => `192.0.2.${index + 1}`);
    const lost: Answer[] = ips.map(() => ({ error: ['timed-out'] }));
    expect(await converged(ips, lost, { atOnce: 1 })).toMatchObject({ moved: ips, calls: 7 });
  });

  it('leave alone what something else has moved meanwhile', async () => {
    const taken = await converged([first, second], [{ moves: [first], taken: [second], count: 2 }]);
    expect(taken).toMatchObject({ moved: [first, second], calls: 1, lost: [second] });
    const back = await converged([first], [], { disturb: (put) => put([first], 'pricing') });
    expect(back).toMatchObject({ moved: [first], calls: 1 });
  });

  it('end after five rounds if something else works against them', async () => {
    const disturb = (lost: number) => {
      let round = 0;
      return (put: (ips: string[], to: string) => void) => {
        round += 1;
        put(
          Array.from({ length: lost }, (_, index) => `192.0.${round}.${index}`),
          'parked',
        );
        put(
          Array.from({ length: 2 }, (_, index) => `192.0.${round + 1}.${index}`),
          'pricing',
        );
      };
    };
    const start = ['192.0.1.0', '192.0.1.1'];
    const found = async (lost: number) => (await converged(start, [], { disturb: disturb(lost) })).problems?.[0];
    const end = 'after 5 rounds and 10 moved IPs, more moves are still needed';
    const ofFirst = [1, 2, 3, 4, 5].map((round) => `192.0.${round}.0`).join(', ');
    expect(await found(1)).toEqual(['account-unsteady', `something else moved ${ofFirst}; ${end}`]);
    const ofBoth = '192.0.1.0, 192.0.1.1, 192.0.2.0, 192.0.2.1, 192.0.3.0 and 5 more';
    expect(await found(2)).toEqual(['account-unsteady', `something else moved ${ofBoth}; ${end}`]);
  });

  it('end after five rounds if the zones change after each', async () => {
    let next = 0;
    const disturb = (put: (ips: string[], to: string) => void) => put([`198.51.100.${next++}`], 'pricing');
    expect(await converged([first], [], { disturb })).toEqual({
      problems: [
        [
          'account-unsteady',
          'the zones changed again after each round; after 5 rounds and 5 moved IPs, more moves are still needed',
        ],
      ],
      calls: 5,
    });
  });

  it('end after five rounds if something else is always faster', async () => {
    let next = 0;
    const disturb = (put: (ips: string[], to: string) => void) => put([`198.51.100.${next++}`], 'pricing');
    const faster = (ip: string): Answer => ({ moves: [], taken: [ip], error: ['refused', 400] });
    const answers = [first, ...Array.from({ length: 9 }, (_, round) => `198.51.100.${round}`)].map(faster);
    expect(await converged([first], answers, { disturb })).toMatchObject({
      problems: [['account-unsteady', expect.stringContaining('after 5 rounds and 0 moved IPs')]],
      calls: 5,
    });
  });

  it('are compared with the planned ones in the first round, and may differ later', async () => {
    let isLate = false;
    const disturb = (put: (ips: string[], to: string) => void) => {
      if (!isLate) put([second], 'pricing');
      isLate = true;
    };
    const isPlanned = () => !isLate;
    expect(await converged([first], [], { disturb, isPlanned })).toMatchObject({ calls: 2 });
  });

  it('are not sent if others were planned', async () => {
    expect(await converged([first], [], { isPlanned: () => false })).toEqual({
      problems: [['changed-since-plan', expect.any(String)]],
      calls: 0,
    });
  });
});
