/** The manager that holds settings, for `webdata servers`. In `src`, this would be `src/kinds/managerSettings/servers.ts`. */
import { managerSettings } from '../../../src/kinds/managerSettings/kind.ts';
import type { ManagerSettingsSpec as Spec } from '../../../src/kinds/managerSettings/spec.ts';
import { serving } from './capability.ts';

serving.provide(managerSettings, {
  server: ({ url }: Spec, context) => context.manager(url).url,
  async held({ url }: Spec, context) {
    const { settings } = await context.manager(url).readSettings({ signal: context.signal });
    return `${settings.logs} logs`;
  },
});
