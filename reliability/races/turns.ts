/**
 * Fronts of one account that take turns and are killed: two declarations, each in a checkout that names the account and in one that does not, and a
 * program without a name; with wrong clocks, answers without a count, and listings that lag.
 */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Emulator, type FaultInput, type LoggedRequest, startEmulator } from '../../src/emulator/index.ts';
import { start } from '../../test/e2e/process.ts';
import { expected, quiet } from '../crashes/checks.ts';
import { type CrashServer, crashStores } from '../crashes/crashStores.ts';
import { ended, wasKilled } from '../crashes/killed.ts';
import { armedRelay, ipsOf, movesOver, placesOf } from '../crashes/moves.ts';
import type { Point } from '../crashes/points.ts';
import type { CampaignStage } from '../frame/campaign.ts';
import { endedInWords } from './agreement.ts';
import { type Machine, newMachine } from './machine.ts';
import { type Race, type Raced, raceOn } from './race.ts';
import { historyFaults, readHistory } from './sharedHistory.ts';

const moves = movesOver(4);
const declarations = { a: [0, 1], b: [2, 3] } as const;
type Name = keyof typeof declarations;
const names = ['a', 'b'] as const;
type Zone = 'source' | 'target';

const settleMs = 1000;
const [kills, killsInShort, mostTurns] = [25, 2, 75];

export const turns: readonly Race[] = crashStores.map((store) =>
  raceOn(store, {
    name: `fronts that take turns on ${store.name}, killed`,
    holds:
      'no move is sent twice, with every order of fronts, names, declarations and clocks; each process succeeds or says why not; in the end, both declarations are applied, neither has drift, and the history has every move',
    times: 14,
    short: 1,
    play,
  }),
);

async function play(stage: CampaignStage, random: () => number, server: CrashServer): Promise<Raced> {
  await using world = await openWorld(stage, random, server);
  const goals: Record<Name, Zone> = { a: 'target', b: 'target' };
  const figures = { turns: 0, kills: 0, 'turns that were refused': 0, 'calls that moved IPs': 0 };
  const faults: string[] = [];
  while (figures.kills < (stage.short ? killsInShort : kills) && figures.turns < mostTurns) {
    const name = any(names, random);
    if (world.isReached(name, goals[name])) goals[name] = goals[name] === 'target' ? 'source' : 'target';
    const end = await world.turn(name, goals[name], drawnPoint(random));
    figures.turns += 1;
    if (wasKilled(end)) figures.kills += 1;
    else if (end.code !== 0) faults.push(...endedInWords(`turn ${figures.turns}`, end));
    if (end.code === 1) figures['turns that were refused'] += 1;
  }
  faults.push(...(await world.endFaults(goals)));
  figures['calls that moved IPs'] = world.sent();
  return { cameTo: 'done', faults, figures };
}

/** One turn of five is not killed, so that its listings may lag for longer than the tool waits: then, only an answer that it has read proves the move. */
function drawnPoint(random: () => number): Point | undefined {
  if (random() < 0.2) return undefined;
  if (random() < 0.4) return { at: 'instant', ms: Math.floor(random() * 400) };
  const how = any(['lost', 'late', 'unanswered'] as const, random);
  if (random() < 0.5) return { at: 'backend', number: 1 + Math.floor(random() * 8), how };
  return { at: 'request', number: 1 + Math.floor(random() * 2), how };
}

async function openWorld(stage: CampaignStage, random: () => number, server: CrashServer) {
  const [folder, store, emulator] = await Promise.all([
    mkdtemp(join(stage.folder, 'turns-')),
    server.newStore(),
    startEmulator(moves.account, { port: 0, managerPort: 0 }),
  ]);
  const { relay, armed } = await armedRelay(() => emulator.apiUrl);
  const env = {
    WEBDATA_API_URL: relay.url,
    WEBDATA_API_KEY: emulator.keys.ops,
    WEBDATA_LEASE_SECONDS: '3',
    ...(!store.isShared && { WEBDATA_STATE_FOLDER: `${folder}-machine` }),
  };
  const checkout = (who: string, of: Readonly<Record<string, string>> = store.victim) =>
    newCheckout(folder, who, { ...env, ...of }, Math.round(20_000 * (random() - 0.5)));
  const [named, unnamed, program] = await Promise.all([checkout('named'), checkout('unnamed'), checkout('program')]);

  return {
    isReached: (name: Name, goal: Zone) => hasReached(emulator, name, goal),
    async turn(name: Name, goal: Zone, point: Point | undefined) {
      setFaults(emulator, point !== undefined, random);
      // A program starts slowly.
      const machine = random() < 0.1 ? program : any([named, unnamed], random);
      await declare(machine, name, goal);
      const running =
        machine === program
          ? start([JSON.stringify(allocation(name, goal))], { ...machine, webdata: stackFront })
          : machine.start('apply', '-f', `${name}/webdata.yaml`, '--yes', '--format', 'json', '--lock-timeout', '120');
      const strike = () => running.child.kill('SIGKILL');
      armed.at(point, strike);
      store.relay?.arm(point, strike);
      const end = point === undefined ? await running.finished : await ended(running, point, relay.heard());
      armed.at(undefined, () => undefined);
      store.relay?.arm(undefined, () => undefined);
      await Promise.all([relay.settled(), store.relay?.settled()]);
      return end;
    },
    sent: () => migrations(emulator).length,
    async endFaults(goals: Record<Name, Zone>): Promise<string[]> {
      await sleep(3 * settleMs);
      emulator.clearFaults();
      const last = await Promise.all(['named', 'unnamed'].map((who) => checkout(who, store.others)));
      const faults: string[] = [];
      for (const name of names) {
        const [machine] = last.toSorted(() => random() - 0.5);
        for (const each of last) await declare(each, name, goals[name]);
        const applied = await machine?.run('apply', '-f', `${name}/webdata.yaml`, '--yes', '--lock-timeout', '120');
        if (applied !== undefined) faults.push(...quiet(`the last apply of ${name}`, applied));
        faults.push(...expected(`places of ${name}`, true, hasReached(emulator, name, goals[name])));
      }
      for (const [index, name] of names.entries()) {
        const drift = await last[index]?.run('drift', '-f', `${name}/webdata.yaml`);
        faults.push(...expected(`drift of ${name}: ${drift?.code === 0 ? '' : drift?.stdout}`, 0, drift?.code));
      }
      const [reader] = last;
      const history = reader === undefined ? [] : await readHistory(reader);
      return [...faults, ...sentAgain(emulator), ...historyFaults(emulator, history)];
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([relay.close(), store.relay?.close(), emulator.close()]);
    },
  };
}

