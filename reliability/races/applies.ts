/** Two applies of the same declaration at once. */
import { copyFile, mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Finished } from '../../test/e2e/process.ts';
import { chargedOnce, expected, quiet } from '../crashes/checks.ts';
import { after, changesInAll, type MovesPlace, openPlace } from '../crashes/moves.ts';
import type { CampaignStage } from '../frame/campaign.ts';
import { applying, checkAgreement, saidMoved } from './agreement.ts';
import type { Race, Raced } from './race.ts';

const onOneMachine =
  'one of them applies; the other waits and finds nothing to do, or is refused with a message; every IP is moved once, with no unnecessary call; both reports are correct and match the journals';

export const applies: readonly Race[] = [
  {
    name: 'two applies of one file',
    holds: onOneMachine,
    times: 10,
    short: 1,
    run: (stage, random) => race(stage, random, {}),
  },
  {
    name: 'two applies from two folders',
    holds: onOneMachine,
    times: 10,
    short: 1,
    run: (stage, random) => race(stage, random, { folders: true }),
  },
  {
    name: 'two applies on two machines',
    holds:
      'every IP is moved once; both reports are correct: each claims only its own moves, and an error has a message; the next apply completes the rest',
    times: 10,
    short: 1,
    run: (stage, random) => race(stage, random, { folders: true, machines: true }),
  },
];

interface Apart {
  /** Each process has its own folder and journal. */
  folders?: boolean;
  /** Each process has its own locks, as on different machines. */
  machines?: boolean;
}

async function race(
  stage: CampaignStage,
  random: () => number,
  { folders = false, machines = false }: Apart,
): Promise<Raced> {
  await using place = await openPlace({ migrate: random() < 0.5 ? 'what-is-there' : 'all-or-nothing' });
  const seconds = random() < 0.5 ? '0' : '60';
  const begun = [0, 1].map(async (index) => {
    const folder = folders ? await anotherFolder(stage, place) : place.folder;
    const locks = await mkdtemp(join(stage.folder, 'locks-'));
    await sleep(index * random() * 400);
    const env: Record<string, string> = machines ? { WEBDATA_STATE_FOLDER: locks } : {};
    return { folder, end: await applying(folder, { ...place.env, ...env }, '--lock-timeout', seconds) };
  });
  const both = await Promise.all(begun);
  const ends = both.map(({ end }) => end);
  const journals = new Set(both.map(({ folder }) => join(folder, '.webdata/journal.jsonl')));
  const faults = await checkAgreement(place, ends, [...journals]);
  const isDone = ends.every(({ code }) => code === 0);
  if (!isDone) faults.push(...quiet('the next apply', await place.webdata('apply', '--yes')));
  faults.push(...expected('places', after, place.places()));
  const calls = place.emulator.requests().filter(({ effect }) => effect !== null && 'moved' in effect).length;
  faults.push(...chargedOnce(place, after.length, machines ? calls : changesInAll - 1));
  return { cameTo: wordFor(ends), faults };
}

async function anotherFolder(stage: CampaignStage, place: MovesPlace): Promise<string> {
  const folder = await mkdtemp(join(stage.folder, 'apply-'));
  await mkdir(join(folder, '.webdata'));
  await copyFile(join(place.folder, 'webdata.yaml'), join(folder, 'webdata.yaml'));
  return folder;
}

function wordFor(ends: readonly Finished[]): string {
  const movers = ends.filter((end) => saidMoved(end).length > 0).length;
  const refused = ends.filter(({ code }) => code !== 0).length;
  if (refused > 0) return movers > 1 ? 'both moved, and one says what it could not' : 'one moved, one was refused';
  return movers > 1 ? 'both moved' : 'one moved, one found nothing to do';
}
