/**
 * Each command against each of its peers when that peer is missing or is another server: the command reports it and changes nothing. It
 * fails, unless it asks that peer only for notes.
 */
import type { LimitFunction } from 'p-limit';
import type { Table } from '../frame/campaign.ts';
import type { Peer } from './calls.ts';
import { type Clean, effectsOf, peersOf, usual, wrongWords } from './cell.ts';
import { addressOf, type ConnectionFault } from './connections.ts';
import type { Scenario } from './scenario.ts';
import { type Backend, openBackend, openCellWorld, type Surroundings } from './world.ts';

export interface ConnectionResult {
  scenario: string;
  peer: Peer;
  fault: string;
  wrong: readonly string[];
}

interface Against {
  scenario: Scenario;
  clean: Clean;
  around: Surroundings;
  shared: Backend | undefined;
  limit: LimitFunction;
}

/** Only commands: data that a scenario prepares at one address does not exist at another. */
export async function runConnections(
  against: Against,
  faults: readonly ConnectionFault[],
): Promise<ConnectionResult[]> {
  const { scenario, clean, limit } = against;
  if (scenario.front !== 'command' || scenario.brief || (scenario.writes && scenario.again !== 'never')) return [];
  const cells = peersOf(clean).flatMap((peer) => faults.map((fault) => ({ peer, ...fault })));
  return Promise.all(
    cells.map(({ peer, name, url, message }) =>
      limit(async () => ({
        scenario: scenario.name,
        peer,
        fault: name,
        wrong: await wrongAt(against, { peer, url, message }),
      })),
    ),
  );
}

async function wrongAt(
  { scenario, around, shared }: Against,
  { peer, url, message }: { peer: Peer; url: string; message: RegExp },
): Promise<string[]> {
  const backend = shared ?? (await openBackend(await scenario.account()));
  try {
    await using world = await openCellWorld(backend, around);
    await scenario.prepare?.(world);
    backend.emulator.clearRequests();
    world.env[addressOf[peer] ?? ''] = url;
    const ended = await scenario.run(world, usual);
    const all = ended.stdout + ended.stderr;
    const wanted = scenario.notesOf?.includes(peer) ? 0 : 1;
    return [
      ...wrongWords(ended),
      ...(ended.code === wanted ? [] : [`exit ${ended.code}, not ${wanted}: ${all.slice(0, 400)}`]),
      ...(message.test(all) ? [] : [`it does not say ${message}: ${all.slice(-600)}`]),
      ...(/\bfix: |"fix"/.test(all) ? [] : ['it says no fix']),
      ...(shared === undefined && peer === 'api' ? effectsOf(backend) : []),
    ];
  } finally {
    if (shared === undefined) await backend[Symbol.asyncDispose]();
  }
}

export function connectionTable(results: readonly ConnectionResult[]): Table {
  const faults = [...new Set(results.map(({ fault }) => fault))];
  return {
    title:
      'If a server is missing, or another server answers at its address, every cell fails before anything is sent.',
    heads: ['fault', 'cells'],
    rows: faults.map((fault) => [fault, results.filter((result) => result.fault === fault).length]),
  };
}
