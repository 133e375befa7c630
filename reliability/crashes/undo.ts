/** Kills `webdata undo`, and completes the undo. */
import { join } from 'node:path';
import { readJournal } from '../../src/engine/run/journalReader.ts';
import { journalAt } from '../../test/engine/journalAt.ts';
import type { CampaignStage } from '../frame/campaign.ts';
import { chargedOnce, expected, journalFaults, quiet, truthOf } from './checks.ts';
import type { Kind, Played } from './kind.ts';
import { before, changesInAll, type MovesPlace, openPlace } from './moves.ts';
import { filePoints, type Point, requestPoints } from './points.ts';

export const undo: Kind = {
  name: 'undo',
  holds:
    'the history is correct; the next undo completes it if necessary; every IP was moved back once; the settings are as before',
  spanMs: 250,
  boundaries: undoBoundaries,
  play: (_, point) => playUndo(point),
};

export async function undoBoundaries({ folder }: Pick<CampaignStage, 'folder'>): Promise<Point[]> {
  await using place = await openApplied();
  const list = join(folder, 'undo-operations');
  await place.killed(['undo', '--yes'], undefined, list);
  return [...filePoints(list), ...requestPoints(changesInAll)];
}

/** Opens a place where everything is applied. The emulator's log begins after it. */
export async function openApplied(): Promise<MovesPlace & { settings: unknown }> {
  const place = await openPlace();
  const settings = settingsOf(place);
  const { code, stdout, stderr } = await place.webdata('apply', '--yes');
  if (code !== 0) throw new Error(`apply ended with ${code}: ${stdout}${stderr}`);
  place.emulator.clearRequests();
  return { ...place, settings };
}

export function settingsOf({ emulator }: Pick<MovesPlace, 'emulator'>): unknown {
  const { logs, request_stats } = emulator.settings();
  return { logs, request_stats };
}

async function playUndo(point: Point): Promise<Played> {
  await using place = await openApplied();
  const killed = await place.killed(['undo', '--yes'], point);
  const truth = await truthOf(place, 'undo');
  const last = (await readJournal(journalAt(place.journal))).at(-1);
  // An undo that has recorded its end is complete; a second undo would undo it.
  const isDone = last?.command === 'undo' && last.ended !== undefined;
  const again = isDone ? undefined : await place.webdata('undo', '--yes', '--lock-timeout', '60');
  return {
    killed,
    faults: [
      ...truth,
      ...(again === undefined ? [] : quiet('the next undo', again)),
      ...expected('places', before, place.places()),
      ...expected('settings', place.settings, settingsOf(place)),
      ...chargedOnce(place, before.length, changesInAll - 1),
      ...(await journalFaults(place)),
    ],
  };
}
