import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { quietOrWaiting } from '../../reliability/crashes/checks.ts';
import type { LoggedRequest } from '../../src/emulator/index.ts';
import { readJournal } from '../../src/engine/run/journalReader.ts';
import { type Harness, openHarness } from '../cli/harness.ts';
import { journalAt } from '../engine/journalAt.ts';
import { start } from './process.ts';

const calls = 50;
const ipsPerZone = 4;
const kills = 8;

/** Fifty zones that each get four IPs from a zone of their own: fifty calls. */
const account = {
  id: 'hl_kill',
  zones: Object.fromEntries(
    Array.from({ length: calls }, (_, index) => [
      [`target${index}`, { ips: {} }],
      [`source${index}`, { ips: { us: [`198.18.${index}.1-198.18.${index}.${ipsPerZone}`] } }],
    ]).flat(),
  ),
};

const declaration = `service: { profile: { settleSeconds: 2 } }
zoneIpAllocations:
  all:
    zones:
${Array.from({ length: calls }, (_, index) => `      target${index}: { ips: [${ipsOf(index).join(', ')}] }`).join('\n')}
    sources: [${Array.from({ length: calls }, (_, index) => `source${index}`).join(', ')}]
`;

function ipsOf(index: number): string[] {
  return Array.from({ length: ipsPerZone }, (_, ip) => `198.18.${index}.${ip + 1}`);
}

describe.concurrent('an apply of 50 calls that is killed', () => {
  /** Moments, spread over the calls, each drawn at random within its share, and in the call: before or after its effect. */
  const moments = Array.from({ length: kills }, (_, index) => ({
    afterCalls: Math.floor(((index + Math.random()) * calls) / kills),
    delayMs: Math.floor(Math.random() * 25),
  }));

  it.each(
    moments,
  )('after $afterCalls calls and $delayMs ms tells the truth, and the next apply ends it', async (moment) => {
    await using harness = await openHarness(account);
    const { emulator, folder, webdata, write } = harness;
    await write('webdata.yaml', declaration);
    emulator.addFault({ route: 'zone/ips/migrate', fault: { kind: 'delay', ms: 15 } });

    await killedApply(harness, moment);
    await expectTruth(harness);

    // The lock of a killed process expires ten seconds after it was last renewed.
    const again = await webdata('apply', '--yes', '--lock-timeout', '20');
    expect(again.stderr).toMatch(quietOrWaiting);
    expect(again.code).toBe(0);
    for (let index = 0; index < calls; index++) expect(emulator.ips(`target${index}`).sort()).toEqual(ipsOf(index));
    expect(await webdata('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });

    const moved = emulator.requests().flatMap(movedBy);
    expect(new Set(moved).size).toBe(moved.length);
    expect(moved.length).toBe(calls * ipsPerZone);
    const asked = emulator.requests().filter(({ route }) => route === 'zone/ips/migrate');
    expect(asked.length).toBe(calls);
    const open = (await readJournal(journalAt(`${folder}/.webdata/journal.jsonl`)))[0]?.calls.filter(
      (call) => !call.answered && !call.seen,
    );
    expect(open).toEqual([]);
  });
});

async function killedApply(
  { emulator, folder }: Harness,
  { afterCalls, delayMs }: { afterCalls: number; delayMs: number },
): Promise<void> {
  const env = { WEBDATA_API_URL: emulator.apiUrl, WEBDATA_API_KEY: emulator.keys.admin };
  const { child, finished } = start(['apply', '--yes'], { cwd: folder, env });
  let hasEnded = false;
  void finished.finally(() => {
    hasEnded = true;
  });
  // On a machine so slow that listings seem to lag, an apply ends by itself before it has made all of its calls.
  while (!hasEnded && emulator.requests().filter(({ route }) => route === 'zone/ips/migrate').length < afterCalls)
    await setTimeout(1);
  await setTimeout(delayMs);
  child.kill('SIGKILL');
  await finished;
}

/** What history calls done was done, what it calls undone was not sent, and it admits what it does not know. */
async function expectTruth({ emulator, webdata }: Harness): Promise<void> {
  const history = await webdata('history', '--format', 'json');
  expect(history.code).toBe(0);
  await setTimeout(50);
  const moved = new Set(emulator.requests().flatMap(movedBy));
  const [run] = JSON.parse(history.stdout).runs;
  const outcomes = new Map<string, string>();
  for (const call of run?.calls ?? []) {
    for (const { ip } of call.call.ips) outcomes.set(ip, call.outcome);
  }
  for (const [ip, outcome] of outcomes) {
    expect(['accepted', 'unknown']).toContain(outcome);
    if (outcome === 'accepted') expect(moved).toContain(ip);
  }
  for (const ip of moved) expect([...outcomes.keys()]).toContain(ip);
}

function movedBy({ effect }: LoggedRequest): readonly string[] {
  return effect !== null && 'moved' in effect ? effect.moved : [];
}
