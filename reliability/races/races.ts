/** Processes that share an account, a store or a disk, and meet at reproducible instants. */
import pLimit from 'p-limit';
import type { Campaign, CampaignStage, Outcome } from '../frame/campaign.ts';
import { randomFrom } from '../frame/random.ts';
import { meddling, stalePlan } from './account.ts';
import { applies } from './applies.ts';
import { disks } from './disks.ts';
import { folders } from './folders.ts';
import { triggerOutages } from './outages.ts';
import type { Race, Raced } from './race.ts';
import { teams } from './teams.ts';
import { fleets } from './triggers.ts';
import { turns } from './turns.ts';
import { twoNames } from './twoNames.ts';
import { besideUpdate } from './update.ts';

export const races = raceCampaign([...applies, besideUpdate, meddling, stalePlan, ...fleets, ...disks], {
  name: 'races',
  about:
    "Processes run at the same time: two applies of one account, on one machine and on two, and one next to a `pulumi up`; an account that another user changes during an apply; servers of the trigger service on one store, which are killed and paused while its clock jumps and its database is restarted; and disks that are full for a while. The emulator's log shows what really happened.",
  repeat: 'npm run reliability -- races',
});

const aboutTeams = {
  name: 'teams',
  about:
    'Two to eight machines apply one declaration at the same time, with one shared backend, on S3 (moto) or in PostgreSQL. Each has a folder, a home, temporary files and a wrong clock of its own. Most are killed, or paused for longer than the lease of the lock, which is three seconds here: at any instant, or while they hold the lock and send a call. Then another machine applies, another one reads the history, and in two of five rounds yet another one undoes the last run.',
  repeat: 'npm run reliability -- teams',
};

export const teamRaces = raceCampaign(teams, aboutTeams, { racesAtOnce: 2 });

const aboutTurns = {
  name: 'turns',
  about:
    'Fronts of one account take turns, with their runs in a folder, on S3 (moto) or in PostgreSQL: a checkout that names the account, one that does not, and a Pulumi program without a name. Each has a clock of its own that is up to ten seconds off. They apply two declarations, which want their IPs there and back again in turn. Most are killed (`kill -9`): at a request that moves IPs, at a write to the store, or at any instant. Three of five calls are answered 202 without a body, 200 without a count, or with too low a count; listings lag, and for longer than the tool waits where nothing is killed. Besides, runs under two names of one account want the same moves at once.',
  repeat: 'npm run reliability -- turns',
};

export const turnRaces = raceCampaign([...turns, ...twoNames], aboutTurns, { racesAtOnce: 3 });

export const outages = raceCampaign(
  [...triggerOutages, ...folders],
  {
    name: 'outages',
    about:
      'Servers as real processes, in real time, in worlds that look well: a store that answers and on which nothing fires, a machine that is suspended, a folder that a reader empties, and one that is replaced while deliveries arrive.',
    repeat: 'npm run reliability -- outages',
  },
  { racesAtOnce: 2 },
);

function raceCampaign(
  all: readonly Race[],
  about: Pick<Campaign, 'name' | 'about' | 'repeat'>,
  { racesAtOnce = 1 } = {},
): Campaign {
  return {
    ...about,
    async run(stage) {
      const limit = pLimit(stage.short ? 3 : racesAtOnce);
      const possible = all.filter(({ lacks }) => lacks === undefined);
      const reports = await Promise.all(possible.map((race) => limit(() => runAgain(race, stage))));
      const skipped = all.flatMap(({ name, lacks }) => (lacks === undefined ? [] : [`${name}: ${lacks}`]));
      return { ...outcomeOf(reports.filter(({ ends }) => ends.length > 0)), skipped };
    },
  };
}

interface Report {
  race: Race;
  ends: Raced[];
}

/** Runs a race repeatedly, some runs in parallel, so that they also disturb each other. */
async function runAgain(race: Race, stage: CampaignStage): Promise<Report> {
  const limit = pLimit(race.isLarge ? 1 : 3);
  const around = race.around ?? ((runs) => runs());
  const first = Number(process.env.RELIABILITY_SEED ?? Math.floor(Math.random() * 2 ** 31));
  const seeds = Array.from({ length: stage.short ? race.short : race.times }, (_, index) => first + index);
  let done = 0;
  const next = async (seed: number): Promise<Raced> => {
    const raced = await runOnce(race, stage, seed);
    if (++done % 25 === 0) stage.say(`${race.name}: ${done} of ${seeds.length}`);
    return raced;
  };
  const ends = await around(() => Promise.all(seeds.map((seed) => limit(() => next(seed)))), stage);
  stage.say(`${race.name}: ${ends.length} times, ${ends.flatMap(({ faults }) => faults).length} failures`);
  return { race, ends };
}

async function runOnce(race: Race, stage: CampaignStage, seed: number): Promise<Raced> {
  const raced = await race.run(stage, randomFrom(seed)).catch((error: unknown) => ({
    cameTo: 'ended early',
    faults: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
  }));
  const failures = raced.faults.map((fault) => `${race.name} (seed ${seed}): ${fault}`);
  for (const failure of failures) stage.say(failure);
  return { ...raced, faults: failures };
}

function outcomeOf(reports: readonly Report[]): Outcome {
  const figures = new Map<string, number>();
  for (const [what, figure] of reports.flatMap(({ ends }) => ends.flatMap((end) => Object.entries(end.figures ?? {}))))
    figures.set(what, (figures.get(what) ?? 0) + figure);
  return {
    counts: [
      ['races run', reports.reduce((sum, { ends }) => sum + ends.length, 0)],
      ...reports.map(({ race, ends }) => [`of these, ${race.name}`, ends.length] as const),
      ...figures,
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
