/** An account in which IPs move, and commands on it: in this process, or as a process that is killed. */
import { join } from 'node:path';
import type { AccountInput, Emulator } from '../../src/emulator/index.ts';
import { type Harness, openHarness, type Result } from '../../test/cli/harness.ts';
import type { Finished } from '../../test/e2e/process.ts';
import { stateFolderOf } from '../../test/stateFolder.ts';
import { ended, startVictim, wasKilled } from './killed.ts';
import type { Point } from './points.ts';
import { openRelay } from './relay.ts';

const ipsPerPair = 2;

/** An account and a declaration that moves the IPs of each pair of zones, and the settings of a manager. */
export interface Moves {
  account: AccountInput;
  declaration: string;
  pairs: readonly number[];
  /** The zone of each IP before and after an apply. */
  before: string[];
  after: string[];
  /** The number of writes of a complete run: a move for each pair, and the settings. */
  changes: number;
}

export function movesOver(count: number): Moves {
  const pairs = Array.from({ length: count }, (_, pair) => pair);
  const placesIn = (zone: string) =>
    pairs.flatMap((pair) => ipsOf(pair).map((ip) => `${ip} in ${zone}${pair}`)).toSorted();
  const zones = pairs.flatMap((pair) => [
    [`target${pair}`, { ips: {} }],
    [`source${pair}`, { ips: { us: ipsOf(pair) } }],
  ]);
  return {
    account: { id: 'hl_crash', zones: Object.fromEntries(zones) },
    declaration: `service: { profile: { settleSeconds: 1 } }
zoneIpAllocations:
  all:
    zones:
${pairs.map((pair) => `      target${pair}: { ips: [${ipsOf(pair).join(', ')}] }`).join('\n')}
    sources: [${pairs.map((pair) => `source${pair}`).join(', ')}]
managerSettings:
  local: { logs: 7, requestStats: false }
`,
    pairs,
    before: placesIn('source'),
    after: placesIn('target'),
    changes: count + 1,
  };
}

const threeMoves = movesOver(3);
export const {
  account: movesAccount,
  declaration: movesDeclaration,
  pairs: range,
  before,
  after,
  changes: changesInAll,
} = threeMoves;

export function ipsOf(pair: number): string[] {
  return Array.from({ length: ipsPerPair }, (_, ip) => `198.18.${pair}.${ip + 1}`);
}

export interface MovesPlace extends AsyncDisposable, Pick<Harness, 'emulator' | 'folder'> {
  journal: string;
  /** The environment with which a process reaches both peers. */
  env: Readonly<Record<string, string>>;
  /** Returns lines such as `198.18.0.1 in target0`, sorted. An IP in two zones has two lines. */
  places(): string[];
  webdata(...args: string[]): Promise<Result>;
  /** Runs the command and kills it at the point. Returns false if the command ended before the point. @throws Error if the command failed without being killed */
  killed(args: readonly string[], point: Point | undefined, list?: string): Promise<boolean>;
  /** Does the same for a command that may fail without being killed. */
  played(args: readonly string[], point: Point | undefined, list?: string): Promise<Finished>;
}

export function placesOf(emulator: Emulator, { pairs }: Pick<Moves, 'pairs'> = threeMoves): string[] {
  return pairs
    .flatMap((pair) => [`source${pair}`, `target${pair}`])
    .flatMap((zone) => emulator.ips(zone).map((ip) => `${ip} in ${zone}`))
    .toSorted();
}

export async function openPlace(dialect: AccountInput['dialect'] = {}, moves = threeMoves): Promise<MovesPlace> {
  const harness = await openHarness({ ...moves.account, dialect });
  const { emulator, folder } = harness;
  await harness.write('webdata.yaml', moves.declaration);
  const { relay, armed } = await relayTo(emulator);
  const env = {
    ...stateFolderOf(folder),
    WEBDATA_API_URL: relay.url,
    WEBDATA_MANAGER_URL: relay.url,
    WEBDATA_API_KEY: emulator.keys.ops,
  };

  async function played(args: readonly string[], point: Point | undefined, list?: string): Promise<Finished> {
    const victim = startVictim(args, { cwd: folder, env, under: folder }, point, list);
    armed.at(point, () => victim.child.kill('SIGKILL'));
    const finished = point === undefined ? await victim.finished : await ended(victim, point, relay.heard());
    armed.at(undefined, () => undefined);
    await relay.settled();
    return finished;
  }

  return {
    emulator,
    folder,
    env,
    journal: join(folder, '.webdata/journal.jsonl'),
    places: () => placesOf(emulator, moves),
    webdata: (...args) => harness.webdataWith({ env }, ...args),
    async killed(args, point, list) {
      const finished = await played(args, point, list);
      if (!wasKilled(finished) && finished.code !== 0)
        throw new Error(`${args.join(' ')} ended with ${finished.code}: ${finished.stderr}`);
      return wasKilled(finished);
    },
    played,
    async [Symbol.asyncDispose]() {
      await relay.close();
      await harness[Symbol.asyncDispose]();
    },
  };
}

/** Relays to both peers. A write takes some time. */
export function relayTo(emulator: Emulator) {
  for (const route of ['zone/ips/migrate', 'settings/put'])
    emulator.addFault({ route, fault: { kind: 'delay', ms: 8 } });
  return armedRelay((path) => (path.startsWith('/api/') ? emulator.managerUrl : emulator.apiUrl));
}

/** Opens a relay that kills at a point of one sort, counted from when it was armed. */
export async function armedRelay(upstream: (path: string) => string, at: 'request' | 'backend' = 'request') {
  let point: Point | undefined;
  let strike = () => {};
  let from = 0;
  const relay = await openRelay(upstream, {
    handlingOf: (number) => (point?.at === at && point.number === number - from ? point.how : undefined),
    strike: () => strike(),
  });
  const armed = {
    at(next: Point | undefined, how: () => void) {
      [point, strike, from] = [next, how, relay.changes()];
      relay.listen();
    },
  };
  return { relay, armed };
}
