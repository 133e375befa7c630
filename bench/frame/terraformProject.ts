/** A project of OpenTofu or Terraform, whose resources are those of the provider or of its floor. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { opentofuCommand } from '../../scripts/terraform/opentofu.ts';
import type { Stage } from './benchmark.ts';
import type { RunningEmulator } from './emulator.ts';
import { runProcess } from './process.ts';
import { inputsOf, type Shape } from './pulumiProject.ts';

interface TerraformProject {
  /** Returns the milliseconds for a new state. */
  apply(): Promise<number>;
  /** Returns the milliseconds for the state that was applied last. */
  plan(): Promise<number>;
  /** Returns the peak memory of the provider in an apply, in bytes. */
  memory(): Promise<number>;
}

/** `provider` is the folder of the built provider. */
export function openTerraformProject(
  stage: Stage,
  name: string,
  { apiUrl, keys }: Pick<RunningEmulator, 'apiUrl' | 'keys'>,
  provider: string,
  shape: Shape,
): TerraformProject {
  const folder = join(stage.folder, `${name}-${shape.resources}`);
  mkdirSync(folder, { recursive: true });
  const resources = inputsOf(shape).map((inputs, index) => [`resource_${index}`, inputs]);
  const main = {
    terraform: { required_providers: { webdata: { source: 'webdata/webdata' } } },
    resource: { webdata_zone_ip_allocation: Object.fromEntries(resources) },
  };
  writeFileSync(join(folder, 'main.tf.json'), JSON.stringify(main));
  const overrides = `dev_overrides { "webdata/webdata" = ${JSON.stringify(provider)} }`;
  writeFileSync(join(folder, 'tofu.rc'), `provider_installation {\n  ${overrides}\n}\n`);
  const peak = join(folder, 'peak-memory');
  const env = {
    TF_CLI_CONFIG_FILE: join(folder, 'tofu.rc'),
    CHECKPOINT_DISABLE: '1',
    WEBDATA_API_URL: apiUrl,
    WEBDATA_API_KEY: keys.ops ?? '',
    PATH: `${resolve('node_modules/.bin')}:${process.env.PATH}`,
  };
  const tofu = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    runProcess(stage, [String(opentofuCommand()), ...args], { cwd: folder, env: { ...env, ...more } });
  const apply = (more?: Readonly<Record<string, string>>) => {
    rmSync(join(folder, 'terraform.tfstate'), { force: true });
    return tofu(['apply', '-auto-approve', '-input=false'], more);
  };
  return {
    apply: async () => (await apply()).ms,
    plan: async () => (await tofu(['plan', '-detailed-exitcode', '-input=false'])).ms,
    async memory() {
      const preloaded = `--import=${resolve('bench/frame/peakMemory.mjs')}`;
      await apply({ NODE_OPTIONS: preloaded, BENCH_PEAK_MEMORY: peak });
      return Number(readFileSync(peak, 'utf8'));
    },
  };
}
