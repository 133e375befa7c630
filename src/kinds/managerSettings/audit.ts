/** The allow lists of managers, for `webdata audit`. */
import { type AllowList, auditing } from '../../features/audit/capability.ts';
import type { Context, LiveTarget } from '../seam/context.ts';
import { managerSettings } from './kind.ts';
import type { ManagerSettingsSpec as Spec } from './spec.ts';
import { managerUrls } from './urls.ts';

auditing.provide(managerSettings, { allowLists });

function allowLists(target: LiveTarget<Spec>, context: Context<Spec>): AllowList[] {
  return [...managerUrls(target, context)].map(([url, name]) => {
    const { whitelistIps: entries, ignoreChanges = [] } = target.declared.get(name ?? '') ?? {};
    const isDeclared = name !== undefined && entries !== undefined && !ignoreChanges.includes('whitelistIps');
    return {
      owner: url,
      declared: isDeclared ? { path: [name, 'whitelistIps'], entries } : undefined,
      async live() {
        const { settings } = await context.manager(url).readSettings({ signal: context.signal });
        const { whitelistIps, fixedWhitelistIps } = settings;
        if (whitelistIps === undefined && fixedWhitelistIps === undefined) return undefined;
        return [...new Set([...(fixedWhitelistIps ?? []), ...(whitelistIps ?? [])])];
      },
    };
  });
}
