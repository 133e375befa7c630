/** The capabilities of the kind for the engine. */

import { isMapValue } from '../../base/values/plain.ts';
import { callWords } from '../seam/callWords.ts';
import { driftComparison, type SpecDifference } from '../seam/comparison.ts';
import { noteTypes, profileInferred } from '../seam/noteTypes.ts';
import { references } from '../seam/references.ts';
import { entryLists, shortLists } from '../seam/shortLists.ts';
import { deletePorts } from './calls/deletePorts.ts';
import { updateSettings } from './calls/updateSettings.ts';
import { deletePortsWords, updateSettingsWords } from './calls/words.ts';
import { managerSettings } from './kind.ts';
import type { ManagerSettingsSpec as Spec, ManagerSettingsState as State } from './spec.ts';

noteTypes.provide(managerSettings, [
  { code: 'zone-not-found', description: 'The declared default zone does not exist at the service.' },
  {
    code: 'ports-not-observable',
    description: 'The manager does not show its ports, so `absentPorts` are deleted once.',
  },
  {
    code: 'read-by-put',
    description:
      'The manager does not answer a GET of its settings, so they are read with an empty PUT, which changes nothing.',
  },
  { code: 'left-as-is', description: 'A destroy or an undo leaves something unchanged.' },
  profileInferred,
]);

references.provide(managerSettings, {
  destinations: (written) => (isMapValue(written) && typeof written.url === 'string' ? [['url']] : []),
  managers: ({ url }: Spec) => (url === undefined ? [] : [url]),
});

shortLists.provide(managerSettings, entryLists([['whitelistIps'], ['wwwWhitelistIps']]));

driftComparison.provide(managerSettings, { differences });

/** A declaration names ports that must not exist (`absentPorts`), while the live state has ports that exist. */
function differences(spec: Spec, state: State): SpecDifference[] {
  return managerSettings
    .diff(spec, state)
    .changes.map(({ path: [field, ...rest], ...change }) =>
      field === 'ports'
        ? { ...change, path: ['absentPorts', ...rest], isObserved: state.ports !== null }
        : { ...change, path: [...(field === undefined ? [] : [field]), ...rest] },
    );
}

callWords.provide(updateSettings, updateSettingsWords);
callWords.provide(deletePorts, deletePortsWords);
