/** `npm run reliability -- simulation`: on random accounts, a simulation is compared with the apply that follows it. */
import fc from 'fast-check';
import type { Campaign, CampaignStage, Outcome } from '../frame/campaign.ts';
import { drawnCase } from './drawnCase.ts';
import { playCase, type Tallied } from './oneCase.ts';

export const simulation: Campaign = {
  name: 'simulation',
  about:
    'On random accounts with random declarations of allocations and settings of a manager, `webdata simulate` is compared with `webdata apply` on the same account. In half of the cases a call fails, refused or with a lost answer: in the simulation by `--fail-at`, and in the apply by a fault of the service. The simulation sends reads only. Both make the same calls in the same order, with the same outcomes, and the zones hold the same numbers of IPs by country after each call. The plan after the failure is the one that the simulation shows, and an undo makes the calls that the simulation shows.',
  repeat: 'npm run reliability -- simulation',
  run,
};

const firstSeed = 20_261_123;
/** Each case waits for its emulators. */
const atATime = 4;

async function run(stage: CampaignStage): Promise<Outcome> {
  const goal = stage.short ? 25 : 1_000;
  const counts = new Map<Tallied, number>();
  const count = (what: Tallied, more = 1) => void counts.set(what, (counts.get(what) ?? 0) + more);
  const failures: string[] = [];
  let seed = firstSeed;
  const playCases = async () => {
    while (seed < firstSeed + goal && failures.length < 5) {
      const own = seed++;
      const [drawn] = fc.sample(drawnCase, { seed: own, numRuns: 1 });
      if (drawn === undefined) throw new TypeError('a sample of one case is one case');
      await playCase(drawn, stage.folder, count).catch((error: unknown) => {
        failures.push(`seed ${own}: ${error instanceof Error ? error.message : error}`);
      });
      if ((own - firstSeed) % 50 === 49) stage.say(`${own - firstSeed + 1} of ${goal} accounts`);
    }
  };
  await Promise.all(Array.from({ length: atATime }, playCases));
  return { counts: [...counts], failures };
}
