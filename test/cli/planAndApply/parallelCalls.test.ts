/** Calls of an apply that share no zone are sent at the same time, within limits that no failure may break. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { movesOver } from '../../../reliability/crashes/moves.ts';
import { openRelay } from '../../../reliability/crashes/relay.ts';
import type { FaultInput } from '../../../src/emulator/index.ts';
import { readJournal } from '../../../src/engine/run/journalReader.ts';
import { journalAt } from '../../engine/journalAt.ts';
import { openHarness } from '../harness.ts';

const pairs = 12;
const callMs = 60;
const moves = movesOver(pairs);

type Fault = FaultInput['fault'];

/** An account of pairs of zones. A relay in front of it notes when each call arrived and was answered. */
async function openPairs(faults: Readonly<Record<number, Fault>> = {}) {
  const harness = await openHarness(moves.account);
  const { emulator } = harness;
  const declaration = moves.declaration.split('managerSettings:')[0] ?? '';
  await harness.write('webdata.yaml', declaration);
  emulator.addFault({ route: 'zone/ips/migrate', fault: { kind: 'delay', ms: callMs } });
  for (const [occurrence, fault] of Object.entries(faults))
    emulator.addFault({ route: 'zone/ips/migrate', occurrence: Number(occurrence), fault });
  const calls: { from: number; to: number }[] = [];
  const relay = await openRelay(() => emulator.apiUrl, {
    handlingOf: () => undefined,
    strike: () => undefined,
    passed: ({ from, to }) => void calls.push({ from, to }),
  });
  const env = { WEBDATA_API_URL: relay.url };
  return {
    calls,
    emulator,
    webdata: (...args: string[]) => harness.webdataWith({ env }, ...args),
    journal: () => readJournal(journalAt(`${harness.folder}/.webdata/journal.jsonl`)),
    async [Symbol.asyncDispose]() {
      await relay.close();
      await harness[Symbol.asyncDispose]();
    },
  };
}

function mostAtATime(calls: readonly { from: number; to: number }[]): number {
  return Math.max(...calls.map(({ from }) => calls.filter((other) => other.from <= from && from < other.to).length));
}

it.each([
  { options: [], atATime: 4 },
  { options: ['--parallelism', '1'], atATime: 1 },
  { options: ['--parallelism', '10'], atATime: 10 },
])('sends at most $atATime calls at a time with $options', async ({ options, atATime }) => {
  await using place = await openPairs();
  const { code } = await place.webdata('apply', '--yes', ...options);
  expect(code).toBe(0);
  expect(place.calls).toHaveLength(pairs);
  expect(mostAtATime(place.calls)).toBeLessThanOrEqual(atATime);
  expect(mostAtATime(place.calls)).toBeGreaterThan(Math.floor(atATime / 2));
  const undone = await place.webdata('undo', '--yes', ...options);
  expect(undone.code).toBe(0);
  expect(mostAtATime(place.calls.slice(pairs))).toBeLessThanOrEqual(atATime);
});

it.each<{ name: string; fault: Fault }>([
  { name: 'a refused call', fault: { kind: 'status', status: 400 } },
  { name: 'a refused key', fault: { kind: 'status', status: 403 } },
  { name: 'a count that is too low', fault: { kind: 'short-move', moves: 1 } },
])('sends nothing new after $name, and completes the calls in progress', async ({ fault }) => {
  await using place = await openPairs({ 2: fault });
  const { code, stdout } = await place.webdata('apply', '--yes', '--format', 'json');
  const refusedAt = Math.min(...place.calls.map(({ to }) => to));
  const [run] = await place.journal();
  const { resources } = JSON.parse(stdout);
  expect(code).toBe(1);
  expect(place.calls.filter(({ from }) => from > refusedAt + callMs)).toEqual([]);
  expect(place.calls.length).toBeLessThanOrEqual(7);
  expect(resources[0].made).toHaveLength(place.calls.length);
  expect(resources[0].made.length + resources[0].notMade.length).toBe(pairs);
  expect(run?.calls.filter((call) => call.answered === undefined && call.failed === undefined)).toEqual([]);
  expect(run?.ended?.result).toBe('failed');
  expect((await place.webdata('apply', '--yes')).code).toBe(0);
  expect((await place.webdata('plan', '--detailed-exitcode')).code).toBe(0);
});

it('does not repeat a call that was told to wait once another call was refused', async () => {
  await using place = await openPairs({
    1: { kind: 'status', status: 429 },
    2: { kind: 'status', status: 400 },
  });
  const { code, stdout } = await place.webdata('apply', '--yes', '--format', 'json', '--parallelism', '2');
  await sleep(1_000);
  const [run] = await place.journal();
  expect(code).toBe(1);
  expect(place.calls).toHaveLength(2);
  expect(JSON.parse(stdout).resources[0].made).toHaveLength(1);
  expect(JSON.parse(stdout).resources[0].notMade).toHaveLength(pairs - 1);
  expect(run?.calls.map(({ failed }) => failed?.code).toSorted()).toEqual(['not-sent', 'refused']);
});

it('sends the calls that share no zone with one whose outcome is not known', async () => {
  await using place = await openPairs({ 2: { kind: 'status', status: 502 } });
  const { code, stdout } = await place.webdata('apply', '--yes', '--format', 'json');
  const { resources } = JSON.parse(stdout);
  expect(code).toBe(1);
  expect(place.calls).toHaveLength(pairs);
  expect(resources[0].notMade).toEqual([]);
  expect(resources[0].made.filter(({ outcome }: { outcome: string }) => outcome === 'done')).toHaveLength(pairs - 1);
  expect((await place.webdata('apply', '--yes')).code).toBe(0);
});
