/** The declaration of webdata.yaml as a Pulumi program: the stack of Pulumi.yaml, with its state in the temporary folder. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathWithEngine } from '../../../scripts/pulumi/engine.ts';
import { announced, type Env, echo, endOf, type Stage, say } from './stage.ts';

export async function showPulumi(stage: Stage, { WEBDATA_API_URL, WEBDATA_MANAGER_URL }: Env): Promise<void> {
  const path = pathWithEngine();
  if (path === undefined) {
    say(
      'The same account with Pulumi: skipped, because the Pulumi CLI is missing. `npm run pulumi:install` builds it.',
    );
    return;
  }
  say('The account of webdata.yaml again, this time as a Pulumi stack.');
  const config = Object.entries({ apiUrl: WEBDATA_API_URL, managerUrl: WEBDATA_MANAGER_URL });
  const settings = config.flatMap(([name, value]) => ['--config', `webdata:${name}=${value}`]);
  const named = ['--stack', 'demo', '--config-file', join(stage.folder, 'Pulumi.demo.yaml'), '--non-interactive'];
  const env = environment(stage, path);
  const pulumi = async (shown: string, ...args: string[]) => {
    echo(`pulumi ${shown}`);
    const running = endOf(stage, ['pulumi', ...args], env, 'inherit', process.cwd());
    const code = await announced(`pulumi ${args[0]} is running`, running);
    if (code !== 0) throw new Error(`pulumi ${args[0]} ended with ${code}`);
  };
  await pulumi('stack init demo', 'stack', 'init', 'demo', '--non-interactive');
  await pulumi('up --yes', 'up', '--yes', '--suppress-outputs', ...named, ...settings);
  const preview = ['preview', '--expect-no-changes', '--suppress-outputs'];
  await pulumi('preview --expect-no-changes', ...preview, ...named, ...settings);
}

function environment({ folder }: Stage, path: string): Env {
  const backend = join(folder, 'pulumi');
  mkdirSync(backend);
  return {
    HOME: process.env.HOME,
    PATH: path,
    PULUMI_HOME: join(folder, 'pulumi-home'),
    PULUMI_BACKEND_URL: `file://${backend}`,
    PULUMI_CONFIG_PASSPHRASE: 'demo',
    PULUMI_SKIP_UPDATE_CHECK: 'true',
  };
}
