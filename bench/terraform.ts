/** Plans and applies of the real OpenTofu, against the same provider that does nothing, and against Pulumi with the native plugin. */
import { delimiter, join } from 'node:path';
import { pathWithEngine } from '../scripts/pulumi/engine.ts';
import { buildPlugin } from '../scripts/pulumi/plugin.ts';
import { opentofuCommand } from '../scripts/terraform/opentofu.ts';
import { buildProvider } from '../scripts/terraform/provider.ts';
import { absent, type Benchmark, type Row, unlessReached } from './frame/benchmark.ts';
import { startEmulator } from './frame/emulator.ts';
import { atMost, compared, type Measurement, measureInTurn, pairsOf } from './frame/pairs.ts';
import { accountOf, openProject } from './frame/pulumiProject.ts';
import { openTerraformProject } from './frame/terraformProject.ts';
import { inMegabytes, inTime } from './frame/units.ts';

const shape = { what: '200 resources of 40 IPs', resources: 200, ips: 40 };
const mostBytes = 180e6;
const [toFloor, toPulumi] = [atMost(1.3), atMost(1)];

export const benchmark: Benchmark = {
  name: 'terraform',
  about:
    '**terraform**: `tofu apply` of a new state and a `tofu plan` without changes, on the real OpenTofu, against the same configuration with a provider of the same schema that keeps every configuration and does nothing else, and against the same resources in `pulumi up` and `pulumi preview` with the native plugin. Every IP is where it is declared to be: ours reads the account and has nothing to move. All take turns. Memory is the peak of the provider in an apply.',
  async run(stage) {
    if (opentofuCommand() === undefined)
      return [absent(`terraform, ${shape.what}`, 'OpenTofu', toFloor.text, '`npm run terraform:install`')];
    const [ours, floor] = [
      await buildProvider(),
      await buildProvider(join(stage.folder, 'floor'), 'bench/floors/terraformProvider.ts'),
    ];
    const emulator = await startEmulator(stage, accountOf(shape));
    const [mine, nothing] = [
      openTerraformProject(stage, 'ours', emulator, ours, shape),
      openTerraformProject(stage, 'floor', emulator, floor, shape),
    ];
    const path = pathWithEngine();
    const pulumi =
      path === undefined
        ? undefined
        : await openProject(stage, [await buildPlugin(), path].join(delimiter), emulator, 'native', shape);
    const measure = async (step: 'apply' | 'plan', pulumiStep: 'up' | 'preview') => {
      const sides: Record<string, Measurement> = {
        ours: mine[step],
        floor: nothing[step],
        ...(pulumi && { pulumi: pulumi[pulumiStep] }),
      };
      const figures: Partial<Record<string, number[]>> = await measureInTurn(sides, { count: 2, warmUps: 0 });
      const row = (what: string, others: readonly number[] | undefined, goal: typeof toFloor): Row[] =>
        others === undefined ? [] : [compared(what, pairsOf(figures.ours ?? [], others), goal, inTime)];
      return [
        ...row(`terraform ${step}, ${shape.what}`, figures.floor, toFloor).map((each) => unlessReached(each, why)),
        ...row(`terraform ${step} to pulumi native ${pulumiStep}, ${shape.what}`, figures.pulumi, toPulumi).map(
          (each) => unlessReached(each, 'OpenTofu takes longer than Pulumi with the provider that does nothing, too'),
        ),
      ];
    };
    const rows = [...(await measure('apply', 'up')), ...(await measure('plan', 'preview'))];
    const bytes = await mine.memory();
    const memory: Row = {
      what: `terraform, memory of the provider, ${shape.what}`,
      ours: inMegabytes(bytes),
      floor: inMegabytes(await nothing.memory()),
      must: `≤ ${inMegabytes(mostBytes)}`,
      reached: bytes <= mostBytes,
    };
    return [...rows, unlessReached(memory, 'the plans of all resources are in memory at once, ten of them in work')];
  },
};

const why = 'unlike the floor, ours reads what each zone holds, in one request for each resource';
