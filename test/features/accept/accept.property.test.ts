/**
 * Random declarations with comments everywhere, and random live changes of an emulated account: afterwards drift is empty, every comment
 * is still there, and the text of other resources is as it was.
 */
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { lostComments } from '../../../src/base/yaml/edit/comments.ts';
import { startEmulator } from '../../../src/emulator/index.ts';
import { configOf } from '../../../src/engine/declaration/config.ts';
import type { Settings } from '../../../src/engine/declaration/connection.ts';
import { driftIn } from '../../../src/engine/plan/plan.ts';
import { planAll, planOf } from '../../../src/engine/plan/planner.ts';
import { connect } from '../../../src/engine/run/connections.ts';
import { createSession } from '../../../src/engine/run/session.ts';
import { type Acceptance, acceptLiveState } from '../../../src/features/accept/accept.ts';
import { mergedSource } from '../../../src/features/accept/edits.ts';
import { randomOf, StyledYaml } from '../../base/yaml/edit/styledYaml.ts';

const zones = ['checkout', 'pricing', 'archive', 'parked', 'attic'] as const;
const entries = ['10.0.0.0/8', '10.1.2.3', '192.168.0.0/16', '172.16.5.5'];
const file = 'webdata.yaml';

const account = {
  id: 'hl_accept',
  users: ['omar'],
  apiKeys: [{ user: 'omar', permission: 'Ops' }],
  zones: Object.fromEntries(
    zones.map((zone, index) => [
      zone,
      {
        ips: {
          us: [`192.0.2.${index * 10 + 1}-192.0.2.${index * 10 + 4}`],
          de: [`203.0.113.${index * 10 + 1}-203.0.113.${index * 10 + 3}`],
        },
      },
    ]),
  ),
  manager: { settings: {} },
};

it('accepts any drift, loses no comment, and leaves other resources alone', { timeout: 900_000 }, async () => {
  const emulator = await startEmulator(account as never, { port: 0, managerPort: 0 });
  onTestFinished(() => emulator.close());
  const env = {
    WEBDATA_API_URL: emulator.apiUrl,
    WEBDATA_API_KEY: emulator.keys.ops,
    WEBDATA_MANAGER_URL: emulator.managerUrl,
  };
  const settings: Settings = { env };
  const refused = new Map<string, number>();
  let accepts = 0;
  const homes = new Map(zones.map((zone) => [zone, emulator.ips(zone)]));

  function disturb(random: (below: number) => number): void {
    for (let left = random(5); left >= 0; left -= 1) {
      const from = emulator.ips(zones[random(zones.length)] ?? 'checkout');
      const ips = from.filter(() => random(4) === 0);
      if (ips.length > 0) emulator.move(ips, zones[random(zones.length)] ?? 'parked');
    }
    if (random(2) === 0) emulator.setSettings({ logs: random(500) });
    if (random(2) === 0) emulator.setSettings({ whitelist_ips: entries.filter(() => random(2) === 0) });
  }

  function declared(random: (below: number) => number): Record<string, unknown> {
    const names = [...zones].sort(() => random(3) - 1);
    const zone = (name: string) => {
      const ips = emulator.ips(name).filter(() => random(3) > 0);
      const all = emulator.ips(name);
      const count = (prefix: string) => all.filter((ip) => ip.startsWith(prefix)).length;
      const byCountry = { us: count('192.'), ...(random(2) === 0 && { DE: count('203.') }) };
      return [
        { ips },
        { ips, count: all.length },
        { count: all.length },
        { ips, count: byCountry },
        { count: byCountry },
      ][random(5)];
    };
    const allocation = (filled: string[]) => ({
      zones: Object.fromEntries(filled.map((name) => [name, zone(name)])),
      spare: names[4],
      ...(random(3) === 0 && { unmanaged: 'release' }),
    });
    const split = 1 + random(3);
    return {
      service: { profile: { settleSeconds: 0 } },
      zoneIpAllocations: { one: allocation(names.slice(0, split)), two: allocation(names.slice(split, 4)) },
      managerSettings: {
        main: { logs: Number(emulator.settings().logs ?? 0), whitelistIps: entries.filter(() => random(2) === 0) },
      },
    };
  }

  async function driftedIn(text: string): Promise<string[]> {
    const config = configOf(mergedSource([{ file, text }], env), settings);
    const session = createSession(config, connect(config, { readOnly: true }));
    try {
      const { resources } = driftIn(planOf(await planAll(config, session)));
      return resources.filter(({ calls, problems }) => calls.length + problems.length > 0).map(({ name }) => name);
    } finally {
      await session.close();
    }
  }

  async function accept(text: string, only: string | undefined): Promise<Acceptance> {
    const config = configOf(mergedSource([{ file, text }], env), settings);
    const session = createSession(config, connect(config, { readOnly: true }));
    const acceptabilityOf = ({ name }: { name: string }) => ({
      isAccepted: only === undefined || name === only,
      mayRemove: true,
    });
    try {
      return await acceptLiveState({
        files: [{ file, text }],
        settings,
        session,
        acceptabilityOf,
        lists: new Map(),
        isStrict: false,
        isWhole: only === undefined,
      });
    } finally {
      await session.close();
    }
  }

  const numRuns = Number(process.env.ACCEPT_RUNS ?? 40);
  await fc.assert(
    fc.asyncProperty(fc.integer(), fc.constantFrom(undefined, undefined, 'one', 'main'), async (seed, only) => {
      const random = randomOf(seed);
      for (const [zone, ips] of homes) emulator.move(ips, zone);
      const text = new StyledYaml(seed).document(declared(random) as never, 2);
      disturb(random);
      const { files, accepted, problems } = await accept(text, only);
      const after = files[0]?.text ?? '';
      for (const { found } of problems) refused.set(found, (refused.get(found) ?? 0) + 1);
      const names = accepted.map(({ name }) => name);
      accepts += names.length;
      expect(lostComments(text, after)).toEqual([]);
      const untouched = ['one', 'two', 'main'].filter((name) => !names.includes(name));
      for (const name of untouched) expect(textOf(name, after)).toBe(textOf(name, text));
      if (problems.length > 0) return;
      const drifted = await driftedIn(after);
      if (only === undefined) expect(drifted).toEqual([]);
      else expect(drifted).not.toContain(only);
    }),
    { numRuns },
  );
  if (process.env.ACCEPT_RUNS) console.log({ accepts, refused });
  expect(accepts).toBeGreaterThan(numRuns / 2);
  expect([...refused.values()].reduce((sum, times) => sum + times, 0)).toBeLessThan(numRuns * 0.6);
});

/** The lines from the key of a resource to the next one, without comments between them, which may belong to either. */
function textOf(name: string, text: string): string {
  const lines = text.split('\n');
  const isKey = (line: string) => /^ +["']?(one|two|main)["']?:/.test(line) || /^["']?\w/.test(line);
  const start = lines.findIndex((line) => RegExp(`^ +["']?${name}["']?:`).test(line));
  const end = lines.findIndex((line, index) => index > start && isKey(line));
  return lines.slice(start, end < 0 ? undefined : end).join('\n');
}
