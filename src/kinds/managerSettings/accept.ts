/** Settings as they would be declared to match the live ones, for `webdata drift --accept`. */
import { accepting, type WrittenResource } from '../../features/accept/capability.ts';
import { acceptedSettings } from './diff.ts';
import { managerSettings, unseenProblems } from './kind.ts';
import type { ManagerSettingsSpec as Spec, ManagerSettingsState as State } from './spec.ts';

accepting.provide(managerSettings, {
  acceptLive: ({ written, spec }: WrittenResource<Spec>, state: State) => ({
    fields: acceptedSettings(written, spec, state),
    problems: unseenProblems(spec, state),
  }),
});
