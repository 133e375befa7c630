/** The settings of a manager as a person would declare them, for `webdata pull` and for imports. */
import { liveExport } from '../seam/liveExport.ts';
import { liveSettings } from './diff.ts';
import { managerSettings } from './kind.ts';

liveExport.provide(managerSettings, {
  async exportLive({ managerUrl, name }, context) {
    if (managerUrl === undefined) return undefined;
    const { settings } = await context.manager(managerUrl).readSettings({ signal: context.signal });
    const { zone, ...rest } = liveSettings(settings);
    return { [name]: zone ? { zone, ...rest } : rest };
  },
});
