/** Invariants after every apply: the account, the journal, the report and the service's log agree on each IP. */
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { LoggedRequest } from '../../../src/emulator/index.ts';
import type { Harness, Result } from '../../../test/cli/harness.ts';
import { type ShownCall, type ShownRun, shownRuns } from '../../frame/shownRuns.ts';
import { migrations } from './cases.ts';

type Requests = readonly LoggedRequest[];

export const zones = ['checkout', 'pricing', 'archive', 'old-pricing', 'parked', 'shoppers'] as const;

type Places = ReadonlyMap<string, string>;

export function placesIn({ emulator }: Harness): Places {
  return new Map(zones.flatMap((zone) => emulator.ips(zone).map((ip) => [ip, zone] as const)));
}

/** Waits until the service has finished the requests of clients that are gone. */
export async function untilIdle({ emulator }: Pick<Harness, 'emulator'>): Promise<void> {
  while (emulator.requests().some(({ status }) => status === 'pending')) await setTimeout(50);
}

const isMigrate = ({ route }: LoggedRequest): boolean => route === 'zone/ips/migrate';

/** Returns the moves that the service made, in its order. */
function movesIn(requests: Requests): { ip: string; from: string; to: string }[] {
  return requests.flatMap(({ effect }) => {
    if (!effect || !('moved' in effect)) return [];
    return effect.moved.map((ip) => ({ ip, from: effect.from, to: effect.to }));
  });
}

/** Returns the steps that took effect, as letters; lowercase if only some of its IPs moved. */
export function stepsTaken(requests: Requests): string {
  const moved = new Set(movesIn(requests).map(({ ip, from, to }) => [ip, from, to].join()));
  const letters = Object.entries(migrations).map(([letter, { ips, from, to }]) => {
    const count = ips.filter((ip) => moved.has([ip, from, to].join())).length;
    return count === 0 ? '' : count < ips.length ? letter.toLowerCase() : letter;
  });
  const did = (what: string) => requests.some(({ effect }) => effect !== null && what in effect);
  return `${letters.join('')}${did('settings') ? 'S' : ''}${did('deletedPorts') ? 'P' : ''}`;
}

/** Checks that every IP is where it was or, if the log of the service says so, at its planned zone. */
export function checkPlaces(before: Places, after: Places, requests: Requests): void {
  const expected = new Map(before);
  for (const { ip, to } of movesIn(requests)) expected.set(ip, to);
  assert.deepEqual(after, expected);
  const planned = new Map<string, string>(
    Object.values(migrations).flatMap(({ ips, to }) => ips.map((ip) => [ip, to])),
  );
  for (const [ip, zone] of after)
    if (zone !== before.get(ip)) assert.equal(`${ip} ${zone}`, `${ip} ${planned.get(ip)}`);
}

type Fate = 'moved' | 'stayed' | 'uncertain';

/** Returns the outcome that the journal has for one IP of a migration. */
function fateOf(ip: string, { outcome, movedIps, seen }: ShownCall): Fate {
  if (movedIps.includes(ip) || outcome === 'done') return 'moved';
  if (seen?.notMoved?.includes(ip)) return 'stayed';
  return outcome === 'refused' ? 'stayed' : 'uncertain';
}

export async function journalOf({ webdata }: Harness): Promise<ShownRun[]> {
  const { stdout } = await webdata('history', '--format', 'json');
  return shownRuns(stdout).toReversed();
}

/** Checks that the journal never says the opposite of what happened, and is not uncertain without a reason. */
export function checkMigrations(calls: readonly ShownCall[], requests: Requests, isUncertain: boolean): void {
  const moves = movesIn(requests);
  const journaledIps = new Set<string>();
  for (const journaled of calls) {
    const { call } = journaled;
    if (call.type !== 'migrate') continue;
    for (const ip of ipsOf(journaled)) {
      const really = moves.some((move) => move.ip === ip && move.from === call.from && move.to === call.to);
      const fate = fateOf(ip, journaled);
      const line: string = `${ip} ${call.from} -> ${call.to}: `;
      if (fate !== 'uncertain') assert.equal(line + fate, line + (really ? 'moved' : 'stayed'));
      if (!isUncertain) assert.notEqual(line + fate, `${line}uncertain`);
      journaledIps.add(ip);
    }
  }
  for (const { ip } of moves) assert.ok(journaledIps.has(ip), `${ip} moved, but the journal does not have it`);
}

/** Checks that the journal is right about every change at the manager. */
export function checkManagerCalls(calls: readonly ShownCall[], requests: Requests, isUncertain: boolean): void {
  for (const { call, outcome } of calls) {
    if (call.type === 'migrate') continue;
    const what = call.type === 'updateSettings' ? 'settings' : 'deletedPorts';
    const really = requests.some(({ effect }) => effect !== null && what in effect);
    if (!isUncertain) assert.notEqual(`${what} ${outcome}`, `${what} unknown`);
    if (outcome !== 'unknown')
      assert.match(`${what} ${outcome}`, really ? /^\w+ (done|accepted)$/ : /^\w+ (refused|partly)$/);
  }
}

/** Checks that the report agrees with the journal and the service. */
export function checkReport({ stdout, stderr }: Result, calls: readonly ShownCall[], requests: Requests): void {
  assert.doesNotMatch(stdout + stderr, /^\s+at .+:\d+:\d+\)?$/m);
  assert.doesNotMatch(stdout + stderr, /internal error|\[object |undefined|NaN/);
  const words = stdout.replaceAll(/\s+/g, ' ');
  const moved = new Set(movesIn(requests).map(({ ip }) => ip));
  for (const ip of ipsSaid(words, / stayed in \S+/g))
    assert.ok(!moved.has(ip), `${ip} is said to have stayed, and moved`);
  for (const ip of ipsSaid(words, / (?:is|are) not visible yet/g))
    assert.ok([...calls].flatMap(ipsOf).includes(ip), `${ip} was not to move`);
  const [, count = '0'] = /(?:failed|Apply):.*?(\d+) IPs? moved in/.exec(words) ?? [];
  assert.equal(Number(count), new Set(calls.flatMap(({ movedIps }) => movedIps)).size);
  assert.ok(Number(count) <= moved.size, `${count} are said to have moved, ${moved.size} did`);
}

/** Returns the IPs directly before these words. */
function ipsSaid(text: string, words: RegExp): string[] {
  return [...text.matchAll(words)].flatMap(({ index }) => {
    const [list = ''] = /(?:[\d.]+,? )*[\d.]+$/.exec(text.slice(0, index)) ?? [];
    return list.match(/\d+\.\d+\.\d+\.\d+/g) ?? [];
  });
}

function ipsOf({ call }: ShownCall): string[] {
  return call.type === 'migrate' ? (call.ips as { ip: string }[]).map(({ ip }) => ip) : [];
}

/** Checks that no write follows the first refusal of the key or its role. */
export function checkNothingAfterRefusal(requests: Requests): void {
  const refusal = requests.find(({ server, status }) => server === 'api' && (status === 401 || status === 403));
  const later = requests.filter(({ sequence }) => refusal && sequence > refusal.sequence);
  assert.deepEqual(later.filter(isMigrate), []);
}

/** Checks that no IP that has moved is requested to move again. */
export function checkNoneMovedTwice(requests: Requests): void {
  const moved = new Set<string>();
  for (const request of requests.filter(isMigrate)) {
    const { ips = [] } = request.body as { ips?: string[] };
    for (const ip of ips) assert.ok(!moved.has(ip), `${ip} was asked to move twice`);
    for (const { ip } of movesIn([request])) moved.add(ip);
  }
}
