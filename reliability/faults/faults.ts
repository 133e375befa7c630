/**
 * The fault matrix: every call of the client, sent by each command, provider handler and trigger, under every fault. The calls come from a
 * run without faults; the expected end of each cell follows from rules.
 */
import { createServer } from 'node:http';
import pLimit, { type LimitFunction } from 'p-limit';
import { closed, listening } from '../../test/faultyPeer.ts';
import type { Campaign, CampaignStage } from '../frame/campaign.ts';
import { calls } from './calls.ts';
import { type Clean, type Judged, runCell, runClean } from './cell.ts';
import { cellsOf, sampled, someOf } from './cells.ts';
import { commandScenarios } from './commands.ts';
import { type ConnectionResult, connectionTable, runConnections } from './connectionCells.ts';
import { type ConnectionFault, type Connections, openConnections } from './connections.ts';
import { faultKinds } from './kinds.ts';
import { pulumiScenarios } from './pulumi.ts';
import type { Cell } from './rules.ts';
import type { Scenario } from './scenario.ts';
import { type CellResult, tablesOf } from './tables.ts';
import { workerScenarios } from './worker.ts';
import { openBackend, type Surroundings } from './world.ts';

const scenarios: readonly Scenario[] = [...commandScenarios, ...pulumiScenarios, ...workerScenarios];

export const faults: Campaign = {
  name: 'faults',
  about:
    'The fault matrix combines every call of the client with every fault that makes sense for it, and with every command, handler of the Pulumi provider and trigger that sends it. Each combination is a cell. A run without faults determines which calls there are. A gateway between the tool and the emulator (or the trigger service) applies the fault to the first request of the call, to all of them, or to those after the first write. Rules determine the expected outcome of each cell from the kind of the call and the fault: a read is sent again if the fault is temporary; the effect of a lost write is determined by reading; a billed call is never sent again if it may have taken effect, except for the trigger of a collector after a 5xx, as the specification requires. A command that fails names the call, its outcome and a fix, without a stack trace. A command that succeeds has the same output and effect as without the fault. After a failure, the next run ends in the same state, and no IP is moved twice.',
  repeat: 'npm run reliability -- faults',
  async run(stage) {
    await using trap = await openTrap();
    await using receiver = await openTrap();
    await using connections = await openConnections(stage.folder);
    const around = { folder: stage.folder, elsewhere: trap.url, receiver: receiver.url };
    const { results, unconnected } = await runAll(around, connections, stage);
    const unseen = calls.filter((call) => !results.some(({ cell }) => cell.call === call));
    return {
      counts: [
        ['calls of the client', calls.length - unseen.length],
        ['faults', faultKinds.length],
        ['commands, handlers and triggers', new Set(results.map(({ cell }) => cell.scenario)).size],
        ['cells run', results.length],
        ['cells run with a missing or wrong server', unconnected.length],
        ['requests that followed a redirect to another host', trap.caught()],
        ['requests to a server with an invalid certificate', connections.caught()],
      ],
      skipped: connections.skipped,
      failures: [
        ...results.flatMap(({ cell, judged }) => failureOf(cell, judged)),
        ...unconnected.flatMap(({ scenario, peer, fault, wrong }) =>
          wrong.length > 0 ? [`${scenario} · ${peer} · ${fault}: ${wrong.join('; ')}`] : [],
        ),
        ...(connections.caught() > 0
          ? [`${connections.caught()} requests went to a peer without a good certificate`]
          : []),
        ...(stage.short ? [] : unseen.map(({ name }) => `no command makes the call: ${name}`)),
        ...(trap.caught() > 0 ? [`${trap.caught()} requests followed a redirect to another host`] : []),
      ],
      tables: [...tablesOf(results), connectionTable(unconnected)],
    };
  },
};

interface AllResults {
  results: CellResult[];
  unconnected: ConnectionResult[];
}

