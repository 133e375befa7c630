/** The undo campaign: undos that are killed while answers are lost, listings lag and another user changes the account. */
import pLimit from 'p-limit';
import type { Campaign } from '../frame/campaign.ts';
import { randomFrom } from '../frame/random.ts';
import { killAgain, outcomeOf } from './crashes.ts';
import type { Kind } from './kind.ts';
import { undoBoundaries } from './undo.ts';
import { playTroubled } from './undoTroubled.ts';
import { drawnTroubles, type Troubles } from './undoTroubles.ts';

const kills = 500;
const killsInShort = 8;

export const undoCampaign: Campaign = {
  name: 'undo',
  about:
    "Undos are killed (`kill -9`) at every boundary of the journal, at every request that changes something, and at random moments. Meanwhile answers are lost or wrong, listings lag, and another user moves IPs or changes a setting. After each kill, `undo` is run until it succeeds. If it refuses because of a change by the other user, that change is reverted first. The emulator's log shows what really happened.",
  repeat: 'npm run reliability -- undo',
  async run(stage) {
    const random = randomFrom(Number(process.env.RELIABILITY_SEED ?? 0) + 1);
    const met = { fault: 0, lagMs: 0, foreign: 0 };
    const kind: Kind = {
      name: 'undo under faults, lags and foreign changes',
      holds:
        'no call is sent again, no IP is forgotten, no move of another user is undone; exit codes and reports are correct; a run is recorded as done only when everything is restored; the history contains every IP that moved',
      spanMs: 250,
      boundaries: undoBoundaries,
      async play(_, point) {
        const troubles = drawnTroubles(random);
        for (const key of Object.keys(met) as (keyof Troubles)[]) met[key] += troubles[key] === undefined ? 0 : 1;
        return playTroubled(point, troubles);
      },
    };
    const report = await killAgain(kind, stage.short ? killsInShort : kills, stage, pLimit(stage.short ? 4 : 12));
    const outcome = outcomeOf([report]);
    return {
      ...outcome,
      counts: [
        ...outcome.counts.slice(0, 1),
        ['undos that met a fault', met.fault],
        ['undos that met listings that lag', met.lagMs],
        ['undos that met a foreign change', met.foreign],
      ],
    };
  },
};