const stackFront = join(import.meta.dirname, 'stackFront.ts');

/** All checkouts are of one repository, so that they have the same two declarations. */
async function newCheckout(
  under: string,
  who: string,
  env: Readonly<Record<string, string>>,
  clockMs: number,
): Promise<Machine> {
  const machine = await newMachine(under, who, '', env, clockMs);
  for (const name of ['.git', ...names]) await mkdir(join(machine.cwd, name));
  const remote = '[remote "origin"]\n\turl = https://git.example.com/acme/infra.git\n';
  await writeFile(join(machine.cwd, '.git/config'), remote);
  return machine;
}

function allocation(name: Name, goal: Zone) {
  const pairs = declarations[name];
  const other = goal === 'target' ? 'source' : 'target';
  return {
    zones: Object.fromEntries(pairs.map((pair) => [`${goal}${pair}`, { ips: ipsOf(pair) }])),
    sources: pairs.map((pair) => `${other}${pair}`),
  };
}

async function declare({ name: who, cwd }: Machine, name: Name, goal: Zone): Promise<void> {
  const declared = {
    ...(who === 'named' && { account: 'main' }),
    service: { profile: { settleSeconds: settleMs / 1000 } },
    zoneIpAllocations: { [name]: allocation(name, goal) },
  };
  await writeFile(join(cwd, `${name}/webdata.yaml`), JSON.stringify(declared));
}

const answers: readonly FaultInput['fault'][] = [
  { kind: 'status', status: 202, body: '', when: 'after' },
  { kind: 'status', status: 200, body: {}, when: 'after' },
  { kind: 'short-report', count: 1 },
];

function setFaults(emulator: Emulator, isKilled: boolean, random: () => number): void {
  const longest = isKilled ? 0.6 * settleMs : 3 * settleMs;
  const answer = random() < 0.6 ? [any(answers, random)] : [];
  emulator.clearFaults();
  for (const fault of [
    { kind: 'delay', ms: 8 },
    { kind: 'lag', lag: { ms: Math.round(random() * longest) } },
    ...answer,
  ] as const)
    emulator.addFault({ route: 'zone/ips/migrate', fault });
}

function hasReached(emulator: Emulator, name: Name, goal: Zone): boolean {
  const wanted = declarations[name].flatMap((pair) => ipsOf(pair).map((ip) => `${ip} in ${goal}${pair}`));
  const places = placesOf(emulator, moves);
  return wanted.every((place) => places.includes(place));
}

function sentAgain(emulator: Emulator): string[] {
  return expected('moves that were sent twice', [], sentTwice(migrations(emulator)));
}

/** Returns the moves of IPs to a zone in which the one before has put them. */
export function sentTwice(sent: readonly Pick<LoggedRequest, 'body'>[]): string[] {
  const zones = new Map<string, string>();
  return sent.flatMap(({ body }) => {
    const { to, ips } = body as { to: string; ips: string[] };
    const again = ips.filter((ip) => zones.get(ip) === to);
    for (const ip of ips) zones.set(ip, to);
    return again.map((ip) => `${ip} to ${to}`);
  });
}

export function migrations(emulator: Emulator) {
  return emulator.requests().filter(({ method, path }) => method === 'POST' && path.startsWith('/zone/ips/migrate'));
}

function any<T>(all: readonly [T, ...T[]] | readonly T[], random: () => number): T {
  return all[Math.floor(random() * all.length)] as T;
}
