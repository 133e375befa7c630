/** One random account: simulated, then applied, then compared. */
import { deepStrictEqual } from 'node:assert';
import type { Emulator, FaultInput, LoggedRequest } from '../../src/emulator/index.ts';
import { type CommandResult, openWorld, type World } from '../frame/world.ts';
import { declarationFrom, yamlOf, zoneNames } from '../model/declaration.ts';
import { AccountState } from '../model/state.ts';
import type { DrawnCase } from './drawnCase.ts';

export type Tallied =
  | 'accounts'
  | 'accounts whose plan is refused'
  | 'accounts without changes'
  | 'calls compared'
  | 'failures compared'
  | 'undos compared';

interface SimulationJson {
  result: string;
  calls: { call: CallJson; outcome: string; zones: { zone: string; countries: Count[] }[] }[];
  next?: PlanJson;
  undo?: PlanJson;
}

interface Count {
  country: string;
  before: number;
  after: number;
}

interface PlanJson {
  resources: { calls: CallJson[] }[];
  problems: unknown[];
}

type CallJson = Readonly<Record<string, unknown>> & { type: string };

interface RunJson {
  /** Absent in a plan, which is printed where nothing was left to do. */
  resources: { made?: { call: CallJson; outcome: string }[] }[];
}

/** @throws AssertionError with the difference */
export async function playCase(
  drawn: DrawnCase,
  parent: string,
  count: (what: Tallied, more?: number) => void,
): Promise<void> {
  const account = new AccountState();
  for (const [zone, country] of drawn.ips) account.add(account.newIp(), zone, country);
  await using stage = await openStage(drawn, account, parent);
  const { emulator, webdata } = stage;
  const { calls: planned } = await document<{ calls: unknown[] } & SimulationJson>(
    webdata('simulate', '--format', 'json'),
  );
  const failAt =
    drawn.failure === undefined || planned.length === 0 ? undefined : (drawn.failure.at % planned.length) + 1;
  const failing = failAt === undefined ? [] : ['--fail-at', String(failAt), '--failure', drawn.failure?.how ?? ''];
  const simulated = await document<SimulationJson>(webdata('simulate', '--format', 'json', ...failing));
  same(
    'a simulation changes nothing',
    [],
    emulator.requests().filter(({ effect }) => effect !== null),
  );
  count('accounts');
  if (failAt !== undefined)
    for (const fault of faultsOf(simulated, failAt, drawn.failure?.how)) emulator.addFault(fault);

  const before = countsIn(emulator, account);
  emulator.clearRequests();
  const applied = await webdata('apply', '--yes', '--parallelism', '1', '--format', 'json');
  const requests = emulator.requests();
  emulator.clearFaults();
  if (simulated.result === 'refused') {
    count('accounts whose plan is refused');
    same('the exit code of an apply that is refused', 1, applied.code);
    same(
      'a refused apply changes nothing',
      [],
      requests.filter(({ effect }) => effect !== null),
    );
    return;
  }
  same('the exit code of the apply', simulated.result === 'done' ? 0 : 1, applied.code);
  if (simulated.calls.length === 0) return count('accounts without changes');
  const made = JSON.parse(applied.stdout) as RunJson;
  same(
    'the calls and their outcomes',
    simulated.calls.map(({ call, outcome }) => ({ call, outcome })),
    made.resources.flatMap(({ made: its = [] }) => its.map(({ call, outcome }) => ({ call, outcome }))),
  );
  same('the zones after each move', movesOf(simulated), movesIn(requests, before, account));
  count('calls compared', simulated.calls.length);
  if (failAt === undefined) return;
  await compareAfterFailure(simulated, webdata);
  count('failures compared');
  if (await compareUndo(simulated, webdata)) count('undos compared');
}

async function compareAfterFailure({ next }: SimulationJson, webdata: World['webdata']): Promise<void> {
  const plan = await document<PlanJson>(webdata('plan', '--format', 'json'));
  same('the next plan', callsOf(next), callsOf(plan));
}

async function compareUndo({ undo }: SimulationJson, webdata: World['webdata']): Promise<boolean> {
  const undone = await webdata('undo', '--yes', '--format', 'json');
  const made = undone.stdout.startsWith('{') ? (JSON.parse(undone.stdout) as RunJson) : undefined;
  const isPossible = undone.code === 0 && made !== undefined;
  same('whether an undo is possible', (undo?.problems.length ?? 0) === 0 && hasNoProblems(undo), isPossible);
  if (!isPossible) return false;
  const calls = made.resources.flatMap((resource) => (resource.made ?? []).map(({ call }) => call));
  same('the undo', callsOf(undo), calls);
  return true;
}

