/** An account that another user changes during an apply, or between a plan and its apply. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readPlanFile } from '../../src/engine/plan/planFile.ts';
import { movesOf } from '../../src/kinds/knownCalls.ts';
import { expected, movedBy, quiet } from '../crashes/checks.ts';
import { after, before, type MovesPlace, openPlace, range } from '../crashes/moves.ts';
import { applying, checkAgreement, endedInWords, reallyMoved } from './agreement.ts';
import type { Race } from './race.ts';

const ips = before.map((place) => place.split(' ')[0] ?? '');
const zones = range.flatMap((pair) => [`source${pair}`, `target${pair}`]);

export const meddling: Race = {
  name: 'an apply while IPs are moved by hand',
  holds:
    'its report and its journal contain its own moves and none of the other user, unless the service counted fewer IPs than exist; an error has a message; the next apply completes the rest, with `--resend` if an accepted move was taken back before it was read back',
  times: 30,
  short: 2,
  run: async (_, random) => {
    await using place = await openPlace({ migrate: random() < 0.5 ? 'what-is-there' : 'all-or-nothing' });
    const end = applying(place.folder, place.env);
    await untilHeard(place);
    const over = end.then(() => true);
    const byHand: string[] = [];
    while (!(await Promise.race([over, sleep(random() * 800, false)]))) byHand.push(moveAny(place, random));
    const finished = await end;
    return {
      cameTo: finished.code === 0 ? 'done' : 'an error with a message',
      faults: [...(await checkAgreement(place, [finished], [place.journal])), ...(await ends(place, byHand))],
    };
  },
};

export const stalePlan: Race = {
  name: 'a plan file whose account has changed since',
  holds:
    'an outdated plan is rejected, and no call is sent; a plan that is still right moves exactly the IPs that were shown',
  times: 20,
  short: 1,
  run: async (_, random) => {
    await using place = await openPlace();
    const planned = await place.webdata('plan', '--output', 'plan.json');
    const { resources } = await readPlanFile('plan.json', { cwd: place.folder });
    const calls = resources.flatMap((resource) => resource.calls);
    const shown = calls.flatMap((call) => movesOf(call).map(({ ip }) => ip)).toSorted();
    const moved = Array.from({ length: Math.floor(random() * 3) }, () => moveAny(place, random));
    const isStale = JSON.stringify(place.places()) !== JSON.stringify(before);
    const finished = await applying(place.folder, place.env, 'plan.json');
    const called = place.emulator.requests().flatMap(movedBy).toSorted();
    return {
      cameTo: finished.code === 0 ? 'executed' : 'refused',
      faults: [
        ...quiet('plan', planned),
        ...endedInWords('the apply of it', finished),
        ...expected(`the exit code after ${moved.length} moves by hand`, isStale ? 1 : 0, finished.code),
        ...expected('IPs that it moved', isStale ? [] : shown, called),
        ...(await ends(place)),
      ],
    };
  },
};

/**
 * Checks that an apply without interference succeeds. Where the other user moved an IP back before its move was read back, the service
 * accepted a move that no listing shows, and only a person may have it sent again.
 */
async function ends(place: MovesPlace, byHand: readonly string[] = []): Promise<string[]> {
  const isMovedBack = byHand.some((move) => before.includes(move));
  const first = await place.webdata('apply', '--yes');
  const isWithheld = isMovedBack && first.stdout.includes('no listing shows it');
  const next = isWithheld ? await place.webdata('apply', '--yes', '--resend') : first;
  return [
    ...quiet('the next apply', next),
    ...expected('places', after, place.places()),
    ...expected(
      'moved, and known to the journal',
      reallyMoved(place).length > 0,
      (await place.webdata('history')).stdout.includes('done'),
    ),
  ];
}

async function untilHeard({ emulator }: MovesPlace): Promise<void> {
  while (emulator.requests().length === 0) await sleep(5);
}

function moveAny({ emulator }: MovesPlace, random: () => number): string {
  const any = <T>(all: readonly T[]) => all.slice(Math.floor(random() * all.length))[0];
  const [ip, zone] = [any(ips) ?? '', any(zones) ?? ''];
  emulator.move([ip], zone);
  return `${ip} in ${zone}`;
}
