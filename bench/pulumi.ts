/** Pulumi stacks of native and of dynamic resources of this package, against the same stacks of resources that do nothing. */
import { delimiter, join } from 'node:path';
import { pathWithEngine } from '../scripts/pulumi/engine.ts';
import { buildPlugin, pluginExecutable } from '../scripts/pulumi/plugin.ts';
import { absent, type Benchmark, type Row, type Stage, unlessReached } from './frame/benchmark.ts';
import { startEmulator } from './frame/emulator.ts';
import { atMost, compared, type Goal, measureInTurn, pairsOf } from './frame/pairs.ts';
import { pluginMemory } from './frame/pluginMemory.ts';
import {
  accountOf,
  buildFloor,
  type Front,
  inputsOf,
  openProject,
  type Project,
  type Shape,
} from './frame/pulumiProject.ts';
import { inMegabytes, inTime } from './frame/units.ts';

interface MeasuredShape extends Shape {
  fronts: readonly Front[];
  /** The number of updates that count, and of those before them that do not. */
  ups: { count: number; warmUps: number };
}

const previews = { count: 3, warmUps: 0 };

/**
 * The time of an update grows with the square of the number of resources, because the engine writes the whole state after each step: 200 of them are
 * updated twice, and only native ones. The first update of each kind reads files that no process has read yet, so it does not count.
 */
const shapes: readonly MeasuredShape[] = [
  {
    what: '1 resource of 10,000 IPs',
    resources: 1,
    ips: 10_000,
    fronts: ['native', 'nativeFloor', 'dynamic', 'dynamicFloor'],
    ups: { count: 3, warmUps: 1 },
  },
  {
    what: '200 resources of 40 IPs',
    resources: 200,
    ips: 40,
    fronts: ['native', 'nativeFloor'],
    ups: { count: 2, warmUps: 0 },
  },
  {
    what: '50 resources of 40 IPs',
    resources: 50,
    ips: 40,
    fronts: ['native', 'dynamic', 'dynamicFloor'],
    ups: { count: 3, warmUps: 0 },
  },
];

interface Comparison {
  name: string;
  ours: Front;
  floor: Front;
  goal: Goal;
  /** The reason if the goal is not reached. */
  why: string;
}

const comparisons: readonly Comparison[] = [
  {
    name: 'pulumi native',
    ours: 'native',
    floor: 'nativeFloor',
    goal: atMost(1.15),
    why: 'unlike the floor, ours reads what each zone holds, in one request for each resource, and compares it with the inputs. Of the processor time of the plugin in a preview of 200 resources, a tenth is its start, about a fifth checks, plans and compares, and a tenth writes requests and answers. Less would need a request that lists several zones',
  },
  {
    name: 'pulumi native to dynamic',
    ours: 'native',
    floor: 'dynamic',
    goal: atMost(1),
    why: 'native resources are slower here',
  },
  {
    name: 'pulumi dynamic',
    ours: 'dynamic',
    floor: 'dynamicFloor',
    goal: atMost(1.25),
    why: 'unlike the floor, ours loads the package, and reads what each zone holds',
  },
];

const memory = {
  what: 'pulumi native, memory of the plugin at 20,000 IPs',
  mostBytes: 120e6,
  why: 'the plugin takes 77 MB before its first request: Node, gRPC and the program',
};

export const benchmark: Benchmark = {
  name: 'pulumi',
  about:
    '**pulumi**: `pulumi up` of a new stack and a `pulumi preview` without changes, on the real engine with its state in files, against the same stack with the same inputs: of a native provider that keeps every input and does nothing else, and of dynamic resources whose handlers do nothing. Every IP is where it is declared to be: ours reads the account and has nothing to move. All of a size take turns; only the updates of one resource have a first round that does not count. Memory is the peak of the plugin over a create, a read, a check and a diff.',
  async run(stage) {
    const path = pathWithEngine();
    if (path === undefined)
      return shapes.map(({ what }) =>
        absent(`pulumi, ${what}`, 'Pulumi', atMost(1.15).text, '`npm run pulumi:install`'),
      );
    const floor = join(stage.folder, 'floor');
    const floorExecutable = await buildFloor(floor);
    const withPlugins = [await buildPlugin(), floor, path].join(delimiter);
    const rows: Row[] = [];
    for (const shape of shapes) rows.push(...(await measure(stage, withPlugins, shape)));
    return [...rows, await memoryRow(stage, floorExecutable)];
  },
};

async function measure(stage: Stage, path: string, shape: MeasuredShape): Promise<Row[]> {
  const emulator = await startEmulator(stage, accountOf(shape));
  const projects = new Map<Front, Project>();
  for (const front of shape.fronts) projects.set(front, await openProject(stage, path, emulator, front, shape));
  const rowsOf = async (step: 'up' | 'preview', rounds: { count: number; warmUps: number }) => {
    const sides = [...projects].map(([front, project]) => [front, project[step]] as const);
    const measured: Partial<Record<Front, number[]>> = await measureInTurn(Object.fromEntries(sides), rounds);
    return comparisons.flatMap(({ name, ours, floor, goal, why }) => {
      const [its, floors] = [measured[ours], measured[floor]];
      if (its === undefined || floors === undefined) return [];
      return [unlessReached(compared(`${name} ${step}, ${shape.what}`, pairsOf(its, floors), goal, inTime), why)];
    });
  };
  return [...(await rowsOf('up', shape.ups)), ...(await rowsOf('preview', previews))];
}

async function memoryRow(stage: Stage, floorExecutable: string): Promise<Row> {
  const shape = { what: memory.what, resources: 1, ips: 20_000 };
  const emulator = await startEmulator(stage, accountOf(shape));
  const [inputs = {}] = inputsOf(shape);
  const peakOf = (executable: string, type: string) => pluginMemory({ executable, type, settings: emulator, inputs });
  const [ours, floor] = [
    await peakOf(pluginExecutable, 'webdata:index:ZoneIpAllocation'),
    await peakOf(floorExecutable, 'nothing:index:Nothing'),
  ];
  const row = {
    what: memory.what,
    ours: inMegabytes(ours),
    floor: inMegabytes(floor),
    must: `≤ ${inMegabytes(memory.mostBytes)}`,
    reached: ours <= memory.mostBytes,
  };
  return unlessReached(row, memory.why);
}
