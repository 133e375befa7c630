/** Managers, for `webdata show`. */
import { type LiveObject, showing } from '../../features/show/capability.ts';
import type { Context, LiveTarget } from '../seam/context.ts';
import { liveSettings } from './diff.ts';
import { managerSettings } from './kind.ts';
import type { ManagerSettingsSpec as Spec } from './spec.ts';
import { managerUrls } from './urls.ts';

showing.provide(managerSettings, { liveObjects: liveManagers });

async function liveManagers(target: LiveTarget<Spec>, context: Context<Spec>): Promise<LiveObject[]> {
  const options = { signal: context.signal };
  return [...managerUrls(target, context)].map(([url, name]) => ({
    name: url,
    isDeclared: name !== undefined,
    async facts() {
      const manager = context.manager(url);
      const { settings } = await manager.readSettings(options);
      return { ...liveSettings(settings), ports: await manager.ports(options) };
    },
  }));
}
