/** Disks that are full for a while: under the journal, the receiver and the trigger store. */
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasSmallDisks, type SmallDisk, smallDisk } from '../../test/base/files/smallDisk.ts';
import { chargedOnce, expected, lineFaults, quiet, truthOf } from '../crashes/checks.ts';
import { after, changesInAll, openPlace } from '../crashes/moves.ts';
import { applying, endedInWords } from './agreement.ts';
import { receiverOn, storeOn } from './diskServers.ts';
import type { Race, Raced } from './race.ts';

const blockBytes = 4096;

type OnDisk = (disk: SmallDisk, random: () => number) => Promise<Raced>;

export const disks: readonly Race[] = [
  onFull(
    'journal',
    journalOn,
    15,
    'an error with a message; no call is sent that is not in the journal; the next apply completes the rest, and moves no IP twice',
  ),
  onFull(
    'receiver',
    receiverOn,
    15,
    '507 for deliveries without space; what was answered with 200 is stored completely; the rest is accepted when there is space',
  ),
  onFull(
    'trigger store',
    storeOn,
    6,
    'an error with a message; what was answered is kept; each tick has one run, and none is triggered twice',
  ),
];

function onFull(what: string, on: OnDisk, times: number, holds: string): Race {
  return {
    name: `a full disk under the ${what}`,
    holds,
    lacks: hasSmallDisks ? undefined : 'no small disk can be mounted',
    times,
    short: 1,
    run: async (_, random) => {
      using disk = smallDisk(1024);
      if (disk === undefined) throw new Error('no small disk could be mounted');
      return await on(disk, random);
    },
  };
}

async function journalOn(disk: SmallDisk, random: () => number): Promise<Raced> {
  await using place = await openPlace();
  await symlink(disk.folder, join(place.folder, '.webdata'));
  // A filler cannot take the free rest of the journal's last block.
  await writeFile(place.journal, endedRun(Math.floor(random() * blockBytes)));
  disk.fill(Math.floor(random() * 3) * blockBytes);
  const finished = await applying(place.folder, place.env);
  disk.empty();
  const wasFull = finished.code !== 0;
  const faults = [...endedInWords('the apply', finished), ...(await truthOf(place, 'apply'))];
  if (wasFull)
    faults.push(...expected('it says what is wrong', true, /free disk space/.test(finished.stdout + finished.stderr)));
  faults.push(...quiet('the next apply', await place.webdata('apply', '--yes')));
  faults.push(...expected('places', after, place.places()));
  faults.push(...chargedOnce(place, after.length, changesInAll - 1), ...(await lineFaults(place)));
  return { cameTo: wasFull ? 'no space' : 'enough space', faults };
}

/** Returns the journal lines of a past run with at least this many bytes. */
function endedRun(bytes: number): string {
  const at = '2026-01-01T00:00:00.000Z';
  const lines = [
    { type: 'run', run: 'past', at, command: 'apply', origin: 'http://127.0.0.1', version: 'v'.repeat(bytes) },
    { type: 'end', run: 'past', at, result: 'done' },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