async function runAll(
  around: Surroundings,
  connections: Connections,
  { short, say }: CampaignStage,
): Promise<AllResults> {
  // Slow cells only wait for timeouts, so more of them run at once.
  const limits: Limits = { quick: pLimit(16), slow: pLimit(24), heavy: pLimit(1) };
  const meeting = meetingOf(scenarios.length);
  const all = scenarios.map(async (scenario) => {
    const found = await runScenario(scenario, { around, connections, limits, meeting, short, say });
    say(`${scenario.name}: ${found.results.length + found.unconnected.length} cells`);
    return found;
  });
  const found = await Promise.all(all);
  return { results: found.flatMap((each) => each.results), unconnected: found.flatMap((each) => each.unconnected) };
}

type Limits = Record<'quick' | 'slow' | 'heavy', LimitFunction>;

interface Meeting {
  /** Resolves when all have arrived. */
  arrive(): Promise<void>;
}

function meetingOf(count: number): Meeting {
  const { promise, resolve } = Promise.withResolvers<void>();
  let missing = count;
  return {
    arrive() {
      missing -= 1;
      if (missing === 0) resolve();
      return promise;
    },
  };
}

interface Running extends Pick<CampaignStage, 'short' | 'say'> {
  around: Surroundings;
  connections: Connections;
  limits: Limits;
  /** Expensive cells run last, because they would delay all others. */
  meeting: Meeting;
}

async function runScenario(scenario: Scenario, running: Running): Promise<AllResults> {
  const { around, connections, limits, short } = running;
  const clean = await limits.quick(() => runClean(scenario, around));
  const { code, stdout, stderr } = clean.ended;
  if (!(scenario.success ?? [0]).includes(code))
    throw new Error(`${scenario.name} fails by itself: ${stdout}${stderr}`);
  const shared = scenario.writes ? undefined : await openBackend(await scenario.account());
  const all = cellsOf(scenario, clean);
  const cells = short ? sampled(scenario, all) : all;
  const run = async (cell: Cell): Promise<CellResult> => {
    const judged = await runCell(cell, clean, around, shared).catch((error: unknown) => broken(error, clean));
    for (const failure of failureOf(cell, judged)) running.say(failure);
    return { cell, judged };
  };
  const light = cells.filter(({ fault }) => !fault.heavy);
  const heavy = cells.filter(({ fault }) => fault.heavy);
  const results = await Promise.all(light.map((cell) => limits[cell.fault.slow ? 'slow' : 'quick'](() => run(cell))));
  const against = { scenario, clean, around, shared, limit: limits.quick };
  const unconnected = await runConnections(against, short ? oneOf(connections, scenario) : connections.faults);
  const isCalm = running.meeting.arrive();
  for (const cell of heavy) results.push(await isCalm.then(() => limits.heavy(() => run(cell))));
  await shared?.[Symbol.asyncDispose]();
  return { results, unconnected };
}

/** Used by the short form of the campaign. */
function oneOf({ faults }: Connections, { home, name }: Scenario): ConnectionFault[] {
  return home === undefined ? [] : someOf(faults, 1, name);
}

function broken(error: unknown, { ended }: Clean): Judged {
  return { expected: 'reported', wrong: [`it threw ${error instanceof Error ? error.stack : error}`], ended };
}

function failureOf({ scenario, call, place, fault }: Cell, { expected, wrong, ended }: Judged): string[] {
  if (wrong.length === 0) return [];
  const end = (ended.stdout.slice(-400) + ended.stderr.slice(-600)).trim();
  const where = `${scenario.name} · ${call.name}, ${place} · ${fault.name}`;
  return [`${where}: expected ${expected}; ${wrong.join('; ')} [exit ${ended.code}: ${end}]`];
}

interface Trap extends AsyncDisposable {
  url: string;
  caught(): number;
}

/** Accepts and counts all requests. Redirects point here, and no request may follow them, because it would carry the key. */
async function openTrap(): Promise<Trap> {
  let caught = 0;
  const server = createServer((_request, response) => {
    caught += 1;
    response.end('{}');
  });
  const url = await listening(server);
  return { url, caught: () => caught, [Symbol.asyncDispose]: () => closed(server) };
}
