/** Runs one cell and reports what is wrong with its end. */
import { type CallType, type Peer, peers } from './calls.ts';
import type { Seen } from './gateway.ts';
import type { FaultKind } from './kind.ts';
import { type Cell, type Expected, expectedEnd, mayRepeat } from './rules.ts';
import type { RunOptions, Scenario } from './scenario.ts';
import {
  type Backend,
  type CellWorld,
  type Ended,
  liveState,
  openBackend,
  openCellWorld,
  type Surroundings,
} from './world.ts';

/** A run without any fault. */
export interface Clean {
  ended: Ended;
  seen: readonly Seen[];
  state: string;
  effects: readonly string[];
}

export interface Judged {
  expected: Expected;
  /** One sentence for each violation. */
  wrong: string[];
  ended: Ended;
}

export const usual: RunOptions = { timeoutSeconds: 30, retries: 1 };
/** Long enough for an answer without a fault on a busy machine. */
const hasty: RunOptions = { timeoutSeconds: 5, retries: 1 };

function optionsFor({ slow, play }: FaultKind): RunOptions {
  if (!slow) return usual;
  return play.as === 'endless drip' ? { ...hasty, retries: 0 } : hasty;
}

export async function runClean(scenario: Scenario, around: Surroundings): Promise<Clean> {
  await using backend = await openBackend(await scenario.account());
  await using world = await openCellWorld(backend, around);
  await scenario.prepare?.(world);
  const before = peers.map((peer) => world.gateways[peer].seen.length);
  backend.emulator.clearRequests();
  const ended = await scenario.run(world, usual);
  const seen = peers.flatMap((peer, index) => world.gateways[peer].seen.slice(before[index]));
  return {
    ended: said(ended, world),
    seen,
    state: settled(await liveState(backend), world),
    effects: effectsOf(backend),
  };
}

/** Returns the peers that the scenario calls. */
export function peersOf({ seen }: Clean): Peer[] {
  return [...new Set(seen.flatMap(({ call }) => call?.peer ?? []))];
}

/** Cells that only read may share a backend. */
export async function runCell(cell: Cell, clean: Clean, around: Surroundings, shared?: Backend): Promise<Judged> {
  if (shared !== undefined) return judgedOn(shared, cell, clean, around);
  await using backend = await openBackend(await cell.scenario.account());
  return await judgedOn(backend, cell, clean, around);
}

async function judgedOn(backend: Backend, cell: Cell, clean: Clean, around: Surroundings): Promise<Judged> {
  const { scenario, call, fault } = cell;
  await using world = await openCellWorld(backend, around);
  await scenario.prepare?.(world);
  if (scenario.writes) backend.emulator.clearRequests();
  const gateway = world.gateways[call.peer];
  const before = gateway.seen.length;
  gateway.arm({ call, fault, isHit: hits(cell, clean) });
  const started = performance.now();
  const ended = said(await scenario.run(world, optionsFor(fault)), world);
  const seconds = (performance.now() - started) / 1000;
  gateway.arm(undefined);
  await Promise.all(peers.map((peer) => world.gateways[peer].settled()));
  const seen = gateway.seen.slice(before);
  const hit = seen.filter(({ isHit }) => isHit);
  const wanted = hit.every(({ isMoot }) => isMoot) ? 'absorbed' : expectedEnd(cell);
  const wrong = [
    ...(hit.length > 0 ? [] : ['no request was hit']),
    ...(seconds > patienceSeconds ? [`it took ${Math.round(seconds)} s`] : []),
    ...wrongWords(ended),
    ...wrongEnd(cell, wanted, ended, clean),
    ...wrongCount(cell, seen, clean),
    ...(scenario.writes ? await wrongLater(cell, wanted, world, clean) : []),
  ];
  return { expected: wanted, wrong, ended };
}

const patienceSeconds = 150;

function hits({ call, place }: Cell, { seen }: Clean): (number: number, hasWritten: boolean) => boolean {
  const its = seen.filter((each) => each.call === call);
  if (place === 'first') return (number) => number === 1;
  if (place === 'last') return (number) => number === its.length;
  if (place === 'all') return () => true;
  // Not by its number in the run without faults: how often listings are read before a write depends on the speed of the machine.
  return (_, hasWritten) => hasWritten;
}

/** Returns the requests of a call that were sent before any write to its peer. */
export function beforeFirstWrite(seen: readonly Seen[], of: CallType): readonly Seen[] {
  const its = seen.filter(({ call }) => call?.peer === of.peer);
  const first = its.findIndex(({ call }) => call !== undefined && call.kind !== 'read');
  return (first < 0 ? its : its.slice(0, first)).filter(({ call }) => call === of);
}

