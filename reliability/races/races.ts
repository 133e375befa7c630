/** Processes that share an account, a store or a disk, and meet at reproducible instants. */
import pLimit from 'p-limit';
import type { Campaign, CampaignStage, Outcome } from '../frame/campaign.ts';
import { randomFrom } from '../frame/random.ts';
import { meddling, stalePlan } from './account.ts';
import { applies } from './applies.ts';
import { disks } from './disks.ts';
import type { Race, Raced } from './race.ts';
import { fleets } from './triggers.ts';
import { besideUpdate } from './update.ts';

const all: readonly Race[] = [...applies, besideUpdate, meddling, stalePlan, ...fleets, ...disks];

export const races: Campaign = {
  name: 'races',
  about:
    "Processes run at the same time: two applies of one account, on one machine and on two, and one next to a `pulumi up`; an account that another user changes during an apply; servers of the trigger service on one store, which are killed and paused while its clock jumps and its database is restarted; and disks that are full for a while. The emulator's log shows what really happened.",
  repeat: 'npm run reliability -- races',
  async run(stage) {
    const limit = pLimit(stage.short ? 3 : 1);
    const possible = all.filter(({ lacks }) => lacks === undefined);
    const reports = await Promise.all(possible.map((race) => limit(() => runAgain(race, stage))));
    const skipped = all.flatMap(({ name, lacks }) => (lacks === undefined ? [] : [`${name}: ${lacks}`]));
    return { ...outcomeOf(reports.filter(({ ends }) => ends.length > 0)), skipped };
  },
};

interface Report {
  race: Race;
  ends: Raced[];
}

/** Runs a race repeatedly, some runs in parallel, so that they also disturb each other. */
async function runAgain(race: Race, stage: CampaignStage): Promise<Report> {
  const limit = pLimit(race.isLarge ? 1 : 3);
  const first = Number(process.env.RELIABILITY_SEED ?? Math.floor(Math.random() * 2 ** 31));
  const seeds = Array.from({ length: stage.short ? race.short : race.times }, (_, index) => first + index);
  const ends = await Promise.all(seeds.map((seed) => limit(() => runOnce(race, stage, seed))));
  stage.say(`${race.name}: ${ends.length} times, ${ends.flatMap(({ faults }) => faults).length} failures`);
  return { race, ends };
}

async function runOnce(race: Race, stage: CampaignStage, seed: number): Promise<Raced> {
  const { cameTo, faults } = await race.run(stage, randomFrom(seed)).catch((error: unknown) => ({
    cameTo: 'ended early',
    faults: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
  }));
  const failures = faults.map((fault) => `${race.name} (seed ${seed}): ${fault}`);
  for (const failure of failures) stage.say(failure);
  return { cameTo, faults: failures };
}

function outcomeOf(reports: readonly Report[]): Outcome {
  return {
    counts: [
      ['races run', reports.reduce((sum, { ends }) => sum + ends.length, 0)],
      ...reports.map(({ race, ends }) => [`of these, ${race.name}`, ends.length] as const),
    ],
    failures: reports.flatMap(({ ends }) => ends.flatMap(({ faults }) => faults)),
    tables: [
      {
        title: 'What ran at the same time, the outcomes, and what is always true:',
        heads: ['what', 'times', 'outcomes', 'always true'],
        rows: reports.map(({ race, ends }) => [race.name, ends.length, tallied(ends), race.holds]),
      },
    ],
  };
}

function tallied(ends: readonly Raced[]): string {
  const groups = Map.groupBy(ends, ({ cameTo }) => cameTo);
  return [...groups]
    .toSorted(([, some], [, others]) => others.length - some.length)
    .map(([cameTo, those]) => (those.length === ends.length ? cameTo : `${those.length} × ${cameTo}`))
    .join('; ');
}
