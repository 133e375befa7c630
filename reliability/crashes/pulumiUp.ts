/** Kills `pulumi up`, the engine and its plugins, and continues as docs/pulumi/reference.md describes. */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { ipsOfZone } from '../../providers/core/ipsOfZone.ts';
import { hasEngine, openProject, type Project, startPulumi } from '../../test/e2e/pulumi/harness.ts';
import { killSession } from '../../test/e2e/pulumi/processes.ts';
import { chargedOnce, expected, isJson } from './checks.ts';
import type { Kind, Played } from './kind.ts';
import { after, before, changesInAll, ipsOf, movesAccount, placesOf, range, relayTo } from './moves.ts';
import { type Point, requestPoints } from './points.ts';

export const pulumiUp: Kind = {
  name: 'pulumi up',
  holds:
    'the state, or the last backup of it if the engine was killed while it wrote the state, can be read; after `pulumi cancel` the next up completes it; every IP was moved once, with no unnecessary call; after `pulumi refresh` nothing is pending and nothing is left to do',
  lacks: hasEngine ? undefined : 'no Pulumi engine: `npm run pulumi:install`',
  spanMs: 1500,
  async boundaries() {
    return requestPoints(changesInAll);
  },
  play: (_, point) => atOnce(() => playUp(point)),
};

/** Few concurrent kills, because an engine and its plugins use more memory and CPU than other processes. */
const atOnce = pLimit(3);

/** One allocation exists and is updated; the other one and the settings are created. */
const [made, ...updated] = range;

const first = allocation('static', updated, () => 'count: 0');
/** The program with everything that an apply declares. */
export const wholeProgram = `${allocation('static', updated, listed)}
${allocation('other', made === undefined ? [] : [made], listed)}
new ManagerSettings('local', { logs: 7, requestStats: false });`;

function allocation(name: string, pairs: readonly number[], asksFor: (pair: number) => string): string {
  const zones = pairs.map((pair) => `target${pair}: { ${asksFor(pair)} }`).join(', ');
  const sources = pairs.map((pair) => `'source${pair}'`).join(', ');
  return `new ZoneIpAllocation('${name}', { zones: { ${zones} }, sources: [${sources}] });`;
}

function listed(pair: number): string {
  return `ips: ['${ipsOf(pair).join("', '")}']`;
}

async function playUp(point: Point): Promise<Played> {
  await using project = await openProject(movesAccount);
  const { emulator } = project;
  const { relay, armed } = await relayTo(emulator);
  try {
    await project.config({ apiUrl: relay.url, managerUrl: relay.url });
    await project.program(first);
    const faults = await well(project, 'up', '--yes', '--skip-preview');
    faults.push(...expected('places before it', before, placesOf(emulator)));
    emulator.clearRequests();
    await project.program(wholeProgram);
    const { child, finished } = startPulumi(['up', '--yes', '--skip-preview'], project.folder, { alone: true });
    const kill = () => killSession(child.pid ?? 0);
    armed.at(point, kill);
    if (point.at === 'instant') {
      await Promise.race([relay.heard(), finished]);
      await Promise.race([sleep(point.ms), finished]);
      kill();
    }
    const { output } = await finished;
    armed.at(undefined, () => undefined);
    await relay.settled();
    const killed = child.signalCode === 'SIGKILL';
    if (!killed && child.exitCode !== 0) faults.push(`up ended with ${child.exitCode}: ${output}`);
    return { killed, faults: [...faults, ...(await goOn(project))] };
  } finally {
    await relay.close();
  }
}

async function goOn(project: Project): Promise<string[]> {
  const { emulator } = project;
  return [
    ...(await makeReadable(project)),
    ...(await well(project, 'cancel', '--yes')),
    ...(await well(project, 'up', '--yes', '--skip-preview')),
    ...expected('places', after, placesOf(emulator)),
    ...expected('settings', { logs: 7, stats: false }, settingsOf(emulator)),
    ...chargedOnce(project, after.length, changesInAll - 1),
    ...(await well(project, 'refresh', '--yes', '--clear-pending-creates')),
    ...(await well(project, 'preview', '--expect-no-changes')),
    ...expected('places in the state', after, await placesInState(project)),
  ];
}

/** Takes the last backup of the engine, as its users do, where the engine was killed while it wrote its own file. */
async function makeReadable(project: Project): Promise<string[]> {
  const isReadable = async () => isJson((await project.pulumi('stack', 'export')).output);
  if (await isReadable()) return [];
  const state = join(project.folder, 'backend/.pulumi/stacks/test/dev.json');
  await copyFile(`${state}.bak`, state);
  return (await isReadable()) ? [] : ['neither the state nor its backup is readable'];
}

function settingsOf({ settings }: Project['emulator']) {
  const { logs, request_stats: stats } = settings();
  return { logs, stats };
}

export async function placesInState(project: Project): Promise<string[]> {
  const allocations = await project.state('ZoneIpAllocation');
  return allocations
    .flatMap(({ outputs }) => {
      const allocation = outputs as Parameters<typeof ipsOfZone>[0] & typeof outputs;
      return Object.keys(allocation.zones).flatMap((zone) =>
        ipsOfZone(allocation, zone).map((ip) => `${ip} in ${zone}`),
      );
    })
    .toSorted();
}

async function well(project: Project, ...args: string[]): Promise<string[]> {
  const { code, output } = await project.pulumi(...args);
  return code === 0 ? [] : [`pulumi ${args.join(' ')}: expected exit code 0, found ${code}:\n${output}`];
}