function hasNoProblems(plan: PlanJson | undefined): boolean {
  const resources = (plan?.resources ?? []) as { problems?: unknown[] }[];
  return resources.every(({ problems = [] }) => problems.length === 0);
}

function callsOf(plan: PlanJson | undefined): CallJson[] {
  return (plan?.resources ?? []).flatMap(({ calls }) => calls);
}

/** The numbers of IPs of both zones, by country, after each move that took effect. */
type AfterMove = Record<string, Record<string, number>>;

function movesOf({ calls }: SimulationJson): AfterMove[] {
  return calls
    .filter(({ zones }) => zones.some(({ countries }) => countries.some((each) => each.before !== each.after)))
    .map(({ zones }) => Object.fromEntries(zones.map(({ zone, countries }) => [zone, held(countries)])));
}

function held(countries: readonly Count[]): Record<string, number> {
  return Object.fromEntries(countries.filter(({ after }) => after > 0).map(({ country, after }) => [country, after]));
}

/** Follows the effects that the emulator logged. */
function movesIn(requests: readonly LoggedRequest[], counts: AfterMove, account: AccountState): AfterMove[] {
  return requests.flatMap(({ effect }) => {
    if (effect === null || !('moved' in effect)) return [];
    const { moved, from, to } = effect;
    for (const ip of moved) {
      const country = account.countryOf(ip);
      counts[from] = added(counts[from], country, -1);
      counts[to] = added(counts[to], country, 1);
    }
    return [structuredClone({ [to]: counts[to] ?? {}, [from]: counts[from] ?? {} })];
  });
}

function added(counts: Record<string, number> = {}, country: string, more: number): Record<string, number> {
  const { [country]: before = 0, ...others } = counts;
  return before + more === 0 ? others : { ...others, [country]: before + more };
}

function countsIn(emulator: Emulator, account: AccountState): AfterMove {
  return Object.fromEntries(
    zoneNames.map((zone) => [
      zone,
      emulator.ips(zone).reduce((counts, ip) => added(counts, account.countryOf(ip), 1), {} as Record<string, number>),
    ]),
  );
}

/** The fault of the call that fails in the simulation: the same route, at its turn. */
function faultsOf({ calls }: SimulationJson, at: number, how: string | undefined): FaultInput[] {
  const failing = calls[at - 1]?.call.type ?? '';
  const route = { migrate: 'zone/ips/migrate', updateSettings: 'settings/put' }[failing] ?? 'proxies/delete';
  const occurrence = calls.slice(0, at).filter(({ call }) => call.type === failing).length;
  const fault =
    how === 'refused'
      ? ({ kind: 'status', status: 400, body: { error: 'refused' } } as const)
      : ({ kind: 'drop-after' } as const);
  return [{ route, occurrence, fault }];
}

async function openStage(
  { declaration, manager, dialect }: DrawnCase,
  account: AccountState,
  parent: string,
): Promise<World> {
  const zones = zoneNames.map((zone) => {
    const ips = account.in(zone).map((ip) => {
      const country = account.countryOf(ip);
      return { ip, countries: [country, country, country, country] as [string, string, string, string] };
    });
    return [zone, { ips }] as const;
  });
  const { live, ports, declared, hidesPorts } = manager;
  const world = await openWorld(parent, {
    id: 'hl_simulated',
    zones: Object.fromEntries(zones),
    manager: { settings: { logs: live.logs, whitelist_ips: live.whitelist }, ports },
    dialect: { ...dialect, ...(hidesPorts && { recentStats: 'empty' as const }) },
  });
  const file = JSON.parse(yamlOf(declarationFrom(declaration, account)));
  const managerSettings = declared && { managerSettings: { local: declared } };
  await world.write('webdata.yaml', JSON.stringify({ ...file, ...managerSettings }));
  return world;
}

async function document<Document>(running: Promise<CommandResult>): Promise<Document> {
  const { stdout, stderr, code } = await running;
  if (!stdout.startsWith('{')) throw new Error(`no document on stdout, exit code ${code}: ${stdout}${stderr}`);
  return JSON.parse(stdout);
}

function same(what: string, expected: unknown, actual: unknown): void {
  try {
    deepStrictEqual(actual, expected);
  } catch {
    throw new Error(`${what}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(actual)}`);
  }
}
