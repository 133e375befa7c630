/** Commands that only look change nothing: not at the service, not at the manager, not in the journal. */
import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { declaration } from '../../reliability/faults/steps/cases.ts';
import { untilIdle } from '../../reliability/faults/steps/checks.ts';
import { loadedProgram } from '../../scripts/docs/program.ts';
import { commands } from '../../src/cli/commands.ts';
import type { LoggedRequest } from '../../src/emulator/index.ts';
import { type AccountName, type Harness, openHarness, serviceYaml } from '../cli/harness.ts';

/** The commands about an account that take no lock: they must not write. `history` takes it only to prune. */
const { program } = await loadedProgram();
const withoutLock = program.commands.filter(
  (command) =>
    ['Main', 'Look'].includes(commands[command.name()]?.group ?? '') &&
    !command.options.some(({ long }) => long === '--lock-timeout'),
);

const looking: readonly (readonly string[])[] = [
  ...withoutLock.map((command) => [command.name()]),
  ['show', '--zone', 'pricing', '--full', '--format', 'json'],
  ['audit', '--strict', '--format', 'json'],
  ['plan', '--detailed-exitcode', '--format', 'json', '--full'],
  ['plan', '--select', 'ManagerSettings/local', '--force-ports'],
  ['drift', '--strict', '--format', 'json'],
  ['pull', '--zone', 'pricing', '--zone', 'parked'],
  ['doctor', '--format', 'json'],
  ['history'],
  ['history', '--format', 'json'],
];

it('knows the commands that only look', () => {
  const names = withoutLock.map((command) => command.name());
  expect(names).toEqual(expect.arrayContaining(['validate', 'plan', 'drift', 'show', 'audit']));
});

it.each<AccountName>(['plain', 'odd', 'open'])('they send only reads to the %s account', async (account) => {
  await using harness = await openHarness(account);
  await harness.write('webdata.yaml', serviceYaml(account) + declaration);
  await expectOnlyReads(harness, looking);
});

it.each([
  'drop-before',
  'drop-after',
] as const)('they send only reads after a run that lost an answer (%s)', async (kind) => {
  await using harness = await openHarness('plain');
  await harness.write('webdata.yaml', serviceYaml('plain') + declaration);
  harness.emulator.addFault({ route: 'zone/ips/migrate', occurrence: [1, 3], fault: { kind } });
  harness.emulator.addFault({ route: 'zone/ips', occurrence: readBacks, fault: { kind: 'status', status: 500 } });
  expect(await harness.webdata('apply', '--yes', '--retries', '0')).toMatchObject({ code: 1 });
  harness.emulator.clearFaults();
  const history = await harness.webdata('history');
  expect(history.stdout).toContain('outcome unknown');
  await expectOnlyReads(harness, looking);
  expect(await harness.webdata('history')).toEqual(history);
});

/** Listings that come after the first migration, however often an apply lists before it. */
const readBacks = Array.from({ length: 100 }, (_, index) => 16 + index);

async function expectOnlyReads(
  { emulator, folder, read, webdata }: Harness,
  commands: readonly (readonly string[])[],
): Promise<void> {
  const journal = () => read('.webdata/journal.jsonl').catch(() => 'none');
  const seen = async () => ({ state: emulator.state(), journal: await journal(), files: await readdir(folder) });
  await untilIdle({ emulator });
  emulator.clearRequests();
  const before = await seen();
  for (const args of commands) await webdata(...args);
  expect(await seen()).toEqual(before);
  const requests = emulator.requests();
  expect(requests.filter((request) => !isRead(request, requests))).toEqual([]);
  expect(requests.filter(({ effect }) => effect !== null)).toEqual([]);
}

/** The one write-shaped call that reads: an empty PUT of the settings, to a manager that has no GET of them. */
function isRead({ method, route, body, sequence }: LoggedRequest, requests: readonly LoggedRequest[]): boolean {
  if (method === 'GET') return true;
  const isRefused = requests.some(
    (other) => other.route === 'settings/get' && other.sequence < sequence && [404, 405].includes(Number(other.status)),
  );
  return isRefused && route === 'settings/put' && JSON.stringify(body) === '{}';
}
