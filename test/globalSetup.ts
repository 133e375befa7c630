/** Tests that run `webdata` or the provider plugin as a process run what was built from the current sources. */
import { build } from '../scripts/build.ts';
import { buildPlugin } from '../scripts/pulumi/plugin.ts';
import { buildProvider } from '../scripts/terraform/provider.ts';

export default async function setup(): Promise<void> {
  build();
  await buildPlugin();
  await buildProvider();
}