/** Finds stack traces and secrets in the output. */
export function wrongWords({ stdout, stderr }: Ended): string[] {
  const all = stdout + stderr;
  const slips = [/^\s+at .+:\d+:\d+\)?$/m, /internal error|\[object |\bundefined\b|\bNaN\b|TypeError|ENOENT/];
  return slips.flatMap((slip) => {
    const [found] = slip.exec(all) ?? [];
    return found === undefined ? [] : [`it says "${found.trim()}"`];
  });
}

function wrongEnd(
  { scenario, fault }: Cell,
  wanted: Expected,
  { code, stdout, stderr }: Ended,
  clean: Clean,
): string[] {
  const { success = [0] } = scenario;
  if (wanted !== 'reported') {
    const differs = wanted === 'absorbed' && !scenario.showsAnswer && stdout !== clean.ended.stdout;
    return [
      ...(success.includes(code) ? [] : [`exit ${code}, not ${success}`]),
      ...(success.includes(code) && differs ? ['another output than without the fault'] : []),
    ];
  }
  const all = stdout + stderr;
  const { message = fault.message } = scenario;
  return [
    ...(code === 1 ? [] : [`exit ${code}, not 1`]),
    ...(code !== 1 || message.test(all) ? [] : [`it does not say ${message}`]),
    ...(code !== 1 || scenario.front === 'trigger' || /\bfix: |"fix"/.test(all) ? [] : ['it says no fix']),
  ];
}

/** Checks that no billed call was sent more often than its fault allows. */
function wrongCount(cell: Cell, seen: readonly Seen[], clean: Clean): string[] {
  const { call, fault } = cell;
  if (call.kind !== 'paid move' && call.kind !== 'trigger') return [];
  const count = seen.filter((each) => each.call === call && each.handedOn).length;
  const most = clean.seen.filter((each) => each.call === call).length;
  if (count <= most || (fault.effect === 'after' && mayRepeat(cell))) return [];
  return [`${call.name} had its effect ${count} times, not ${most}`];
}

/** Checks that the next run, without the fault, does the rest, repeats nothing, and ends in the same state as a run without faults. */
async function wrongLater(
  { scenario, call, fault }: Cell,
  wanted: Expected,
  world: CellWorld,
  clean: Clean,
): Promise<string[]> {
  const { again } = scenario;
  if (again === 'never') return [];
  const wrong: string[] = [];
  if (wanted === 'reported') {
    const next = await (again === undefined ? scenario.run(world, usual) : again(world));
    // Any 2xx accepts a paid move: it is left to a person to send it again.
    if (call.kind === 'paid move' && fault.shape && fault.effect === 'before')
      return next.code === 1 && next.stdout.concat(next.stderr).includes('no listing shows it')
        ? []
        : [`the next run after a claim ends with ${next.code}: ${next.stdout}${next.stderr}`];
    if (!(scenario.success ?? [0]).includes(next.code))
      wrong.push(`the next run ends with ${next.code}: ${next.stdout}${next.stderr}`);
  }
  const state = settled(await liveState(world.backend), world);
  if (state !== clean.state) wrong.push(`another state in the end: ${differing(state, clean.state)}`);
  const twice = twiceDone(effectsOf(world.backend));
  if (call.kind === 'paid move' && twice.length > 0) wrong.push(`done twice: ${twice}`);
  return wrong;
}

/** Returns the moves of each IP and the started jobs, in the order of the emulator's log. */
export function effectsOf({ emulator }: Backend): string[] {
  return emulator.requests().flatMap(({ effect }) => {
    if (effect === null) return [];
    if ('moved' in effect) return effect.moved.map((ip) => `${ip} ${effect.from} -> ${effect.to}`);
    return 'started' in effect ? [`started ${effect.of}`] : [];
  });
}

function twiceDone(effects: readonly string[]): string[] {
  return effects.filter((effect, index) => effect.includes('->') && effects.indexOf(effect) !== index);
}

function differing(one: string, other: string): string {
  const [ours, theirs] = [one, other].map((text) => new Set(text.split('\n')));
  return [...(ours ?? [])].filter((line) => !theirs?.has(line)).join(' ') || 'something is missing';
}

function said({ code, stdout, stderr }: Ended, world: CellWorld): Ended {
  return { code, stdout: settled(stdout, world), stderr: settled(stderr, world) };
}

/** Replaces values that differ from run to run by constants. */
function settled(text: string, { gateways, folder }: CellWorld): string {
  return peers
    .reduce((message, peer) => message.replaceAll(gateways[peer].url, `http://${peer}`), text)
    .replaceAll(folder, 'FOLDER')
    .replaceAll(/\b([jsr])_\w{6,}/g, '$1_ID')
    .replaceAll(/\b\d{13}\b|(?<="id": )\d+/g, 'N')
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(Z| UTC)?/g, 'TIME');
}
